"""The work of Ray's tasks. All of it is pure: a task that is repeated gives the same result."""

from __future__ import annotations

import fcntl
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import ray

from .. import _dataset
from .._taquin import Board, MissingDatabase, Solution, Solver
from ._climb import Climb, climb

if TYPE_CHECKING:
    import numpy.typing as npt

    from .._dataset import _Arrays


class Settings(NamedTuple):
    """All that the solver of a worker depends on."""

    goal: str
    heuristic: str
    folder: str | None
    """Folder of the databases on each machine."""
    metric: Literal["single", "multi"] = "single"


_solvers: dict[Settings, Solver] = {}
"""The solvers of this process, which runs one task after the other."""

_prepared: set[tuple[Settings, tuple[int, int]]] = set()


def build(settings: Settings, size: tuple[int, int]) -> None:
    """Builds databases that are missing on this machine. One process does so, others wait."""
    goal, heuristic, folder, metric = settings
    try:
        Solver(goal, heuristic, pdb_dir=folder, metric=metric, build=False).prepare(size)
    except MissingDatabase:
        builder = Solver(goal, heuristic, pdb_dir=folder, metric=metric)
        databases = Path(builder.pdb_dir or ".")
        databases.mkdir(parents=True, exist_ok=True)
        with Path(databases, ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            builder.prepare(size)


def _solver(settings: Settings, size: tuple[int, int]) -> Solver:
    if (settings, size) not in _prepared:
        build(settings, size)
        _prepared.add((settings, size))
    if settings not in _solvers:
        goal, heuristic, folder, metric = settings
        _solvers[settings] = Solver(goal, heuristic, pdb_dir=folder, metric=metric, threads=1)
    return _solvers[settings]


def _machine() -> str:
    """The identifier of this Ray node."""
    return ray.get_runtime_context().get_node_id()


# A lost worker or machine costs time, and no result. A task that always loses its worker, for want
# of memory, ends the run at last.
_remote = ray.remote(num_cpus=1, max_retries=20)


@_remote
def prepare(settings: Settings, size: tuple[int, int]) -> None:
    """Starts a worker and loads its databases."""
    _solver(settings, size)


@_remote
def search(packet: str, settings: Settings, size: tuple[int, int]) -> tuple[str, str]:
    """The result of a packet, and the machine."""
    return _solver(settings, size).run_packet(packet), _machine()


@_remote
def solve_boards(
    boards: Sequence[Board], settings: Settings, limits: dict[str, Any]
) -> tuple[list[str], int, str]:
    """Answers as JSON, the nodes generated, and the machine."""
    solved: list[Solution] = []
    for size, alike in groupby(boards, key=lambda board: (board.width, board.height)):
        solved += _solver(settings, size).solve_each(list(alike), **limits)
    return [answer.json() for answer in solved], sum(a.nodes for a in solved), _machine()


@_remote
def label(
    boards: npt.NDArray[Any], settings: Settings, size: tuple[int, int], heuristics: Sequence[str]
) -> tuple[_Arrays, int, str]:
    """The labels of boards, the nodes generated, and the machine."""
    labels, nodes = _dataset.label(_solver(settings, size), boards, size, heuristics)
    return labels, nodes, _machine()


@_remote
def hunt(settings: Settings, task: Climb) -> tuple[list[str], int, str]:
    """The hardest boards of a climb, the nodes generated, and the machine."""
    found, nodes = climb(_solver(settings, task.size), task)
    return [solution.json() for solution in found], nodes, _machine()
