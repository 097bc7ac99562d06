"""The packets of a threshold, and which of them are done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from .._taquin import is_result, result_summary


class Packets:
    """The work on a threshold that is done, and the rest of it. Packets are named by their numbers, in the
    order of the search."""

    def __init__(self, packets: Sequence[str], record: Iterable[str] = ()) -> None:
        self._packets = packets
        self._results: dict[int, str] = {}
        self._end = len(packets)
        """The first packet that is known to hold a solution."""
        self.nodes = 0
        """The nodes of all results."""
        begins = {_first(packet): number for number, packet in enumerate(packets)}
        for line in record:
            # Lines of other packets or of an earlier division are skipped, and so are damaged lines.
            number = begins.get(_first(line))
            if number is not None and number not in self._results and is_result(packets[number], line):
                self.add(number, line)

    def __len__(self) -> int:
        """The number of packets that are done or needed."""
        return self.done() + len(self.left())

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The remaining packets, in the order of the search."""
        for number, packet in enumerate(self._packets):
            if number not in self._results and self.is_wanted(number):
                yield number, packet

    def is_wanted(self, number: int) -> bool:
        """Whether no packet before holds a solution."""
        return number <= self._end

    def is_solved(self) -> bool:
        """Whether a packet holds a solution."""
        return self._end < len(self._packets)

    def done(self) -> int:
        """The number of packets that are done, without those that are not needed."""
        return sum(map(self.is_wanted, self._results))

    def left(self) -> list[int]:
        """The remaining packets, without those that are not needed."""
        return [number for number, _ in self]

    def results(self) -> list[str]:
        """The results that decide: up to the first one that holds a solution."""
        return [line for number, line in self._results.items() if self.is_wanted(number)]

    def add(self, number: int, result: str) -> None:
        """Takes the result of a packet."""
        self._results[number] = result
        is_solved, nodes = result_summary(result)
        self.nodes += nodes
        if is_solved and self.is_wanted(number):
            self._end = number


def _first(line: str) -> int | None:
    """The number of the first subtree of a packet or a result. None for another line."""
    try:
        first = json.loads(line)["first"]
        return first if isinstance(first, int) else None
    except (ValueError, KeyError, TypeError):
        return None
