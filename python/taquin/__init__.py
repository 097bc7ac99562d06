"""Optimal solver for sliding-tile puzzles.

>>> import taquin
>>> solver = taquin.Solver()
>>> solution = solver.solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
>>> solution.length, solution.optimal
(80, True)
"""

from . import _async, _compare
from ._compare import Comparison, Evaluation, Found
from ._dataset import dataset
from ._results import MOVES, Analysis, Labels, Loss, Solutions, to_frame
from ._taquin import (
    Board,
    DamagedDatabase,
    DatabaseError,
    MissingDatabase,
    Solution,
    Solvability,
    Solver,
    __version__,
    boards_at,
    random_boards,
    successors,
    walks,
)

# The methods of Solver that are written in Python.
for _method in (_async.solve_async, _compare.compare, _compare.evaluate, _compare.search):
    setattr(Solver, _method.__name__, _method)

__all__ = [
    "MOVES",
    "Analysis",
    "Board",
    "Comparison",
    "DamagedDatabase",
    "DatabaseError",
    "Evaluation",
    "Found",
    "Labels",
    "Loss",
    "MissingDatabase",
    "Solution",
    "Solutions",
    "Solvability",
    "Solver",
    "__version__",
    "boards_at",
    "dataset",
    "random_boards",
    "successors",
    "to_frame",
    "walks",
]
