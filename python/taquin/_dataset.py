"""Data sets for learners."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from ._results import MOVES
from ._run import UNFINISHED, Run
from ._size import check_size
from ._taquin import Board, Solver, boards_at, random_boards, walks

# numpy takes longer to import than the programs take to start.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    _Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

SECONDS = 2.0
"""A chunk takes about this time, which an interrupt costs at most."""

MOST = 1 << 14
"""The most boards of a chunk."""


def dataset(
    n: int,
    seed: int = 1,
    size: int | tuple[int, int] | str | None = None,
    *,
    moves: int | None = None,
    distance: int | tuple[int, int] | None = None,
    unique: bool = True,
    split: Mapping[str, float] | None = None,
    heuristics: Sequence[str] = (),
    path: str | os.PathLike[str] | None = None,
    solver: Solver | None = None,
    progress: bool = True,
) -> _Arrays:
    """Draws n boards and solves them optimally, on all cores.

    Returns arrays by name: boards (uint8, tiles in reading order), lengths (int16), moves (int8,
    places in taquin.MOVES, -1 after the last one), goal, seed, and for each of the heuristics its
    values. The boards are drawn uniformly, by random walks if moves is given, or with boards_at if
    distance is given. A seed gives the boards that `taquin shuffle --seed` prints, each once unless
    unique is false.

    split divides the boards by name, as in {"train": 0.9, "test": 0.1}: the array split has the name
    of each. A board and the split alone decide it, so no other seed brings a board to another part.

    With a path the arrays are written to a file too: numpy's npz if the name ends with .npz, a line
    of JSON for each board if it ends with .jsonl, Parquet if it ends with .parquet and pyarrow is
    there. An interrupted call leaves the folder PATH.partial,
    and the same call goes on from there. The same arguments give the same file.

    A solver sets the goal, the folder of the databases and the threads. Progress is shown by tqdm
    if it is there.
    """
    solver = solver or Solver()
    if solver.metric != "single":
        raise ValueError("solver: a data set counts moves of single tiles: use metric='single'")
    with DataSet(
        n, seed, size, moves, heuristics, solver.goal, path,
        distance=distance, unique=unique, split=split, solver=solver,
    ) as made:
        with _bar(len(made.boards), made.done, progress) as show:
            count = 1
            while (left := next(made.left(count), None)) is not None:
                begun = time.monotonic()
                start, stop = left
                chunk, _ = label(solver, made.boards[start:stop], made.size, heuristics)
                made.add(start, chunk)
                show(stop - start)
                ratio = SECONDS / max(time.monotonic() - begun, 1e-3)
                count = max(1, min(MOST, int(count * min(2, ratio))))
        return made.finish()


def label(
    solver: Solver, boards: npt.NDArray[Any], size: tuple[int, int], heuristics: Sequence[str]
) -> tuple[_Arrays, int]:
    """The columns of some boards, and the nodes generated.

    ValueError unless all solutions are proved to be optimal.
    """
    labels = solver.solve_many(boards, size=size)
    if not labels.optimal.all():
        row = int(labels.optimal.argmin())
        board = str(Board(boards[row], size=size)).replace("\n", " / ")
        raise ValueError(f"the solution of {board} is not proved optimal: use a method that proves it")
    values = {name: solver.heuristics(boards, name, size=size) for name in heuristics}
    return {"lengths": labels.lengths, "moves": labels.moves, **values}, int(labels.nodes.sum())


def check_heuristics(names: Sequence[str]) -> None:
    """ValueError if a name is unknown, or comes twice."""
    if isinstance(names, str):
        raise TypeError("heuristics is a list of names")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ValueError(f"heuristics: {name} is named twice")
        with _renamed("heuristic", "heuristics"):
            Solver(heuristic=name)


@contextmanager
def _renamed(argument: str, name: str) -> Iterator[None]:
    """Replaces the name of an argument in an error."""
    try:
        yield
    except (TypeError, ValueError) as error:
        error.args = (str(error).replace(f"{argument}: ", f"{name}: ", 1),)
        raise


class DataSet:
    """A data set that is being made: its boards, and the chunks that have their labels.

    The chunks are kept in the folder PATH.partial as START-STOP.npz. They may be of any size and come
    in any order.
    """

    def __init__(
        self,
        n: int,
        seed: int,
        size: int | tuple[int, int] | str | None,
        moves: int | None,
        heuristics: Sequence[str],
        goal: str,
        path: str | os.PathLike[str] | None,
        *,
        distance: int | tuple[int, int] | None = None,
        unique: bool = True,
        split: Mapping[str, float] | None = None,
        solver: Solver | None = None,
    ) -> None:
        check_heuristics(heuristics)
        if moves is not None and distance is not None:
            raise ValueError("distance: boards are drawn by moves or at a distance, not both")
        self._split = check_split(split)
        self.goal = Board.goal(goal, size=size)
        check_size(self.goal)
        self.size = (self.goal.width, self.goal.height)
        self._path = None if path is None else check_path(path)

        def draw(n: int) -> npt.NDArray[np.uint8]:
            if distance is not None:
                return boards_at(distance, n, self.size, seed, solver=solver)
            if moves is None:
                return random_boards(n, seed, size=self.size, goal=goal)
            with _renamed("length", "moves"):
                return walks(n, moves, seed, size=self.size, goal=goal)

        self.boards = _different(draw, n) if unique and distance is None else draw(n)
        self._seed, self._heuristics = int(seed), list(heuristics)
        self._chunks: dict[int, _Arrays] = {}
        """Chunks by their first board."""
        self._run: Run | None = None
        if self._path is not None:
            task = {
                "task": "dataset", "count": len(self.boards), "seed": self._seed, "moves": moves,
                "distance": distance, "unique": unique, "split": self._split, "size": self.size, "goal": goal, "heuristics": self._heuristics,
            }
            self._run = Run(partial(self._path), task)
            self._read(self._run.folder)

    def _read(self, folder: Path) -> None:
        """Reads the chunks. Damaged ones are made again."""
        for start, stop, path in chunks(folder):
            try:
                chunk = load(path)
            except ValueError:
                continue
            if all(len(array) == stop - start for array in chunk.values()):
                self._chunks[start] = chunk

    @property
    def done(self) -> int:
        """The number of boards that have their labels."""
        return sum(len(chunk["lengths"]) for chunk in self._chunks.values())

    def left(self, most: int) -> Iterator[tuple[int, int]]:
        """The boards without labels, as (start, stop) of at most so many."""
        begin = 0
        for start in [*sorted(self._chunks), len(self.boards)]:
            for first in range(begin, start, most):
                yield first, min(first + most, start)
            begin = start + len(self._chunks.get(start, {}).get("lengths", ()))

    def add(self, start: int, chunk: _Arrays) -> None:
        """Keeps the labels of the boards from a place on."""
        if self._run is not None:
            stop = start + len(chunk["lengths"])
            save(self._run.folder / f"{start}-{stop}.npz", chunk)
        self._chunks[start] = chunk

    def finish(self) -> _Arrays:
        """The arrays. Writes their file, and removes the chunks."""
        import numpy as np

        found = [self._chunks.pop(start) for start in sorted(self._chunks)]
        n, longest = len(self.boards), max((chunk["moves"].shape[1] for chunk in found), default=0)
        moves, row = np.full((n, longest), -1, np.int8), 0
        for chunk in found:
            some = chunk["moves"]
            moves[row : row + len(some), : some.shape[1]] = some
            row += len(some)

        def joined(name: str, dtype: type[np.generic]) -> npt.NDArray[Any]:
            return np.concatenate([np.empty(0, dtype), *(chunk[name] for chunk in found)])

        arrays = {
            "boards": self.boards,
            "lengths": joined("lengths", np.int16),
            "moves": moves,
            **{name: joined(name, np.uint8) for name in self._heuristics},
            **({"split": parts_of(self.boards, self._split)} if self._split else {}),
            "goal": np.array(self.goal.rows, np.uint8),
            "seed": np.array(self._seed, np.uint64),
        }
        if self._path is not None:
            writers = {".parquet": _write_parquet, ".jsonl": _write_lines}
            writers.get(self._path.suffix, save)(self._path, arrays)
            shutil.rmtree(partial(self._path))
        return arrays

    def __enter__(self) -> DataSet:
        return self

    def __exit__(self, *_: object) -> None:
        if self._run is not None:
            if self._run.folder.exists() and not any(chunks(self._run.folder)):
                shutil.rmtree(self._run.folder)
            self._run.close()


def partial(path: Path) -> Path:
    """The folder of the chunks of a file."""
    return path.with_name(path.name + ".partial")


def chunks(folder: Path) -> Iterator[tuple[int, int, Path]]:
    """The chunks in a folder: their first board, the one after their last, and their file."""
    for path in folder.glob("[0-9]*-[0-9]*.npz"):
        start, stop = map(int, path.stem.split("-"))
        yield start, stop, path


def load(path: Path) -> _Arrays:
    """The arrays of an npz file. ValueError if it is damaged."""
    import zipfile
    import zlib

    import numpy as np

    try:
        with np.load(path) as arrays:
            return dict(arrays)
    except (EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(str(error)) from None


def save(path: Path, arrays: _Arrays) -> None:
    """Writes an npz file."""
    import numpy as np

    with _replacing(path) as file:
        # Its stubs want no names that are arguments.
        save: Callable[..., None] = np.savez_compressed
        save(file, **arrays)


def _write_parquet(path: Path, arrays: _Arrays) -> None:
    """Writes the columns of the boards, and the goal and the seed as the file's metadata."""
    import pyarrow as pa  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import pyarrow.parquet as parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]

    columns = dict(arrays)
    goal, seed = columns.pop("goal"), columns.pop("seed")

    def column(array: npt.NDArray[Any]) -> Any:
        if array.ndim == 1:
            return pa.array(array)
        return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), array.shape[1])

    table = pa.table({name: column(array) for name, array in columns.items()})
    about = {"taquin.goal": str(goal.tolist()), "taquin.seed": str(int(seed))}
    with _replacing(path) as file:
        parquet.write_table(table.replace_schema_metadata(about), file)


