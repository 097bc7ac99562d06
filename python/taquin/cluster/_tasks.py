"""Tasks, handed to Ray."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

import ray

AHEAD = 2
"""Tasks for each CPU that are handed to Ray: one runs, one waits."""


def cpus() -> int:
    """The processors of the cluster, at least 1."""
    resources = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
    return max(1, int(resources.get("CPU", 1)))


def results(
    function: Any,
    tasks: Iterable[tuple[int, tuple[Any, ...]]],
    wanted: Callable[[int], bool] = lambda number: True,
) -> Generator[tuple[int, Any], None, None]:
    """Calls a remote function with the arguments of each task, and yields the tasks' numbers and
    results as they come. Tasks that are no longer wanted are cancelled or left out."""
    left = iter(tasks)
    running: dict[ray.ObjectRef[Any], int] = {}
    try:
        while True:
            for task, number in list(running.items()):
                if not wanted(number):
                    ray.cancel(task)
                    del running[task]
            # Machines may come and go.
            room = AHEAD * cpus() - len(running)
            while room > 0 and (following := next(left, None)) is not None:
                number, arguments = following
                if wanted(number):
                    running[function.remote(*arguments)] = number
                    room -= 1
            if not running:
                return
            done, _ = ray.wait(list(running), timeout=1.0)
            for task in done:
                yield running.pop(task), ray.get(task)
    finally:
        for task in running:
            ray.cancel(task)
