"""The folder of a run, from which an interrupted run goes on."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path


SCHEMA = 1
"""Changes whenever a task would go on with results that do not fit it."""

NAME = "run.json"
LOCK = ".lock"
ASKED = "asked"
UNFINISHED = ".taquin-tmp"


class RunError(ValueError):
    """The folder has the run of another task, or another program uses it."""


class Run:
    """A folder with the record of one task, which one program at a time uses."""

    def __init__(self, folder: str | os.PathLike[str], task: Mapping[str, object]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        names = [path.name for path in self.folder.iterdir()]
        is_own = all(name == LOCK or name.endswith(UNFINISHED) for name in names)
        if NAME not in names and not is_own:
            raise RunError(f"{folder} is not empty, and has no run: name another folder")
        # Held until the run is closed, or the process is dead.
        self._lock = (self.folder / LOCK).open("w")
        try:
            # As it is read again.
            self._begin(json.loads(json.dumps({"schema": SCHEMA, **task})))
        except BaseException:
            self._lock.close()
            raise

    def _begin(self, task: dict[str, object]) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(f"another program uses {self.folder}: wait for its end") from None
        except OSError:
            # Some file systems have no locks.
            pass
        for left in self.folder.glob(f".*{UNFINISHED}"):
            left.unlink()
        path = self.folder / NAME
        if not path.exists():
            write(path, json.dumps(task) + "\n")
            return
        try:
            found = json.loads(path.read_text())
        except ValueError as error:
            raise RunError(f"{path} is damaged: {error}") from None
        if found != task:
            names = [name for name in {**found, **task} if found.get(name) != task.get(name)]
            what = f"the run of another task (other are: {', '.join(names)})"
            raise RunError(f"{self.folder} has {what}: name another one, or remove it")

    def forget(self) -> None:
        """Leaves an empty folder, as if the run had not begun."""
        (self.folder / NAME).unlink(missing_ok=True)

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
        self._found = whole

    def take(self) -> list[str]:
        """The lines that were there; none the second time."""
        found, self._found = self._found, b""
        return found.decode(errors="replace").splitlines()

    def add(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def numbered(line: str, field: str, answers: int | None = None) -> int:
    """The number in a field of a line of JSON; -1 for another line, or one that has fewer answers."""
    try:
        found = json.loads(line)
        number = found[field]
        fits = answers is None or len(found["answers"]) == answers
    except (ValueError, KeyError, TypeError):
        return -1
    return number if fits and isinstance(number, int) else -1


def write(path: Path, text: str) -> None:
    """Writes a file as a whole, in place of an old one."""
    whole = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with whole.open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(whole, path)
    finally:
        whole.unlink(missing_ok=True)