def _write_lines(path: Path, arrays: _Arrays) -> None:
    """Writes an object for each board, with the names of `taquin solve --json`."""
    import json

    columns = dict(arrays)
    goal = columns.pop("goal")
    (height, width), seed = goal.shape, int(columns.pop("seed"))
    head = {"width": width, "height": height, "goal": goal.ravel().tolist(), "seed": seed}
    columns["board"], columns["length"] = columns.pop("boards"), columns.pop("lengths")
    columns["moves"] = _letters(columns.pop("moves"))
    with _replacing(path) as file:
        for row in zip(*(column.tolist() for column in columns.values())):
            file.write((json.dumps(head | dict(zip(columns, row))) + "\n").encode())


def _letters(moves: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Rows of moves as letters."""
    import numpy as np

    return np.array(["".join(MOVES[m] for m in row if m >= 0) for row in moves], object)


def _different(draw: Callable[[int], npt.NDArray[np.uint8]], n: int) -> npt.NDArray[np.uint8]:
    """The first n different boards of a stream that is drawn from its beginning."""
    import numpy as np

    # Of many boards few are new: some spaces have no more.
    for drawn in (n, 2 * n + 100, 8 * n + 1000, 64 * n + 10000):
        boards = draw(drawn)
        _, first = np.unique(boards, axis=0, return_index=True)
        if len(first) >= n:
            return boards[np.sort(first)[:n]]
    raise ValueError(f"n: {drawn:,} draws have {len(first):,} different boards: use unique=False")


def check_split(split: Mapping[str, float] | None) -> dict[str, float]:
    """ValueError unless the parts of a split add up to 1."""
    parts = {str(name): float(part) for name, part in (split or {}).items()}
    if parts and (min(parts.values()) < 0 or abs(sum(parts.values()) - 1) > 1e-9):
        raise ValueError(f"split: the parts add up to {sum(parts.values()):g}, not to 1")
    return parts


def parts_of(boards: npt.NDArray[np.uint8], split: Mapping[str, float]) -> npt.NDArray[Any]:
    """The part of each board, by a hash of its tiles."""
    import hashlib

    import numpy as np

    names, ends = list(split), np.cumsum(list(split.values()))
    hashes = [hashlib.blake2b(board.tobytes(), digest_size=8).digest() for board in boards]
    places = np.frombuffer(b"".join(hashes), "<u8") / 2.0**64
    found = np.minimum(np.searchsorted(ends, places, side="right"), len(names) - 1)
    return np.array(names)[found]


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that replaces another one when it is whole. Links are followed, and stay."""
    path = Path(os.path.realpath(path))
    whole = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        with whole.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(whole, path)
    finally:
        whole.unlink(missing_ok=True)


def check_path(path: str | os.PathLike[str]) -> Path:
    """The path of a file that can be written. Said before the work, not after it."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: text or a path is expected, not {type(path).__name__}")
    path = Path(path)
    if path.suffix not in (".npz", ".jsonl", ".parquet"):
        raise ValueError(f"path: {path} does not end with .npz, .jsonl or .parquet")
    if path.suffix == ".parquet":
        import pyarrow.parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: F401
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    folder = Path(os.path.realpath(path)).parent
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(folder)) from None
    return path


@contextmanager
def _bar(n: int, done: int, wanted: bool) -> Iterator[Callable[[int], object]]:
    """A function that shows that more boards are done."""
    try:
        if not wanted:
            raise ImportError
        from tqdm.auto import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        yield lambda count: None
        return
    with tqdm(total=n, initial=done, unit="board") as bar:
        yield bar.update
