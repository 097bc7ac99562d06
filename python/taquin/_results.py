"""Results that are tuples of arrays, and results as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ._taquin import Board, Solution, Solutions

# numpy takes longer to import than the programs take to start.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Moves = npt.NDArray[np.int8]

MOVES = "URLD"
"""The moves in the order of their numbers in arrays. The opposite of move i is move 3 - i."""


class Labels(NamedTuple):
    """The answers for many boards, a row for each."""

    lengths: npt.NDArray[np.int16]
    """The number of moves; -1 without a solution."""
    moves: npt.NDArray[np.int8]
    """The moves as places in `taquin.MOVES`; -1 follows the last one."""
    nodes: npt.NDArray[np.uint64]
    """The number of nodes generated."""
    optimal: npt.NDArray[np.bool_]
    """Whether it is proved that no solution is shorter."""
    bounds: npt.NDArray[np.int16]
    """The lower bound that was proved, in the solver's metric."""
    slides: npt.NDArray[np.int16]
    """The number of slides; -1 without a solution."""
    expanded: npt.NDArray[np.uint64]
    """The number of nodes expanded."""

    def to_frame(self) -> Any:
        """The answers as a table: see `taquin.to_frame`."""
        return to_frame(self)


def to_frame(
    result: Labels | Solution | Solutions | Iterable[Solution] | Mapping[str, npt.NDArray[Any]],
) -> Any:
    """A result as a table, with a row for each board: a pandas DataFrame, or a dictionary of columns if
    pandas is not installed.

    The result is that of solve_many, solve, solve_each, solutions or dataset. Boards and moves are
    text. Columns have the names of the properties of Solution. The table of solutions has a row for
    each one listed, that of a data set a column for each heuristic.
    """
    columns = _columns(result)
    try:
        import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def _columns(result: Any) -> dict[str, Any]:
    if isinstance(result, Labels):
        return {
            "length": result.lengths,
            "slides": result.slides,
            "moves": _letters(result.moves, result.lengths),
            "optimal": result.optimal,
            "lower_bound": result.bounds,
            "nodes": result.nodes,
            "expanded": result.expanded,
        }
    if isinstance(result, Solutions):
        return {"moves": result.moves, "length": [len(moves) for moves in result.moves]}
    if isinstance(result, Mapping):
        height, width = result["goal"].shape
        boards = [_line(Board(tiles, size=(width, height))) for tiles in result["boards"]]
        lengths = result["lengths"]
        columns = {"board": boards, "length": lengths, "moves": _letters(result["moves"], lengths)}
        named = ("boards", "lengths", "moves", "goal", "seed")
        return columns | {name: values for name, values in result.items() if name not in named}
    solutions = [result] if isinstance(result, Solution) else list(result)
    fields = "length slides moves optimal lower_bound nodes expanded seconds heuristic stopped"
    columns = {"board": [_line(solution.board) for solution in solutions]}
    for field in fields.split():
        columns[field] = [getattr(solution, field) for solution in solutions]
    return columns


def _line(board: Board) -> str:
    """A board in one line, as `Board` reads it."""
    rows = [" ".join(map(str, row)) for row in board.rows]
    return " / ".join(rows)


def _letters(moves: _Moves, lengths: npt.NDArray[np.int16]) -> list[str | None]:
    """The moves of each row as letters; None without a solution."""
    return [
        "".join(MOVES[move] for move in row[:length]) if length >= 0 else None
        for row, length in zip(moves.tolist(), lengths.tolist())
    ]
