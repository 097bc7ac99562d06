"""Heuristics compared."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from ._taquin import Solver, bench, histogram, random_boards, search_with, values

Heuristic = Union[str, Callable[[Any], Any]]
"""A name, or a function of boards as uint8[N, cells]."""


class Row(NamedTuple):
    """A heuristic's figures."""

    heuristic: str
    average: float
    """The average value."""
    solved: int
    """The searches that ended within the node limit."""
    nodes: float
    """The average number of nodes of all searches: a lower bound if some were not solved."""
    nodes_interval: tuple[float, float] | None
    """The 95 % interval of the average; None for fewer than two searches, and for functions."""
    nodes_ratio: float | None
    """The nodes relative to the first heuristic, over the boards that both solved."""
    nodes_ratio_interval: tuple[float, float] | None
    """Its 95 % interval, in which boards are paired."""


class Comparison:
    """Heuristics compared on the same boards: a table, and a picture of their values."""

    def __init__(self, rows: list[Row], searches: int, subtitle: str, svg: str) -> None:
        self.rows = rows
        self.searches = searches
        """The number of boards that were searched with each heuristic."""
        self.subtitle = subtitle
        self._svg = svg

    def to_frame(self) -> Any:
        """The rows as a table: see `taquin.to_frame`."""
        from ._results import to_frame

        return to_frame(self)

    def svg(self) -> str:
        """Draws how many boards have each value."""
        return self._svg

    def _lines(self) -> list[list[str]]:
        head = ["heuristic", "average value", "solved", "nodes", "±", "nodes ×", "±"]
        return [head] + [
            [
                row.heuristic,
                f"{row.average:.2f}",
                f"{row.solved} of {self.searches}",
                _nodes(row, self.searches),
                _spread(row.nodes, row.nodes_interval),
                "" if row.nodes_ratio is None else f"{row.nodes_ratio:.3g}",
                _spread(row.nodes_ratio, row.nodes_ratio_interval),
            ]
            for row in self.rows
        ]

    def __repr__(self) -> str:
        lines = self._lines()
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = [
            "  ".join(
                cell.ljust(width) if place == 0 else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(line, widths))
            )
            for line in lines
        ]
        return "\n".join([self.subtitle, *text])

    def _repr_html_(self) -> str:
        head, *rows = (list(map(html.escape, line)) for line in self._lines())
        table = "".join(f"<th>{cell}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
        return (
            f"<div>{html.escape(self.subtitle)}</div>"
            f"<table><thead><tr>{table}</tr></thead><tbody>{body}</tbody></table>{self._svg}"
        )


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
    """Those that change the value by more than 1: with one, the heuristic is not consistent."""


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
    solver: Solver,
    heuristics: Sequence[Heuristic],
    boards: Any,
    n: int,
    seed: int,
    size: Any,
    solve: int,
    node_limit: int,
) -> Comparison:
    """See `Solver.compare`."""
    given = _contenders(heuristics)
    boards, kind = _boards(solver, boards, n, seed, size)
    found_values = [values(solver, one, boards, size=size) for one in given]
    searched: list[dict[str, Any]] = [{}] * len(given)
    if solve and len(boards):
        text = bench(solver, given, boards[:solve], size=size, node_limit=node_limit)
        searched = json.loads(text)["summary"]
    rows = [
        Row(
            name,
            _mean(value),
            found.get("solved", 0),
            float(found.get("average_nodes", 0)),
            _pair(found.get("nodes_interval")),
            found.get("nodes_ratio"),
            _pair(found.get("nodes_ratio_interval")),
        )
        for (name, _), value, found in zip(given, found_values, searched)
    ]
    subtitle = f"{len(boards):,} {kind}"
    bars = [np.rint(value).astype(int).tolist() for value in found_values]
    svg = histogram(subtitle, [name for name, _ in given], bars)
    return Comparison(rows, min(solve, len(boards)), subtitle, svg)


def evaluate(
    solver: Solver, heuristics: Any, boards: Any, n: int, seed: int, size: Any
) -> list[Evaluation]:
    """See `Solver.evaluate`."""
    given = _contenders(heuristics)
    boards, _ = _boards(solver, boards, n, seed, size)
    record = json.loads(bench(solver, given, boards, size=size, distances=True))
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
    solver: Solver,
    heuristic: Callable[[Any], Any],
    board: Any,
    method: str,
    batch: int,
    weight: float,
    time_limit: float | None,
    node_limit: int | None,
) -> Found:
    """See `Solver.search`."""
    if not callable(heuristic):
        raise TypeError("heuristic is a function of boards; solve() takes names")
    return Found(
        *search_with(
            solver,
            _name(heuristic),
            heuristic,
            board,
            method=method,
            batch=batch,
            weight=weight,
            time_limit=time_limit,
            node_limit=node_limit,
        )
    )


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


def _mean(values: np.ndarray[Any, Any]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _pair(interval: list[float] | None) -> tuple[float, float] | None:
    return None if interval is None else (float(interval[0]), float(interval[1]))


def _nodes(row: Row, searches: int) -> str:
    """The average; empty where nothing was searched, as with functions."""
    if not row.nodes and not row.solved:
        return ""
    return ("≥ " if row.solved < searches else "") + f"{row.nodes:,.0f}"


def _spread(value: float | None, interval: tuple[float, float] | None) -> str:
    """The share from a value to the further end of its interval."""
    if not value or interval is None:
        return ""
    return f"{max(interval[1] - value, value - interval[0]) / value:.0%}"
