"""The packets of a threshold, those of their rests among them, and which of them are done."""

from __future__ import annotations

import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from .._taquin import is_result, result_summary

Place: TypeAlias = tuple[int, ...]
"""(7,) is the packet number 7, (7, 0) the first one of its rest. Places are in the order of the
search."""


class Packets:
    """The work on a threshold that is done, and the rest of it.

    A packet that takes long is stopped, and its rest is returned as further packets. Its record is a
    line with the result and these packets, separated by tabs.
    """

    def __init__(self, packets: Sequence[str], record: Iterable[str] = ()) -> None:
        self._left: dict[Place, str] = {(number,): packet for number, packet in enumerate(packets)}
        self._results: dict[Place, str] = {}
        self._end: Place | None = None
        """The first packet that is known to hold a solution."""
        self.nodes = 0
        """The nodes of all results."""
        self._queue = list(self._left)
        begins = {_begin(packet): place for place, packet in self._left.items()}
        for line in record:
            # The line of a packet comes before those of its rest. Lines of other packets, of an
            # earlier division, or that are damaged, are left out.
            result, *rest = line.split("\t")
            place = begins.get(_begin(result))
            if place is not None and is_result(self._left[place], result, rest):
                del begins[_begin(result)]
                begins |= {_begin(packet): at for at, packet in self.add(place, result, rest)}

    def __len__(self) -> int:
        """The number of packets that are done or needed."""
        return self.done() + len(self.left())

    def __iter__(self) -> Iterator[tuple[Place, str]]:
        """The packets that are left, in the order of the search. Those that are added meanwhile come
        too, even after an end."""
        return self

    def __next__(self) -> tuple[Place, str]:
        while self._queue:
            place = heapq.heappop(self._queue)
            if place in self._left and self.is_wanted(place):
                return place, self._left[place]
        raise StopIteration

    def waiting(self) -> int:
        """The number of packets that nobody has begun to search, those that are not needed among them."""
        return len(self._queue)

    def is_wanted(self, place: Place) -> bool:
        """Whether no packet before holds a solution."""
        return self._end is None or place <= self._end

    def is_solved(self) -> bool:
        """Whether a packet holds a solution."""
        return self._end is not None

    def done(self) -> int:
        """The number of packets that are done, without those that are not needed."""
        return sum(map(self.is_wanted, self._results))

    def left(self) -> list[Place]:
        """The packets that are left, without those that are not needed."""
        return [place for place in self._left if self.is_wanted(place)]

    def results(self) -> list[str]:
        """The results that decide: up to the first one that holds a solution."""
        return [line for place, line in self._results.items() if self.is_wanted(place)]

    def add(self, place: Place, result: str, rest: Sequence[str]) -> list[tuple[Place, str]]:
        """Takes the result of a packet. Returns the packets of its rest with their places."""
        del self._left[place]
        self._results[place] = result
        is_solved, nodes = result_summary(result)
        self.nodes += nodes
        if is_solved and self.is_wanted(place):
            self._end = place
        more = [((*place, number), packet) for number, packet in enumerate(rest)]
        self._left.update(more)
        for at, _ in more:
            heapq.heappush(self._queue, at)
        return more


def record_line(result: str, rest: Sequence[str]) -> str:
    """The line that keeps a result and the rest of its packet."""
    return "\t".join([result, *rest])


def _begin(line: str) -> tuple[int, str | None] | None:
    """Where a packet or a result begins: the number of a subtree, and the moves to a place within it if
    it is not the subtree's root. None for another line."""
    try:
        found = json.loads(line)
        within = found.get("begin")
        if found.get("inner"):
            within = found["prefixes"].split(" ", 1)[0]
        first = found["first"]
        fits = isinstance(first, int) and isinstance(within, str | None)
        return (first, within) if fits else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
