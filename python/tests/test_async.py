"""Searches that an event loop waits for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import pytest

import taquin
from taquin import Board, Solver

FAR = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
PLAIN = Solver(heuristic="manhattan", pdb_dir=":memory:", threads=1)
"""Its search for FAR takes minutes."""


def test_the_loop_goes_on_while_a_board_is_solved(solver: Solver) -> None:
    async def work() -> int:
        ticks = 0
        waiting = asyncio.ensure_future(PLAIN.solve_async(FAR, time_limit=0.5))
        while not waiting.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert (await waiting).stopped == "time"
        return ticks

    assert asyncio.run(work()) > 10

    async def several() -> list[taquin.Solution]:
        boards = [Board.random(seed=seed) for seed in range(5)]
        return await asyncio.gather(*(solver.solve_async(board) for board in boards))

    assert asyncio.run(several()) == [solver.solve(Board.random(seed=seed)) for seed in range(5)]


def test_limits_and_errors() -> None:
    limited = PLAIN.solve_async(FAR, node_limit=1e4, gap=1)
    assert asyncio.run(limited).stopped in ("nodes", "gap")
    for search in (PLAIN.solve_async("1 1"), PLAIN.solve_async(FAR, gap=-1)):
        with pytest.raises(ValueError, match="board: |gap: "):
            asyncio.run(search)


def test_a_cancelled_task_ends_its_search() -> None:
    def seconds(search: Coroutine[Any, Any, object]) -> float:
        begun = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            # When the loop is closed, it waits for its threads.
            asyncio.run(search)
        return time.monotonic() - begun

    async def wait() -> None:
        await asyncio.wait_for(PLAIN.solve_async(FAR), 0.3)

    assert seconds(wait()) < 10


def test_other_calls_run_in_a_thread() -> None:
    """The recipe of docs/PYTHON.md."""

    async def label() -> taquin.Labels:
        return await asyncio.to_thread(PLAIN.solve_many, taquin.walks(5, 10, 1))

    assert asyncio.run(label()).optimal.all()
