"""Tasks, handed to Ray."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from typing import Any

import ray

MOMENT = 1.0
"""Machines that come or go are noticed after so many seconds."""

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
    wide, looked = cpus(), time.monotonic()
    try:
        while True:
            for task, number in list(running.items()):
                if not wanted(number):
                    ray.cancel(task)
                    del running[task]
            if time.monotonic() - looked > MOMENT:
                wide, looked = cpus(), time.monotonic()
            room = AHEAD * wide - len(running)
            while room > 0 and (following := next(left, None)) is not None:
                number, arguments = following
                if wanted(number):
                    running[function.remote(*arguments)] = number
                    room -= 1
            if not running:
                return
            done, _ = ray.wait(list(running), timeout=MOMENT)
            for task in done:
                yield running.pop(task), ray.get(task)
    finally:
        for task in running:
            ray.cancel(task)
