"""The answers for many boards, in their order."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Generator, Sequence
from typing import Any, Literal

from .._taquin import Board, Solver
from ._progress import Progress
from .._run import Lines, Run, numbered
from ._tasks import check_connected, results
from ._worker import Settings, solve_boards


def chunk(cells: int) -> int:
    """The boards that a task takes: at least some hundredths of a second of work."""
    if cells <= 12:
        return 2048
    return 128 if cells <= 16 else 1


def batch(
    boards: Sequence[Any],
    *,
    run: str | os.PathLike[str],
    goal: Any = None,
    heuristic: str = "standard",
    pdb_dir: str | os.PathLike[str] | None = None,
    metric: Literal["single", "multi"] = "single",
    time_limit: float | None = None,
    node_limit: int | None = None,
    gap: int = 0,
    progress: bool = True,
) -> Generator[dict[str, Any], None, None]:
    """Solves boards on the Ray cluster that this process is connected to, and yields the answers in
    their order: the fields of Solution.json.

    Each board is searched by one processor, as Solver.solve does. Tasks are handed out while an answer
    is waited for, so keep what is done with each answer short. run is a folder for the answers: the
    same call goes on from it. metric, limits and gap are as in Solver and Solver.solve, for each
    board. ValueError if moves cannot bring a board to the goal.
    """
    check_connected()
    read = [board if isinstance(board, Board) else Board(board) for board in boards]
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    solver = Solver(goal, heuristic, pdb_dir=folder, metric=metric)
    for number, board in enumerate(read):
        if not (solvability := board.solvability(solver.goal)):
            raise ValueError(f"board {number} cannot reach the goal: {solvability}")
    limits = {"time_limit": time_limit, "node_limit": node_limit, "gap": gap}
    texts = "\n".join(f"{board.width}x{board.height} {board.tiles}" for board in read)
    task: dict[str, Any] = {
        "task": "batch",
        "boards": hashlib.sha256(texts.encode()).hexdigest(),
        "count": len(read),
        "goal": solver.goal,
        "heuristic": heuristic,
        "metric": metric,
        "chunk": chunk(max((board.width * board.height for board in read), default=1)),
        **limits,
    }
    settings = Settings(solver.goal, heuristic, folder, metric)
    return _answers(Run(run, task), read, settings, task["chunk"], limits, progress)


def _answers(
    record: Run,
    boards: Sequence[Board],
    settings: Settings,
    each: int,
    limits: dict[str, Any],
    progress: bool,
) -> Generator[dict[str, Any], None, None]:
    starts = range(0, len(boards), each)
    sizes = {start: len(boards[start : start + each]) for start in starts}
    lines = Lines(record.folder / "answers")
    # Answers by the first board of their task, up to their turn.
    found: dict[int, str] = {}
    for line in lines.take():
        start = numbered(line, "first")
        if numbered(line, "first", sizes.get(start)) in sizes:
            found[start] = line
    done = sum(sizes[start] for start in found)
    shown = Progress("board", len(boards), done, progress)
    following = iter(starts)
    turn = next(following, None)
    tasks = (
        (start, (boards[start : start + each], settings, limits))
        for start in starts
        if start not in found
    )
    coming = results(solve_boards, tasks)
    try:
        while turn is not None:
            if turn in found:
                yield from json.loads(found.pop(turn))["answers"]
                turn = next(following, None)
                continue
            start, (answers, nodes, machine) = next(coming)
            found[start] = f'{{"first":{start},"answers":[{",".join(answers)}]}}'
            lines.add(found[start])
            shown.add(machine, nodes, len(answers))
    finally:
        coming.close()
        shown.close()
        lines.close()
        record.close()
