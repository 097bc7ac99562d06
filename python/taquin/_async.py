"""Searches that an event loop waits for: a method of Solver."""

from __future__ import annotations

from typing import Any

from ._taquin import Cancel, Solution, Solver


async def solve_async(self: Solver, board: Any, **limits: Any) -> Solution:
    """Solves a board as solve does, in a thread of asyncio.

    If the task that waits for it is cancelled, so is the search. The limits are time_limit, node_limit and gap.
    """
    # It takes as long to import as the programs take to start.
    import asyncio

    cancel = Cancel()
    try:
        return await asyncio.to_thread(self._solve_until, cancel, board, **limits)
    except asyncio.CancelledError:
        # The thread would go on.
        cancel.cancel()
        raise
