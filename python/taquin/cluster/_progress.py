"""Progress on the standard error: a bar where that is a terminal, otherwise a line now and then."""

from __future__ import annotations

import io
import re
import sys
import time
from collections import Counter
from typing import TextIO

import ray
from tqdm import tqdm  # type: ignore[import-untyped,unused-ignore]

EVERY = 30.0
"""The seconds between two lines."""

NAMED = 4
"""With more machines than these, only their sum is shown."""


def note(text: str, wanted: bool) -> None:
    """Writes a line to the standard error."""
    if wanted:
        print(text, file=sys.stderr, flush=True)


class Reports(io.TextIOBase):
    """Ray's reports of lost workers and machines, on one line each and once: the end of their
    logs, which Ray adds, would hide everything else."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._begun = ""
        self._reported: set[str] = set()

    def write(self, text: str) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            # The log is indented.
            first = re.sub(r"\x1b\[[0-9;]*m", "", line).split(". ")[0]
            if first and not first[0].isspace() and first not in self._reported:
                self._reported.add(first)
                print(first, file=self._out, flush=True)
        return len(text)


class Progress:
    """Shows the work done, the nodes per second of each machine, and the remaining time.

    `before` is the number of nodes of the threshold before: the next threshold grows like this one.
    """

    def __init__(
        self, unit: str, total: int, done: int, wanted: bool, title: str = "", before: int = 0
    ) -> None:
        disable = None if wanted else True
        self._bar = tqdm(
            desc=title, total=total, initial=done, unit=unit, disable=disable, dynamic_ncols=True
        )
        self._has_lines = wanted and self._bar.disable
        self._unit, self._total, self._title = unit, total, title
        self._nodes: Counter[str] = Counter()
        self._done = self._initial = done
        self._before = before
        self._begin = self._noted = time.monotonic()

    def add(self, machine: str, nodes: int, count: int = 1) -> None:
        """A task is finished, with so many packets or boards."""
        self._nodes[machine] += nodes
        self._done += count
        now = time.monotonic()
        if self._has_lines and now - self._noted > EVERY:
            self._noted = now
            note(self._line(), True)
        if not self._bar.disable and now - self._noted > 0.5:
            self._noted = now
            self._bar.set_postfix_str(self._note(), refresh=False)
        self._bar.update(count)

    def _line(self) -> str:
        title = f"{self._title}: " if self._title else ""
        seconds = time.monotonic() - self._begin
        left = seconds * (self._total - self._done) / max(self._done - self._initial, 1)
        spent, wait = (tqdm.format_interval(int(interval)) for interval in (seconds, left))
        done = f"{self._done:,} of {self._total:,} {self._unit}s"
        return f"{title}{done} in {spent}, {wait} left, {self._note()}"

    def _note(self) -> str:
        done = self._done
        seconds = max(time.monotonic() - self._begin, 1e-9)
        rates = {name: nodes / seconds / 1e6 for name, nodes in self._nodes.items()}
        if len(rates) <= NAMED:
            names = _names()
            note = ", ".join(f"{names.get(id, id[:8])} {rate:.1f}" for id, rate in rates.items())
        else:
            note = f"{len(rates)} machines {sum(rates.values()):.1f}"
        note += " M nodes/s"
        if self._before > 0 and self._total:
            generated = sum(self._nodes.values())
            this = generated * self._total / max(done - self._initial, 1)
            growth = max(this / self._before, 1.0)
            expected = tqdm.format_interval(int(this * growth * seconds / max(generated, 1)))
            note += f", next threshold {expected}"
        return note

    def close(self) -> None:
        self._bar.close()


def _names() -> dict[str, str]:
    """The name of each Ray node: the name of its host, with a number if several have it."""
    nodes = ray.nodes()  # type: ignore[no-untyped-call, unused-ignore]
    hosts = {node["NodeID"]: node["NodeManagerHostname"] for node in nodes if node["Alive"]}
    several = Counter(hosts.values())
    counts: Counter[str] = Counter()
    names = {}
    for id, host in sorted(hosts.items()):
        counts[host] += 1
        names[id] = f"{host}-{counts[host]}" if several[host] > 1 else host
    return names
