"""Data sets for learners."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._taquin import Solver, make_dataset

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def dataset(
    n: int,
    seed: int = 1,
    size: int | tuple[int, int] | str | None = None,
    *,
    moves: int | None = None,
    heuristics: Sequence[str] = (),
    path: str | os.PathLike[str] | None = None,
    solver: Solver | None = None,
    progress: bool = True,
) -> dict[str, npt.NDArray[Any]]:
    """Draws n boards and solves them optimally, on all cores.

    Returns arrays by name: boards (uint8, tiles in reading order), lengths (int16), moves (int8,
    places in taquin.MOVES, -1 after the last one), goal, seed, and for each of the heuristics its
    values. The boards are drawn uniformly, or by random walks if moves is given. A seed gives the
    boards that `taquin shuffle --seed` prints.

    With a path the arrays are written to a file too: numpy's npz, or Parquet if the name ends with
    .parquet and pyarrow is there. An interrupted call leaves PATH.partial, and the same call goes on
    from there. The same arguments give the same file.

    A solver sets the goal, the folder of the databases and the threads. Progress is shown by tqdm
    if it is there.
    """
    import numpy as np

    if isinstance(heuristics, str):
        raise TypeError("heuristics is a list of names")
    if path is None:
        with tempfile.TemporaryDirectory() as folder:
            return dataset(
                n,
                seed,
                size,
                moves=moves,
                heuristics=heuristics,
                path=Path(folder, "set.npz"),
                solver=solver,
                progress=progress,
            )
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path: text or a path is expected, not {type(path)}")
    path = Path(path)
    is_parquet = path.suffix == ".parquet"
    if is_parquet:
        # Before the work, not after it.
        import pyarrow.parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]  # noqa: F401
    work = path.with_name(path.name + ".partial")
    file = path.with_name(path.name + ".npz") if is_parquet else path
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is not a regular file")
    if is_parquet and file.exists():
        raise FileExistsError(f"{file} would be replaced: rename it")
    with _bar(n, progress) as show:
        make_dataset(
            n, seed, size, moves, list(heuristics), solver or Solver(), work, file, show
        )
    with np.load(file) as arrays:
        columns = dict(arrays)
    if is_parquet:
        _write_parquet(path, columns)
        file.unlink()
    return columns


@contextmanager
def _bar(n: int, wanted: bool) -> Iterator[Callable[[int], object]]:
    """A function that shows the number of boards done."""
    try:
        if not wanted:
            raise ImportError
        from tqdm.auto import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        yield lambda done: None
        return
    with tqdm(total=n, unit="board") as bar:

        def show(done: int) -> None:
            if done > bar.n:
                bar.update(done - bar.n)

        yield show


def _write_parquet(path: Path, columns: dict[str, npt.NDArray[np.generic[Any]]]) -> None:
    """Writes the columns of the boards, and the goal and the seed as the file's metadata. Links
    are followed, and stay."""
    import pyarrow as pa  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import pyarrow.parquet as parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]

    path = Path(os.path.realpath(path))
    columns = dict(columns)
    goal, seed = columns.pop("goal"), columns.pop("seed")

    def column(array: npt.NDArray[Any]) -> Any:
        if array.ndim == 1:
            return pa.array(array)
        return pa.FixedSizeListArray.from_arrays(pa.array(array.reshape(-1)), array.shape[1])

    table = pa.table({name: column(array) for name, array in columns.items()})
    about = {"taquin.goal": str(goal.tolist()), "taquin.seed": str(int(seed))}
    whole = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        parquet.write_table(table.replace_schema_metadata(about), whole)
        os.replace(whole, path)
    finally:
        whole.unlink(missing_ok=True)
