"""A data set that many machines make."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .._taquin import Board, Solver, WorkFile
from ._batch import chunk
from ._progress import Progress
from ._tasks import check_connected, results
from ._worker import Settings, label


def dataset(
    n: int,
    seed: int = 1,
    size: int | tuple[int, int] | str | None = None,
    *,
    path: str | os.PathLike[str],
    moves: int | None = None,
    goal: Any = None,
    heuristics: Sequence[str] = (),
    pdb_dir: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> None:
    """Makes the file that taquin.dataset makes with these arguments, byte for byte, on the Ray
    cluster that this process is connected to. The file is numpy's npz.

    An interrupted call leaves PATH.partial. The same call goes on from there, and so do
    taquin.dataset and `taquin dataset`. Answers that are ahead of a board still being solved are
    found again.
    """
    check_connected()
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    goal = Solver(goal, pdb_dir=folder).goal
    board = Board.goal(goal, size=size)
    shape = (board.width, board.height)
    work = path.with_name(path.name + ".partial")
    file = WorkFile(n, seed, shape, moves, list(heuristics), goal, work)
    settings = Settings(goal, "standard", folder)

    def tasks() -> Iterator[tuple[int, tuple[Any, ...]]]:
        number = 0
        while len(boards := file.draw(chunk(board.width * board.height))):
            yield number, (boards, settings, shape, heuristics)
            number += 1

    shown = Progress("board", n, file.done, progress)
    # Labels up to their turn.
    waiting: dict[int, tuple[Any, ...]] = {}
    turn = 0
    coming = results(label, tasks())
    try:
        for number, (solutions, values, nodes, machine) in coming:
            waiting[number] = (solutions, values)
            shown.add(machine, nodes, len(solutions))
            while turn in waiting:
                file.add(*waiting.pop(turn))
                turn += 1
        file.finish(path)
    finally:
        coming.close()
        shown.close()
        file.close()
