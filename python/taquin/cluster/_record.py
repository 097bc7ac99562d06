"""The record of a run: a folder from which an interrupted search goes on.

Threshold number 0 has `0.packets`, which is written as a whole, and `0.results`, to which a line is
added for each packet that is finished. `0.state`, written as a whole, follows when the threshold
is exhausted, and then threshold number 1. A program may be killed at any moment: the last line of
the results may be cut short, and is dropped then.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from .._taquin import is_result


class RunError(ValueError):
    """The folder has the run of another search, or another program uses it."""


class Record:
    """The record of the search for a board."""

    def __init__(self, folder: str | os.PathLike[str], search: dict[str, str]) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        # Held until the record is closed, or the process is dead.
        self._lock = (self._folder / ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise RunError(f"another program uses {self._folder}: wait for its end") from None
        for left in self._folder.glob(".*.tmp"):
            left.unlink()
        self._threshold = 0
        self._results: IO[bytes] | None = None
        path = self._folder / "search.json"
        if not path.exists():
            if any(path.name != ".lock" for path in self._folder.iterdir()):
                self.close()
                raise RunError(f"{self._folder} is not empty, and has no run: name another folder")
            _write(path, json.dumps(search) + "\n")
        elif json.loads(path.read_text()) != search:
            self.close()
            raise RunError(f"{self._folder} has the run of another search: name another folder")
        while self._path("state").exists():
            self._threshold += 1

    def _path(self, kind: str, threshold: int | None = None) -> Path:
        return self._folder / f"{self._threshold if threshold is None else threshold}.{kind}"

    def state(self) -> str | None:
        """The state after the last threshold that is exhausted, if there is one."""
        if self._threshold == 0:
            return None
        return self._path("state", self._threshold - 1).read_text()

    def packets(self) -> list[str]:
        """The packets of the threshold, if it was divided before."""
        path = self._path("packets")
        return path.read_text().splitlines() if path.exists() else []

    def divide(self, packets: Sequence[str]) -> None:
        """Keeps the packets of the threshold."""
        _write(self._path("packets"), "".join(packet + "\n" for packet in packets))

    def results(self, packets: Sequence[str]) -> dict[int, str]:
        """The results that are there, by the place of the packet. Opens the file for more."""
        path = self._path("results")
        whole = path.read_bytes() if path.exists() else b""
        whole = whole[: whole.rfind(b"\n") + 1]
        self._results = path.open("r+b" if path.exists() else "x+b")
        self._results.truncate(len(whole))
        self._results.seek(len(whole))
        results: dict[int, str] = {}
        if not whole:
            return results
        places = {_first(packet): place for place, packet in enumerate(packets)}
        for line in whole.decode(errors="replace").splitlines():
            place = places.get(_first(line), -1)
            if place >= 0 and is_result(packets[place], line):
                results[place] = line
        return results

    def keep(self, line: str) -> None:
        """Keeps the result of a packet."""
        assert self._results is not None
        self._results.write(line.encode() + b"\n")
        self._results.flush()

    def exhaust(self, state: str) -> None:
        """Turns to the next threshold. The packets are no longer needed."""
        _write(self._path("state"), state)
        self._close_results()
        for kind in ("packets", "results"):
            self._path(kind).unlink(missing_ok=True)
        self._threshold += 1

    def close(self) -> None:
        """Lets other programs use the folder."""
        self._close_results()
        self._lock.close()

    def _close_results(self) -> None:
        if self._results is not None:
            self._results.close()
            self._results = None


def _first(line: str) -> int:
    """The number of the first subtree of a packet or a result; -1 for a line that is neither."""
    try:
        first = json.loads(line)["first"]
    except (ValueError, KeyError, TypeError):
        return -1
    return first if isinstance(first, int) else -1


def _write(path: Path, text: str) -> None:
    """Writes a file as a whole, in place of an old one."""
    whole = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with whole.open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(whole, path)
    finally:
        whole.unlink(missing_ok=True)
