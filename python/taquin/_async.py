"""Searches that an event loop waits for."""

from __future__ import annotations

import asyncio
from typing import Any

from ._taquin import Cancel, Solution, Solver


async def solve(solver: Solver, board: Any, **limits: Any) -> Solution:
    """See `Solver.solve_async`."""
    cancel = Cancel()
    try:
        return await asyncio.to_thread(solver._solve_until, cancel, board, **limits)
    except asyncio.CancelledError:
        # The thread would go on.
        cancel.cancel()
        raise
