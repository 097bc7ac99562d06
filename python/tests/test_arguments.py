"""Wrong arguments: each is a ValueError or a TypeError that names the argument."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Board, Solver

SMALL = Solver(heuristic="manhattan", pdb_dir=":memory:")
BOARD = "8 6 7 / 2 5 4 / 3 0 1"
HUGE = 10**40


def named(error: BaseException) -> str:
    """The message, with what PyO3 adds about the argument."""
    return "\n".join([str(error), *getattr(error, "__notes__", [])])


CALLS: dict[str, tuple[Callable[..., object], dict[str, list[object]]]] = {
    "Board": (Board, {"board": ["1 1", 5, 1.5, object()], "size": ["x", 1, -4, 1.5, [], HUGE]}),
    "goal": (Board.goal, {"goal": ["corner", 5], "size": [None.__class__]}),
    "random": (Board.random, {"seed": [-1, 1.5, HUGE, "1"], "goal": ["corner"], "size": ["y"]}),
    "walk": (Board.walk, {"moves": [-1, 10**10, 0.5, "3", None], "seed": [-1]}),
    "push": (Board().push, {"moves": ["X", "U", 1.5, None, np.array([4]), np.array([0])], "directions": ["cell", 1]}),
    "solvability": (Board().solvability, {"goal": ["corner", 1]}),
    "random_boards": (taquin.random_boards, {"n": [-1, 1.5, HUGE, "1"], "seed": [-1], "size": [0]}),
    "walks": (taquin.walks, {"n": [-1], "length": [-1, 10**10], "seed": ["a"]}),
    "successors": (taquin.successors, {"boards": [None, [[1, 2]]], "size": [0]}),
    "Solver": (
        Solver,
        {
            "goal": ["corner", "1 1", 5, [1, 1]],
            "heuristic": ["guess", 5],
            "pdb_dir": [5, "", b""],
            "threads": [-1, 0, 0.5, "2", HUGE, 5000],
            "method": ["magic", 5],
            "metric": ["double", 5],
        },
    ),
    "prepare": (SMALL.prepare, {"size": [-1, "a"]}),
    "solve": (
        SMALL.solve,
        {
            "board": ["1 1", 5, None, "2 1 3 / 4 5 6 / 7 8 0"],
            "time_limit": [-1, float("nan"), "1", []],
            "node_limit": [-1, 1.5, float("inf"), float("nan"), HUGE, "1", []],
            "gap": [-1, 2**32, 0.5, "1"],
        },
    ),
    "solutions": (SMALL.solutions, {"most": [-1, "1"], "node_limit": [-1], "time_limit": [-1]}),
    "heuristic": (SMALL.heuristic, {"board": [5], "name": ["guess", 5]}),
    "heuristics": (SMALL.heuristics, {"boards": [5, None, [[1, 1]]], "name": ["guess"]}),
    "solve_many": (SMALL.solve_many, {"boards": [5, Board(), np.zeros((2, 9))], "node_limit": [-1], "gap": [-1]}),
    "solve_each": (SMALL.solve_each, {"boards": [5, Board()], "time_limit": [-1], "gap": ["1"]}),
    "packets": (
        SMALL.packets,
        {"state": ["{}", 5], "after": [-1, 0.5], "count": [-1, "1"], "nodes": [-1]},
    ),
    "run_packet": (SMALL.run_packet, {"packet": ["{}", 5]}),
    "merge": (SMALL.merge, {"results": [["{}"], [], 5]}),
    "with_heuristic": (SMALL.with_heuristic, {"heuristic": ["guess"], "method": ["magic"]}),
    "dataset": (
        lambda **options: taquin.dataset(solver=SMALL, progress=False, **options),
        {
            "n": [-1, 1.5, "1"], "seed": [-1], "moves": [-1], "heuristics": [["guess"], "manhattan"],
            "size": [0], "path": [3],
        },
    ),
    "compare": (
        SMALL.compare,
        {
            "heuristics": [[], "manhattan", ["guess"]], "n": [-1, 1.5, "1", HUGE], "seed": [-1, HUGE],
            "solve": [-1, 0.5], "node_limit": [-1, HUGE], "size": [0], "boards": [5],
        },
    ),
    "evaluate": (
        SMALL.evaluate,
        {"heuristics": [[], "manhattan"], "n": [-1, 1.5, HUGE], "seed": [-1], "size": [0]},
    ),
    "search": (
        SMALL.search,
        {
            "board": [5], "heuristic": ["manhattan"], "method": ["magic", 5], "batch": [0, -1, 0.5, HUGE],
            "weight": [-1, 2, "1"], "node_limit": [-1], "time_limit": [-1],
        },
    ),
    "json": (SMALL.solve(BOARD).json, {"directions": ["cell", 5]}),
    "format": (SMALL.solve(BOARD).format, {"notation": ["morse", 5], "directions": ["cell"]}),
}

GIVEN: dict[str, object] = {
    "moves": "L", "board": BOARD, "boards": [BOARD], "n": 1, "length": 1, "packet": "", "results": [],
    "heuristic": "manhattan", "nodes": 1, "heuristics": ["manhattan"],
}
REQUIRED = {
    "walk": [], "push": ["moves"], "walks": ["n", "length"], "random_boards": ["n"],
    "successors": ["boards"], "solve": ["board"], "solutions": ["board"], "heuristic": ["board"],
    "heuristics": ["boards"], "solve_many": ["boards"], "solve_each": ["boards"],
    "packets": ["board"], "with_heuristic": ["heuristic"], "dataset": ["n"],
    "compare": ["heuristics"], "evaluate": ["heuristics"], "search": ["board", "heuristic"],
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
@pytest.mark.parametrize(
    ("call", "argument", "value"),
    [
        pytest.param(call, argument, value, id=f"{call}-{argument}-{str(value)[:12]}")
        for call, (_, arguments) in CALLS.items()
        for argument, wrong in arguments.items()
        for value in wrong
    ],
)
def test_a_wrong_argument_is_named(call: str, argument: str, value: object) -> None:
    arguments: dict[str, Any] = {name: GIVEN[name] for name in REQUIRED.get(call, [])}
    if call == "walk":
        arguments["moves"] = 1
    if call == "search":
        arguments["heuristic"] = lambda boards: boards[:, 0] * 0.0
    arguments[argument] = value
    with pytest.raises((ValueError, TypeError)) as caught:
        CALLS[call][0](**arguments)
    assert argument in named(caught.value), named(caught.value)


def test_combinations_are_named() -> None:
    slides = Solver(metric="multi", pdb_dir=":memory:")
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: slides.solutions(BOARD), "metric"),
        (lambda: Solver(metric="multi", method="astar"), "heuristic"),
        (lambda: Solver(heuristic="walking-distance").solve(Board.random(size=5)), "heuristic"),
        (lambda: Solver(goal=BOARD).solve(Board()), "goal"),
        (lambda: taquin.dataset(1, solver=slides), "solver"),
    ]
    for call, argument in calls:
        with pytest.raises(ValueError, match=f"{argument}: "):
            call()


def test_whole_numbers_may_be_floats(solver: Solver) -> None:
    assert Board.random(seed=1.0) == Board.random(seed=1)  # type: ignore[arg-type]
    assert len(taquin.random_boards(1e3, 1)) == 1000  # type: ignore[arg-type]
    assert Solver(threads=2.0).threads == 2  # type: ignore[arg-type]
    assert len(solver.solutions(BOARD, most=2.0)) == 2  # type: ignore[arg-type]
    assert SMALL.compare(["manhattan"], size=3, n=1e1, seed=1.0, solve=0.0).searches == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("below", ["", "below"])
def test_an_unusable_folder_is_an_error(below: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / below
    with pytest.raises(NotADirectoryError, match="pdb_dir: .*file") as caught:
        Solver(pdb_dir=path)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOTDIR, str(path))
    assert (tmp_path / "file").read_bytes() == b""


def test_a_folder_that_takes_no_files_is_an_error(tmp_path: Path) -> None:
    solver = Solver(pdb_dir=tmp_path / "folder", heuristic="6-6-3")
    # Boards that need no databases are solved.
    assert solver.solve(Board()).length == 0
    (tmp_path / "folder").touch()
    for _ in range(2):
        with pytest.raises(NotADirectoryError, match="pdb_dir: databases cannot be written: .*folder"):
            solver.solve(Board.random(seed=1))
    # The system refuses new files there, even to its administrator.
    nowhere = Solver(pdb_dir="/proc/taquin", heuristic="6-6-3")
    with pytest.raises(OSError, match="pdb_dir: .*/proc/taquin"):
        nowhere.solve(Board.random(seed=1))
    exists = Solver(pdb_dir="/proc/self", heuristic="6-6-3")
    with pytest.raises(OSError, match="pdb_dir: .*/proc/self"):
        exists.solve(Board.random(seed=1))
