"""The folder of a run, from which an interrupted run goes on."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path


class RunError(ValueError):
    """The folder has the run of another task, or another program uses it."""


class Run:
    """A folder with the record of one task, which one program at a time uses."""

    def __init__(self, folder: str | os.PathLike[str], task: Mapping[str, object]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Held until the run is closed, or the process is dead.
        self._lock = (self.folder / ".lock").open("w")
        try:
            self._begin(json.dumps(task) + "\n")
        except BaseException:
            self._lock.close()
            raise

    def _begin(self, task: str) -> None:
        folder = self.folder
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"another program uses {folder}: wait for its end") from None
        for left in folder.glob(".*.tmp"):
            left.unlink()
        path = folder / "run.json"
        if path.exists():
            if path.read_text() != task:
                raise RunError(f"{folder} has the run of another task: name another folder")
        elif any(path.name != ".lock" for path in folder.iterdir()):
            raise RunError(f"{folder} is not empty, and has no run: name another folder")
        else:
            write(path, task)

    def close(self) -> None:
        """Lets other programs use the folder."""
        self._lock.close()


class Lines:
    """A file to which lines are added as they come.

    A program may be killed at any moment: the last line may be cut short, and is dropped then.
    """

    def __init__(self, path: Path) -> None:
        whole = path.read_bytes() if path.exists() else b""
        whole = whole[: whole.rfind(b"\n") + 1]
        self._file = path.open("r+b" if path.exists() else "x+b")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))
        self.found = whole.decode(errors="replace").splitlines()
        """The lines that were there."""

    def add(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def numbered(line: str, field: str) -> int:
    """The number that a field of a line of JSON has; -1 for another line."""
    try:
        number = json.loads(line)[field]
    except (ValueError, KeyError, TypeError):
        return -1
    return number if isinstance(number, int) else -1


def write(path: Path, text: str) -> None:
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
