"""Optimal solver for sliding-tile puzzles.

>>> import taquin
>>> solver = taquin.Solver()
>>> solution = solver.solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
>>> solution.length, solution.optimal
(80, True)
"""

from typing import TYPE_CHECKING, Any

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
    random_boards,
    successors,
    walks,
)

if TYPE_CHECKING:
    from ._compare import Comparison, Evaluation, Found

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
    "dataset",
    "random_boards",
    "successors",
    "to_frame",
    "walks",
]


def __getattr__(name: str) -> Any:
    # It needs numpy, which takes longer to import than the programs take to start.
    if name in ("Comparison", "Evaluation", "Found"):
        from . import _compare

        return getattr(_compare, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
