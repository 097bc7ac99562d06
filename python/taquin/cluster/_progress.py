"""A line about the threshold under way."""

from __future__ import annotations

import sys
import time
from collections import Counter


class Progress:
    """Shows packets and nodes on the standard error, where it is a terminal."""

    def __init__(self, packets: int, done: int, wanted: bool) -> None:
        self._shown = wanted and sys.stderr.isatty()
        self._packets, self._before, self._done = packets, done, done
        self._nodes: Counter[str] = Counter()
        self._begin, self._last = time.monotonic(), 0.0

    def add(self, machine: str, nodes: int) -> None:
        """A packet is finished."""
        self._done += 1
        self._nodes[machine] += nodes
        now = time.monotonic()
        if self._shown and now - self._last > 0.5:
            self._last = now
            print(f"\r\x1b[K{self._line(now - self._begin)}", end="", file=sys.stderr, flush=True)

    def _line(self, seconds: float) -> str:
        left = self._packets - self._done
        each = seconds / max(1, self._done - self._before)
        rates = [nodes / max(seconds, 1e-9) / 1e6 for nodes in self._nodes.values()]
        speeds = " + ".join(f"{rate:.1f}" for rate in rates)
        return (
            f"{self._done} of {self._packets} packets, {speeds} M nodes/s, "
            f"at most {left * each:.0f} s to go"
        )

    def close(self) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
