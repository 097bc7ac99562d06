"""Results that are tuples of arrays, and results as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ._taquin import Board, Solution

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

    def __eq__(self, other: object) -> bool:
        import numpy as np

        if not isinstance(other, Labels):
            return False
        # The arrays have different types, so the elements of zip would be objects.
        pairs: Iterable[tuple[Any, Any]] = zip(self, other)
        return all(np.array_equal(a, b) for a, b in pairs)

    def __ne__(self, other: object) -> bool:
        # The comparison of tuples asks arrays for a truth value.
        return not self == other

    def __repr__(self) -> str:
        solved = self.lengths[self.lengths >= 0]
        lengths = ""
        if len(solved):
            lengths = f", {solved.min()} to {solved.max()} moves, {solved.mean():.1f} on average"
        boards = f"{len(self.lengths):,} boards, {int(self.optimal.sum()):,} optimal"
        return f"<Labels: {boards}{lengths}, {int(self.nodes.sum()):,} nodes>"

    def to_frame(self) -> Any:
        """The answers as a table: see `taquin.to_frame`."""
        return to_frame(self)


@dataclass(frozen=True)
class Solutions:
    """The optimal solutions of a board. len(solutions) is the number of solutions listed."""

    count: int | None
    """The number of optimal solutions; None if a limit ended the count, or the board has more than 25 cells."""
    moves: list[str]
    """The first of them, as letters."""
    first: Solution
    """The search for the first one."""

    @property
    def length(self) -> int | None:
        """The number of moves of each."""
        return self.first.length if self.first.optimal else None

    def to_frame(self) -> Any:
        """The solutions listed as a table: see `taquin.to_frame`."""
        return to_frame(self)

    def __hash__(self) -> int:
        return hash((self.count, *self.moves, self.first))

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[str]:
        return iter(self.moves)

    def __repr__(self) -> str:
        if self.count is None:
            return "<Solutions: not counted>"
        return f"<Solutions: {self.count}, {len(self.moves)} listed>"


class Loss(NamedTuple):
    """Moves that led away from the goal: one, or several of one slide."""

    at: int
    """The number of moves of the line before the first of them."""
    moves: int
    """Their number."""
    lost: int
    """The moves lost: twice their number."""
    better: str | None
    """An optimal solution from before the first of them, as letters; None if a limit ended its search."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of a line of moves: the distance of each position, and where moves were lost.

    len(analysis) is the number of moves.
    """

    board: Board
    """The board before the first move."""
    moves: str
    """The moves as letters."""
    lower_bounds: list[int]
    """For each position, the first one and the one after each move: no solution is shorter."""
    lengths: list[int | None]
    """For each position the length of the shortest solution known; None where none is known."""
    losses: list[Loss]
    """The lost moves, in their order."""
    lost: int
    """The number of moves that are known to be lost."""
    stretch: tuple[int, int]
    """The longest stretch of optimal moves, as (start, stop)."""

    @property
    def optimal(self) -> bool:
        """Whether each length is optimal."""
        return self.lengths == self.lower_bounds

    def to_frame(self) -> Any:
        """The positions as a table: see `taquin.to_frame`."""
        return to_frame(self)

    def __hash__(self) -> int:
        return hash((self.board, self.moves))

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        return f"<Analysis: {len(self.moves)} moves, {'' if self.optimal else 'at least '}{self.lost} lost>"


def to_frame(result: Any, table: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Makes a table of a result, with a row for each board: a pandas DataFrame, or a dictionary of columns
    if pandas is not installed.

    With another function of the columns, the table is its value: `to_frame(result, polars.DataFrame)`.

    The result comes from solve_many, solve, solve_each, solutions, dataset, analyse, compare, evaluate
    or search. Boards and moves are text. Columns have the names of the properties of Solution; for
    compare, evaluate and search, the names of the fields of Row, Evaluation and Found. The table of
    solutions has a row for each solution listed, and the table of an analysis a row for each position,
    with the move that led there. The table of a data set has a column for each heuristic, and the
    tables of compare and evaluate have a row for each heuristic.
    """
    columns = _columns(result)
    if table is not None:
        return table(columns)
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
    if isinstance(result, Analysis):
        moves = [None, *result.moves]
        lost = [0] * len(moves)
        for loss in result.losses:
            lost[loss.at + loss.moves] = loss.lost
        bounds, lengths = result.lower_bounds, result.lengths
        return {"move": moves, "length": lengths, "lower_bound": bounds, "lost": lost}
    if isinstance(result, Mapping):
        height, width = result["goal"].shape
        boards = [_line(Board(tiles, size=(width, height))) for tiles in result["boards"]]
        lengths = result["lengths"]
        columns = {"board": boards, "length": lengths, "moves": _letters(result["moves"], lengths)}
        named = ("boards", "lengths", "moves", "goal", "seed")
        return columns | {name: values for name, values in result.items() if name not in named}
    is_one = isinstance(result, Solution) or hasattr(result, "_fields")
    results = [result] if is_one else list(result)
    if results and hasattr(results[0], "_fields"):
        names = results[0]._fields
        return {name: [getattr(one, name) for one in results] for name in names}
    fields = "length slides moves optimal lower_bound nodes expanded seconds heuristic h stopped"
    columns = {"board": [_line(solution.board) for solution in results]}
    for field in fields.split():
        columns[field] = [getattr(solution, field) for solution in results]
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
