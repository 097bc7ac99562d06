"""Tasks, handed to Ray."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable
from typing import Any, TypeVar

import ray

MOMENT = 1.0
"""Machines that come or go are noticed after so many seconds."""

AHEAD = 2
"""Tasks for each CPU that are handed to Ray: one runs, one waits."""


def check_connected() -> None:
    if not ray.is_initialized():
        raise RuntimeError("this process is connected to no cluster: call ray.init() first")


def cpus() -> int:
    """The processors of the cluster, at least 1."""
    resources = ray.cluster_resources()  # type: ignore[no-untyped-call, unused-ignore]
    return max(1, int(resources.get("CPU", 1)))


Name = TypeVar("Name")


def results(
    function: Any,
    tasks: Iterable[tuple[Name, tuple[Any, ...]]],
    wanted: Callable[[Name], bool] = lambda name: True,
) -> Generator[tuple[Name, Any], None, None]:
    """Calls a remote function with the arguments of each task, and yields the tasks' names and results
    as they come. Tasks that are no longer wanted are cancelled or skipped. An iterator may have more
    tasks after its end, once a result has come."""
    left = iter(tasks)
    running: dict[ray.ObjectRef[Any], Name] = {}
    wide, looked = cpus(), time.monotonic()
    try:
        while True:
            for task, name in list(running.items()):
                if not wanted(name):
                    ray.cancel(task)
                    del running[task]
            if time.monotonic() - looked > MOMENT:
                wide, looked = cpus(), time.monotonic()
            room = AHEAD * wide - len(running)
            while room > 0 and (following := next(left, None)) is not None:
                name, arguments = following
                if wanted(name):
                    running[function.remote(*arguments)] = name
                    room -= 1
            if not running:
                return
            done, _ = ray.wait(list(running), timeout=MOMENT)
            for task in done:
                yield running.pop(task), ray.get(task)
    except KeyboardInterrupt:
        # Ray ends the tasks of a program that ends. To cancel a task whose result arrives can crash it:
        # https://github.com/ray-project/ray/pull/54785
        running.clear()
        raise
    finally:
        for task in running:
            ray.cancel(task)
