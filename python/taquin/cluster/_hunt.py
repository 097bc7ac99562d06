"""A hunt for hard boards."""

from __future__ import annotations

import json
import os
from typing import Any

from .._taquin import Board, Solver
from ._climb import Climb
from ._progress import Progress
from .._run import ASKED, Lines, Run, numbered, write
from .._size import check_size
from ._tasks import check_connected, results
from ._worker import Settings
from ._worker import hunt as remote


def hunt(
    climbs: int,
    steps: int = 1000,
    seed: int = 1,
    size: int | tuple[int, int] | str | None = None,
    *,
    run: str | os.PathLike[str],
    by: str = "nodes",
    top: int = 20,
    starts: int = 100,
    goal: Any = None,
    heuristic: str = "standard",
    pdb_dir: str | os.PathLike[str] | None = None,
    progress: bool = True,
) -> list[dict[str, Any]]:
    """Hunts for hard boards on the Ray cluster that this process is connected to, and returns the
    hardest ones, the hardest first: the fields of Solution.json.

    Each climb begins with the hardest of some random boards. It is changed so many times at random,
    and a change is kept unless it makes the board easier: unless it has fewer nodes, or fewer moves
    if by is "length". Climb number k has the seed `seed + k`: the same arguments give the same boards.
    run is a folder for the boards of each climb: the same call goes on from it.

    Every board is solved optimally, so choose a size whose random boards take well under a second.
    """
    check_connected()
    if by not in ("nodes", "length"):
        raise ValueError("by is nodes or length")
    if min(climbs, steps) < 0 or min(top, starts) < 1:
        raise ValueError("climbs and steps are at least 0, top and starts at least 1")
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    goal = Solver(goal, heuristic, pdb_dir=folder).goal
    board = Board.goal(goal, size=size)
    check_size(board)
    settings = Settings(goal, heuristic, folder)
    like = Climb(seed, (board.width, board.height), starts, steps, by, top)
    # More climbs may follow later.
    task = {"task": "hunt", "goal": goal, "heuristic": heuristic, **like._asdict()}
    task["size"] = list(like.size)
    record = Run(run, task)
    write(record.folder / ASKED, f"{climbs}\n")
    lines = Lines(record.folder / "climbs")
    found = {numbered(line, "climb"): line for line in lines.take()}
    found = {number: found[number] for number in range(climbs) if number in found}
    tasks = (
        (number, (settings, like._replace(seed=seed + number)))
        for number in range(climbs)
        if number not in found
    )
    shown = Progress("climb", climbs, len(found), progress)
    try:
        for number, (boards, nodes, machine) in results(remote, tasks):
            found[number] = f'{{"climb":{number},"boards":[{",".join(boards)}]}}'
            lines.add(found[number])
            shown.add(machine, nodes)
    finally:
        shown.close()
        lines.close()
        record.close()
    fields = ("length", "generated") if by == "length" else ("generated", "length")
    boards = {}
    for number in sorted(found):
        for answer in json.loads(found[number])["boards"]:
            boards.setdefault(tuple(answer["board"]), answer)
    ranked = sorted(boards.values(), key=lambda a: (*(a[f] for f in fields), a["board"]))
    return ranked[::-1][:top]
