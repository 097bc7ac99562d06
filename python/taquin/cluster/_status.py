"""The progress of a run, and the remaining work. Neither Ray nor the lock of the folder is needed."""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Iterator
from pathlib import Path

from .._taquin import packet_summary
from ._packets import Packets
from .._dataset import chunks, load
from .._run import ASKED, LOCK, NAME, RunError, numbered
from ._thresholds import packets_of, solved, title


def status(path: Path) -> Iterator[str]:
    """Lines about the folder of a run, or the file of a data set."""
    if path.is_file():
        yield from _finished(path)
        return
    try:
        task = json.loads((path / NAME).read_text())
    except FileNotFoundError:
        raise RunError(f"{path} has no run") from None
    except ValueError as error:
        raise RunError(f"{path / NAME} is damaged: {error}") from None
    heuristic = f", heuristic {task['heuristic']}" if "heuristic" in task else ""
    yield f"{task['task']} to {task['goal']}{heuristic}"
    kinds = {"solve": _solve, "batch": _batch, "dataset": _dataset, "hunt": _hunt}
    yield from kinds[task["task"]](path, task)
    yield _use(path)


def _solve(path: Path, task: dict[str, object]) -> Iterator[str]:
    yield f"board {task['board']}"
    if solution := solved(path):
        yield f"solved: {title(solution)}"
        return
    done = 0
    while (path / f"{done}.state").exists():
        done += 1
    yield f"divided thresholds without a solution: {done}"
    packets = packets_of(path / f"{done}.packets")
    if not packets:
        yield "left: the next threshold, which is not divided yet"
        return
    work = Packets(packets, _lines(path / f"{done}.results"))
    needed, ended = len(work), work.done()
    bound, _ = packet_summary(packets[0])
    yield f"threshold {bound}: {ended:,} of {needed:,} packets done, {work.nodes:,} nodes"
    if work.is_solved():
        yield f"a packet has a solution of {bound} moves; later packets are not needed"
    yield f"left: {needed - ended:,} packets" if ended < needed else "left: the join of the results"


def _batch(path: Path, task: dict[str, object]) -> Iterator[str]:
    lines = {numbered(line, "first"): line for line in _lines(path / "answers")}
    done = sum(len(json.loads(line)["answers"]) for first, line in lines.items() if first >= 0)
    yield from _boards(done, task)


def _hunt(path: Path, task: dict[str, object]) -> Iterator[str]:
    done = {numbered(line, "climb") for line in _lines(path / "climbs")} - {-1}
    asked = path / ASKED
    total = int(asked.read_text()) if asked.exists() else 0
    left = len(set(range(total)) - done)
    yield f"{len(done):,} climbs done, {left:,} of {total:,} asked for left"


def _dataset(path: Path, task: dict[str, object]) -> Iterator[str]:
    done = sum(stop - start for start, stop, _ in chunks(path))
    yield from _boards(done, task)


def _boards(done: int, task: dict[str, object]) -> Iterator[str]:
    total = task["count"]
    assert isinstance(total, int)
    yield f"{done:,} of {total:,} boards done, {total - done:,} left"


def _finished(path: Path) -> Iterator[str]:
    """The lines of a file: a data set."""
    try:
        if path.suffix == ".parquet":
            import pyarrow.parquet as parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]

            boards = parquet.read_metadata(path).num_rows
        else:
            boards = len(load(path)["lengths"])
    except (KeyError, ValueError) as error:
        raise RunError(f"{path} is no data set: {error}") from None
    yield f"a finished data set of {boards:,} boards"


def _lines(path: Path) -> list[str]:
    """The whole lines of a file; none if it is missing."""
    whole = path.read_bytes() if path.exists() else b""
    return whole[: whole.rfind(b"\n") + 1].decode(errors="replace").splitlines()


def _use(path: Path) -> str:
    """Whether a program works on the run, and when something was last written."""
    files = [file for file in path.iterdir() if file.name != LOCK]
    seconds = time.time() - max(file.stat().st_mtime for file in files)
    ago = f"last written {max(seconds, 0):,.0f} s ago"
    with (path / LOCK).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return f"a program works on it; {ago}"
        except OSError:
            pass
    return f"no program works on it; {ago}"
