"""The record of a search for one board: its thresholds, one after the other.

Threshold number 0 has `0.packets`, which is written as a whole, and `0.results`, to which a line is
added for each packet that is finished. `0.state`, written as a whole, follows when the threshold
is exhausted, and then threshold number 1. At last, the solution is in `solved.json`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from .._run import Lines, Run, RunError, write
from .._taquin import Board, Solution, packet_summary
from ._packets import Packets


SOLVED = "solved.json"
"""The file of the solution."""


def title(solution: Solution) -> str:
    """A solution in words."""
    return repr(solution).removeprefix("<Solution: ").removesuffix(">")


def task_of(board: Board, goal: str, heuristic: str) -> dict[str, object]:
    """The task of a search, as its folder records it."""
    tiles = f"{board.width}x{board.height} {board.tiles}"
    return {"task": "solve", "board": tiles, "goal": goal, "heuristic": heuristic}


def solved(folder: Path) -> Solution | None:
    """The solution of a folder, if its search is done."""
    path = folder / SOLVED
    try:
        return Solution(path.read_text()) if path.exists() else None
    except ValueError as error:
        raise RunError(f"{path} is damaged: {error}") from None


def finished(run: str | os.PathLike[str], task: dict[str, object]) -> Solution | None:
    """The solution of a task whose search is done. It needs no Ray. RunError for another task's folder."""
    if not Path(run, SOLVED).exists():
        return None
    record = Run(run, task)
    try:
        return solved(record.folder)
    finally:
        record.close()


def packets_of(path: Path) -> list[str]:
    """The packets of a file; none if it is missing. RunError if one is damaged."""
    packets = path.read_text().splitlines() if path.exists() else []
    for number, packet in enumerate(packets, 1):
        try:
            packet_summary(packet)
        except ValueError as error:
            raise RunError(f"{path}, line {number}: {error}") from None
    return packets


class Thresholds:
    """The progress of a search."""

    def __init__(self, run: Run) -> None:
        self._folder = run.folder
        self._results: Lines | None = None
        self._number = 0
        while self._path("state").exists():
            self._number += 1

    def _path(self, kind: str, number: int | None = None) -> Path:
        return self._folder / f"{self._number if number is None else number}.{kind}"

    def is_empty(self) -> bool:
        """Whether nothing is done."""
        return self._number == 0 and not self._path("packets").exists()

    def state(self) -> str | None:
        """The state after the last threshold that is exhausted, if there is one."""
        path = self.state_path()
        return None if path is None else path.read_text()

    def state_path(self) -> Path | None:
        """The file of this state."""
        return self._path("state", self._number - 1) if self._number else None

    def packets(self) -> list[str]:
        """The packets of the threshold, if it was divided before."""
        return packets_of(self._path("packets"))

    def divide(self, packets: Sequence[str]) -> None:
        """Keeps the packets of the threshold."""
        write(self._path("packets"), "".join(packet + "\n" for packet in packets))

    def begin(self, packets: Sequence[str]) -> Packets:
        """The packets with the results that are there. Opens the file for more."""
        self._results = Lines(self._path("results"))
        return Packets(packets, self._results.take())

    def keep(self, result: str) -> None:
        """Keeps the result of a packet."""
        assert self._results is not None
        self._results.add(result)

    def exhaust(self, state: str) -> None:
        """Turns to the next threshold. The packets are no longer needed."""
        write(self._path("state"), state)
        self.close()
        for kind in ("packets", "results"):
            self._path(kind).unlink(missing_ok=True)
        self._number += 1

    def end(self, solution: Solution) -> Solution:
        """Keeps the solution."""
        write(self._folder / SOLVED, solution.json() + "\n")
        return solution

    def close(self) -> None:
        if self._results is not None:
            self._results.close()
            self._results = None
