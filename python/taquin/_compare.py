"""Heuristics compared."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ._taquin import Solver, histogram, random_boards


class Row(NamedTuple):
    """A heuristic's figures."""

    heuristic: str
    average: float
    """The average value."""
    solved: int
    """The searches that ended within the node limit."""
    nodes: float
    """The average number of nodes of all searches: a lower bound if some were not solved."""


class Comparison:
    """Heuristics compared on the same boards: a table, and a picture of their values."""

    def __init__(self, rows: list[Row], searches: int, subtitle: str, svg: str) -> None:
        self.rows = rows
        self.searches = searches
        """The number of boards that were searched with each heuristic."""
        self.subtitle = subtitle
        self._svg = svg

    def svg(self) -> str:
        """Draws how many boards have each value."""
        return self._svg

    def _lines(self) -> list[list[str]]:
        head = ["heuristic", "average value", "solved", "nodes"]
        return [head] + [
            [
                row.heuristic,
                f"{row.average:.2f}",
                f"{row.solved} of {self.searches}",
                ("≥ " if row.solved < self.searches else "") + f"{row.nodes:,.0f}",
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


def compare(
    solver: Solver,
    heuristics: Sequence[str],
    boards: Any,
    n: int,
    seed: int,
    size: Any,
    solve: int,
    node_limit: int,
) -> Comparison:
    """See `Solver.compare`."""
    if isinstance(heuristics, str):
        raise TypeError("heuristics is a list of names")
    kind = "boards"
    if boards is None:
        boards, kind = random_boards(n, seed, size=size, goal=solver.goal), "random boards"
    rows, values = [], []
    for name in heuristics:
        values.append(solver.heuristics(boards, name, size=size))
        nodes, solved = np.zeros(0), 0
        if solve and len(boards):
            labels = _plain(solver, name).solve_many(
                boards[:solve], size=size, node_limit=node_limit
            )
            nodes, solved = labels.nodes.astype(float), int(labels.optimal.sum())
        rows.append(Row(name, _mean(values[-1]), solved, _mean(nodes)))
    subtitle = f"{len(boards):,} {kind}"
    svg = histogram(subtitle, list(heuristics), [value.tolist() for value in values])
    return Comparison(rows, min(solve, len(boards)), subtitle, svg)


def _plain(solver: Solver, name: str) -> Solver:
    """The plain search of a heuristic: the ratios of its nodes depend on the heuristic alone."""
    whole = name in ("standard", "portfolio", "combined", "small")
    return solver.with_heuristic(name, method=None if whole else "plain")


def _mean(values: np.ndarray[Any, Any]) -> float:
    return float(values.mean()) if len(values) else 0.0
