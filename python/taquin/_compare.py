"""Heuristics compared: methods of Solver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Union

from ._results import to_frame
from ._taquin import Solver, bench, histogram, random_boards, search_with, values, whole_number

Heuristic = Union[str, Callable[[Any], Any]]
"""A name, or a function of boards as uint8[N, cells]."""


class Row(NamedTuple):
    """A heuristic's figures. Figures of searches are None for functions, and for names without a search."""

    heuristic: str
    average: float
    """The average value."""
    solved: int | None
    """The searches that ended within the node limit."""
    nodes: float | None
    """The average number of nodes of all searches: a lower bound if some were not solved."""
    nodes_interval: tuple[float, float] | None
    """The 95 % interval of the average; None for fewer than two searches, and where the limit cut the average off."""
    nodes_ratio: float | None
    """The nodes relative to the first heuristic, over the boards that both solved."""
    nodes_ratio_interval: tuple[float, float] | None
    """Its 95 % interval, in which boards are paired."""
    pairs: int | None
    """The boards that both solved."""


class Comparison(list[Row]):
    """Heuristics compared on the same boards: a row for each, and a picture of their values."""

    def __init__(self, rows: Iterable[Row], searches: int, svg: str) -> None:
        super().__init__(rows)
        self.searches = searches
        """The number of boards that were searched with each heuristic."""
        self._svg = svg

    def to_frame(self) -> Any:
        """The rows as a table: see `taquin.to_frame`."""
        return to_frame(self)

    def svg(self) -> str:
        """Draws how many boards have each value."""
        return self._svg

    _repr_svg_ = svg


class Evaluation(NamedTuple):
    """The values of a heuristic compared with true distances."""

    heuristic: str
    boards: int
    violations: int
    """The boards whose value is above their distance: with one, the heuristic is not admissible."""
    worst: tuple[str, float, int] | None
    """The worst of them: the board, its value and its distance."""
    error: float | None
    """The size of the difference, on average; None if no distance is known."""
    h_over_distance: float | None
    """The value divided by the distance, on average over the boards that are not solved."""
    correlation: float | None
    by_distance: list[tuple[int, int, float]]
    """By distance: the number of boards, and the mean of distance minus value."""
    moves: int
    """The moves along random walks that were looked at."""
    inconsistent: int
    """The moves that change the value by more than 1: with one, the heuristic is not consistent."""

    def __repr__(self) -> str:
        boards, moves = f"of {self.boards:,} boards", f"of {self.moves:,} moves"
        error = "" if self.error is None else f", {self.error:.2f} from the distance on average"
        too_high = f"above the distance for {self.violations:,} {boards}"
        return f"<{self.heuristic}: {too_high}, inconsistent in {self.inconsistent:,} {moves}{error}>"


class Found(NamedTuple):
    """The result of a search with a function. Nothing proves that it is optimal."""

    moves: str | None
    """The moves as letters; None without a solution."""
    generated: int
    expanded: int
    seconds: float
    stopped: str | None
    """Why it ended without a solution."""

    @property
    def length(self) -> int | None:
        """The number of moves."""
        return None if self.moves is None else len(self.moves)


def compare(
    self: Solver,
    heuristics: Sequence[Heuristic],
    boards: Any = None,
    *,
    n: int = 1000,
    seed: int = 1,
    size: Any = None,
    solve: int = 20,
    node_limit: int = 1_000_000,
) -> Comparison:
    """Compares heuristics: their values on boards, and the nodes of searches for some of them.

    Names are as in `taquin bench --heuristics`; a function of uint8[N, cells] has only values. See
    taquin.Comparison.
    """
    given = _contenders(heuristics)
    solve = whole_number("solve", solve)
    boards, kind = _boards(self, boards, n, seed, size)
    found_values = [values(self, one, boards, size=size) for one in given]
    searched: list[dict[str, Any] | None] = [None] * len(given)
    if solve and len(boards):
        text = bench(self, given, boards[:solve], size=size, node_limit=node_limit)
        searched = json.loads(text)["summary"]
    rows = [
        Row(name, float(value.mean()) if len(value) else 0.0, *_searches(found))
        for (name, _), value, found in zip(given, found_values, searched)
    ]
    bars = [value.round().astype(int).tolist() for value in found_values]
    svg = histogram(f"{len(boards):,} {kind}", [name for name, _ in given], bars)
    return Comparison(rows, min(solve, len(boards)), svg)


def _searches(found: dict[str, Any] | None) -> tuple[Any, ...]:
    """The figures of a heuristic's searches."""
    if found is None or not found["solved"] + found["unsolved"]:
        return (None,) * 6
    interval, of_ratio = found.get("nodes_interval"), found.get("nodes_ratio_interval")
    return (
        found["solved"],
        float(found["average_nodes"]),
        interval and tuple(interval),
        found.get("nodes_ratio"),
        of_ratio and tuple(of_ratio),
        found["pairs"],
    )


def evaluate(
    self: Solver,
    heuristics: Sequence[Heuristic],
    boards: Any = None,
    *,
    n: int = 1000,
    seed: int = 1,
    size: Any = None,
) -> list[Evaluation]:
    """Compares the values of heuristics, by name or as functions of uint8[N, cells], with true distances.

    See taquin.Evaluation.
    """
    given = _contenders(heuristics)
    boards, _ = _boards(self, boards, n, seed, size)
    record = json.loads(bench(self, given, boards, size=size, distances=True))
    return [
        Evaluation(
            name,
            of["boards"],
            of["violations"],
            tuple(of["worst"]) if of["worst"] else None,
            of["average_error"],
            of["h_over_distance"],
            of["correlation"],
            [(distance, boards, gap) for distance, boards, gap in of["by_distance"]],
            of["edges"],
            of["inconsistent"],
        )
        for (name, _), of in zip(given, record["truth"])
    ]


def search(
    self: Solver,
    board: Any,
    heuristic: Callable[[Any], Any],
    *,
    method: str = "bwas",
    batch: int = 1000,
    weight: float = 1.0,
    **limits: Any,
) -> Found:
    """Searches a board with a function of uint8[N, cells].

    The method is batch-weighted A* ("bwas"), or IDA* in batches ("ida"). weight is the weight of the path: with 1
    and admissible values the solution is optimal, with less there are fewer nodes. The limits are time_limit and
    node_limit. See taquin.Found.
    """
    if not callable(heuristic):
        raise TypeError("heuristic is a function of boards; solve() takes names")
    options = {"method": method, "batch": batch, "weight": weight, **limits}
    return Found(*search_with(self, _name(heuristic), heuristic, board, **options))


def _contenders(heuristics: Any) -> list[tuple[str, Callable[[Any], Any] | None]]:
    if isinstance(heuristics, str) or callable(heuristics):
        raise TypeError("heuristics is a list of names and functions")
    given = list(heuristics)
    if not given:
        raise ValueError("heuristics is empty: give one name or function, or more")
    for one in given:
        if not isinstance(one, str) and not callable(one):
            raise TypeError(f"heuristics has names and functions, but {one!r} is neither")
    return [(_name(one), one) if callable(one) else (one, None) for one in given]


def _name(function: Callable[[Any], Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _boards(solver: Solver, boards: Any, n: int, seed: int, size: Any) -> tuple[Any, str]:
    if boards is not None:
        return boards, "boards"
    return random_boards(n, seed, size=size, goal=solver.goal), "random boards"
