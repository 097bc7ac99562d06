"""The work of a Ray task: a packet."""

from __future__ import annotations

import fcntl
from pathlib import Path

import ray

from .._taquin import MissingDatabase, Solver

# Everything that the solver of a worker depends on: goal, heuristic, size, and the folder of the
# databases.
Settings = tuple[str, str, tuple[int, int], str | None]


# The solvers of this process, which runs one task after the other.
_solvers: dict[Settings, Solver] = {}


def _solver(settings: Settings) -> Solver:
    """The solver of a search. One process of a machine builds its databases, others wait."""
    if settings not in _solvers:
        goal, heuristic, size, folder = settings
        try:
            Solver(goal, heuristic, pdb_dir=folder, build=False).prepare(size)
        except MissingDatabase:
            builder = Solver(goal, heuristic, pdb_dir=folder)
            databases = Path(builder.pdb_dir or ".")
            databases.mkdir(parents=True, exist_ok=True)
            with Path(databases, ".lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                builder.prepare(size)
        _solvers[settings] = Solver(goal, heuristic, pdb_dir=folder, threads=1)
    return _solvers[settings]


# A lost worker or machine costs time, and no result. A packet that always loses its worker, for want
# of memory, ends the search at last.
@ray.remote(num_cpus=1, max_retries=20)
def search(packet: str, settings: Settings) -> tuple[str, str]:
    """The result of a packet, and the machine that searched it."""
    line = _solver(settings).run_packet(packet)
    return line, ray.get_runtime_context().get_node_id()
