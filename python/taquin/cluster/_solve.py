"""The search for one board, in packets that Ray hands out."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

import ray

from .._run import Run, RunError
from .._size import check_size
from .._taquin import Board, Solution, Solver, packet_summary, result_summary
from ._packets import Packets
from ._progress import Progress
from ._tasks import check_connected, cpus, results
from ._thresholds import Thresholds, finished, task_of
from ._worker import Settings, build, prepare, search

Results: TypeAlias = Generator[tuple[int, Any], None, None]
"""The numbers of packets with their results and the machines that searched them."""

MOST_PACKETS = 4096
PACKETS_PER_CPU = 64
"""There are as many packets as the larger of these two asks for. With fewer, more is searched in vain
next to the packet with the solution, and some processors wait longer for the last packets."""

LEAST_NODES = 5_000_000
NODES_PER_CPU = 62_500
"""A packet has about as many nodes as the larger of these two asks for: tenths of a second, and so
many that the head can hand out packets as fast as they are searched."""

RECORDED = 1_000_000
"""Thresholds after one of so many nodes are divided and recorded. Smaller ones take hundredths of a second."""


def division(cpus: int) -> dict[str, int]:
    """The division of a threshold for so many processors."""
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

    Solution and numbers of nodes equal the results of Solver.solve. This process searches small
    thresholds, up to one that has at least `after` nodes, and all machines search the next ones. run is a
    folder for the record of the search: the same call goes on from it, after whatever has happened to this
    process or to the cluster. pdb_dir is the folder of the databases on each machine; missing ones are
    built.

    With a time limit, in seconds, no packet is begun after it. The answer then has the lower bound that
    was proved, maybe a longer solution, and "time" as the reason.
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
                divided = division(cpus())
                state = thresholds.state()
                try:
                    split = solver.packets(board, state, after=min(after, RECORDED), **divided)
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
            wanted = lambda number: work.is_wanted(number) and time.monotonic() < deadline  # noqa: E731
            if summary[1] < after:
                coming = _here(solver, work, wanted)
            else:
                tasks = ((number, (packet, settings, size)) for number, packet in work)
                coming = results(search, tasks, wanted)
            if not _search_all(work, summary, coming, thresholds, progress):
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


def _here(solver: Solver, work: Packets, wanted: Callable[[int], bool]) -> Results:
    """Searches the remaining packets in this process, with all its threads."""
    machine = ray.get_runtime_context().get_node_id()
    for number, packet in work:
        if wanted(number):
            yield number, (solver.run_packet(packet), machine)


def _search_all(
    work: Packets,
    threshold: tuple[int, int],
    coming: Results,
    thresholds: Thresholds,
    progress: bool,
) -> bool:
    """Takes the results of the remaining packets, up to the first one that holds a solution. Returns
    whether all of them have come."""
    bound, before = threshold
    shown = Progress("packet", len(work), work.done(), progress, f"threshold {bound}", before)
    try:
        for number, (line, machine) in coming:
            thresholds.keep(line)
            work.add(number, line)
            shown.add(machine, result_summary(line)[1])
    finally:
        coming.close()
        shown.close()
    return not work.left()


def _unsolved(solver: Solver, board: Board, threshold: tuple[int, int]) -> Solution:
    """The answer that a board has no solution below this threshold, with a longer solution if one is
    found at once."""
    answer = json.loads(solver.solve(board, node_limit=0).json())
    bound, before = threshold
    answer |= {"lower_bound": bound, "generated": before, "stopped": "time"}
    return Solution(json.dumps(answer))
