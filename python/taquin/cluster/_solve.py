"""The search for one board, in packets that Ray hands out."""

from __future__ import annotations

import json
import math
import os
import time
from typing import Any

from .._taquin import Board, Solution, Solver, packet_summary, result_summary
from ._packets import Packets
from ._progress import Progress, note
from .._run import Run, RunError
from .._size import check_size
from ._tasks import check_connected, cpus, results
from ._thresholds import Thresholds, finished, task_of
from ._worker import Settings, build, prepare, search

MOST_PACKETS = 4096
PACKETS_PER_CPU = 64
"""There are as many packets as the larger of these two allows. With fewer, more is searched in vain
beside the packet with the solution, and some processors wait longer for the last packets."""

LEAST_NODES = 5_000_000
NODES_PER_CPU = 125_000
"""A packet has about as many nodes as the larger of these two asks for: tenths of a second, and so
many that the head can hand out packets as fast as they are searched."""

def division(cpus: int) -> dict[str, int]:
    """How a threshold is divided for so many processors."""
    return {
        "count": max(MOST_PACKETS, PACKETS_PER_CPU * cpus),
        "nodes": max(LEAST_NODES, NODES_PER_CPU * cpus),
    }


def solve(
    board: Any,
    *,
    run: str | os.PathLike[str],
    goal: Any = None,
    heuristic: str = "standard",
    pdb_dir: str | os.PathLike[str] | None = None,
    after: int = 100_000_000,
    time_limit: float | None = None,
    progress: bool = True,
) -> Solution:
    """Solves a board on the Ray cluster that this process is connected to.

    Solution and numbers of nodes are those of Solver.solve. Small thresholds are searched here, up to
    one that has at least `after` nodes, and the next ones in packets. run is a folder for the record of
    the search: the same call goes on from it, after whatever has happened to this process or to the
    cluster. pdb_dir is the folder of the databases on each machine; missing ones are built.

    With a time limit, in seconds, no packet is begun after it. The answer then has the lower bound that
    was proved, maybe a longer solution, and "time" as the reason. The small thresholds are always
    searched to their end.
    """
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    board = board if isinstance(board, Board) else Board(board)
    check_size(board)
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    solver = Solver(goal, heuristic, pdb_dir=folder)
    settings, size = Settings(solver.goal, heuristic, folder), (board.width, board.height)
    task = task_of(board, solver.goal, heuristic)
    if solution := finished(run, task):
        return solution
    check_connected()
    build(settings, size)
    record = Run(run, task)
    thresholds = Thresholds(record)
    try:
        # Workers load their databases while small thresholds are searched here.
        _workers = [prepare.remote(settings, size) for _ in range(cpus())]
        while True:
            packets = thresholds.packets()
            if not packets:
                if thresholds.is_empty():
                    note("searching the small thresholds on this machine", progress)
                divided = division(cpus())
                state = thresholds.state()
                try:
                    split = solver.packets(board, state, after=after, **divided)
                except ValueError as error:
                    if state is not None:
                        raise RunError(f"{thresholds.state_path()}: {error}") from None
                    raise
                if isinstance(split, Solution):
                    return thresholds.end(split)
                packets = split
                thresholds.divide(packets)
            work = thresholds.begin(packets)
            summary = packet_summary(packets[0])
            if not _search_all(work, summary, settings, size, thresholds, progress, deadline):
                return _unsolved(solver, board, summary)
            solution, state = solver.merge(work.results())
            if state is None:
                return thresholds.end(solution)
            thresholds.exhaust(state)
    except ValueError:
        # Such as a heuristic whose searches cannot be divided.
        if thresholds.is_empty():
            record.forget()
        raise
    finally:
        thresholds.close()
        record.close()


def _search_all(
    work: Packets,
    threshold: tuple[int, int],
    settings: Settings,
    size: tuple[int, int],
    thresholds: Thresholds,
    progress: bool,
    deadline: float,
) -> bool:
    """Searches the packets that are left, up to the first one that holds a solution. Returns whether
    all of them were searched before the deadline."""
    bound, before = threshold
    shown = Progress("packet", len(work), work.done(), progress, f"threshold {bound}", before)

    def task(left: tuple[int, str]) -> tuple[int, tuple[object, ...]]:
        number, packet = left
        return number, (packet, settings, size)

    try:
        wanted = lambda number: work.is_wanted(number) and time.monotonic() < deadline  # noqa: E731
        for number, (line, machine) in results(search, map(task, work), wanted):
            thresholds.keep(line)
            work.add(number, line)
            shown.add(machine, result_summary(line)[1])
    finally:
        shown.close()
    return not work.left()


def _unsolved(solver: Solver, board: Board, threshold: tuple[int, int]) -> Solution:
    """The answer that a board has no solution below this threshold, with a longer solution if one is
    found at once."""
    answer = json.loads(solver.solve(board, node_limit=0).json())
    bound, before = threshold
    answer |= {"lower_bound": bound, "generated": before, "stopped": "time"}
    return Solution(json.dumps(answer))
