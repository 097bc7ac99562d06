"""The search for one board, in packets that Ray hands out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import ray

from .._taquin import Board, Solution, Solver, result_summary
from ._progress import Progress
from ._record import Record
from ._worker import Settings, search

PACKETS_PER_CPU = 64
"""With fewer, more is searched in vain beside the packet with the solution."""

AHEAD = 2
"""Tasks for each CPU that are handed to Ray: one runs, one waits."""


def solve(
    board: Any,
    *,
    run: str | os.PathLike[str],
    goal: Any = None,
    heuristic: str = "standard",
    pdb_dir: str | os.PathLike[str] | None = None,
    after: int = 10_000_000,
    progress: bool = True,
) -> Solution:
    """Solves a board on the Ray cluster that this process is connected to.

    Solution and numbers of nodes are those of Solver.solve. Small thresholds are searched here, up to
    one that has at least `after` nodes, and the next ones in packets. run is a folder for the record of
    the search: the same call goes on from it, after whatever has happened to this process or to the
    cluster. pdb_dir is the folder of the databases on each machine; missing ones are built.
    """
    board = board if isinstance(board, Board) else Board(board)
    folder = None if pdb_dir is None else os.fspath(pdb_dir)
    solver = Solver(goal, heuristic, pdb_dir=folder)
    settings: Settings = (solver.goal, heuristic, (board.width, board.height), folder)
    tiles = " ".join(map(str, board.tiles))
    size = f"{board.width}x{board.height}"
    identity = {"board": tiles, "size": size, "goal": solver.goal, "heuristic": heuristic}
    record = Record(run, identity)
    try:
        while True:
            packets = record.packets()
            if not packets:
                count = PACKETS_PER_CPU * _cpus()
                split = solver.packets(board, record.state(), after=after, count=count)
                if isinstance(split, Solution):
                    return split
                packets = split
                record.divide(packets)
            results = _search_all(packets, settings, record, progress)
            solution, state = solver.merge(results)
            if state is None:
                return solution
            record.exhaust(state)
    finally:
        record.close()


def _cpus() -> int:
    resources = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
    return max(1, int(resources.get("CPU", 1)))


def _search_all(
    packets: Sequence[str], settings: Settings, record: Record, progress: bool
) -> list[str]:
    """The results of all packets up to the first one that holds a solution."""
    results = record.results(packets)
    solved = [place for place, line in results.items() if result_summary(line)[0]]
    # Packets from here on are not needed.
    end = min(solved) + 1 if solved else len(packets)
    waiting = [place for place in range(len(packets)) if place not in results]
    running: dict[ray.ObjectRef[Any], int] = {}
    shown = Progress(len(packets), len(results), progress)
    try:
        while True:
            waiting = [place for place in waiting if place < end]
            for task, place in list(running.items()):
                if place >= end:
                    ray.cancel(task)
                    del running[task]
            if not waiting and not running:
                break
            # Machines may come and go.
            ahead = AHEAD * _cpus() - len(running)
            for place in waiting[: max(0, ahead)]:
                running[search.remote(packets[place], settings)] = place
            waiting = waiting[max(0, ahead) :]
            done, _ = ray.wait(list(running), timeout=1.0)
            for task in done:
                place = running.pop(task)
                line, machine = ray.get(task)
                record.keep(line)
                results[place] = line
                is_solved, nodes = result_summary(line)
                if is_solved:
                    end = min(end, place + 1)
                shown.add(machine, nodes)
    finally:
        shown.close()
        for task in running:
            ray.cancel(task)
    return [results[place] for place in range(end)]
