"""A data set that many machines make."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._dataset import DataSet
from .._taquin import Solver
from ._progress import Progress
from ._tasks import check_connected, results
from ._worker import Settings, label

if TYPE_CHECKING:
    import numpy.typing as npt


def dataset(
    n: int,
    seed: int = 1,
    size: int | tuple[int, int] | str | None = None,
    *,
    path: str | os.PathLike[str],
    moves: int | None = None,
    distance: int | tuple[int, int] | None = None,
    unique: bool = True,
    split: Mapping[str, float] | None = None,
    goal: Any = None,
    heuristics: Sequence[str] = (),
    pdb_dir: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> dict[str, npt.NDArray[Any]]:
    """Does what taquin.dataset does with these arguments, on the Ray cluster that this process is
    connected to: the same file, and the same arrays.

    An interrupted call leaves the folder PATH.partial. The same call goes on from there, and so does
    taquin.dataset.
    """
    check_connected()
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    solver = Solver(goal, pdb_dir=folder)
    settings = Settings(solver.goal, "standard", folder)
    with DataSet(
        n, seed, size, moves, heuristics, solver.goal, path,
        distance=distance, unique=unique, split=split, solver=solver,
    ) as made:
        tasks = (
            (start, (made.boards[start:stop], settings, made.size, heuristics))
            for start, stop in list(made.left(chunk(len(made.goal))))
        )
        shown = Progress("board", len(made.boards), made.done, progress)
        coming = results(label, tasks)
        try:
            for start, (labels, nodes, machine) in coming:
                made.add(start, labels)
                shown.add(machine, nodes, len(labels["lengths"]))
        finally:
            coming.close()
            shown.close()
        return made.finish()


def chunk(cells: int) -> int:
    """The boards that a task takes: some tenths of a second of work, unless they are larger."""
    if cells <= 12:
        return 8192
    return 1024 if cells <= 16 else 1
