"""Solvers work in processes that were forked, as multiprocessing's do on Linux up to Python 3.13."""

from __future__ import annotations

import multiprocessing
import sys

import pytest

import taquin
from taquin import Solver

BOARD = "8 6 7 / 2 5 4 / 3 0 1"
SOLVER = Solver(pdb_dir=":memory:")
THREADS = Solver(pdb_dir=":memory:", threads=2)


def answers(_: int) -> list[int | None]:
    """Uses solvers of the parent and a new one; the last three calls work on all threads."""
    boards = taquin.random_boards(10_000, 1, size=3)
    found: list[int | None] = []
    for solver in [SOLVER, THREADS, Solver(pdb_dir=":memory:")]:
        found.append(solver.solve(BOARD).length)
        found.append(int(solver.heuristics(boards, size=3).sum()))
        found.append(int(solver.solve_many(boards[:100], size=3).lengths.sum()))
        found.append(int(solver.distances(boards[:2_000], size=3).sum()))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_solvers_work_in_forked_processes() -> None:
    expected = answers(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(answers, range(4)).get(timeout=60) == [expected] * 4
