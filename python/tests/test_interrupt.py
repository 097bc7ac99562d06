"""Ctrl-C ends any work soon, and other Python threads run meanwhile."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import taquin
from taquin import Solver

# A 5x5 board that Manhattan distance alone does not solve in hours.
HARD = "11 12 2 22 23 / 6 17 20 9 16 / 1 0 5 4 13 / 24 7 15 14 3 / 18 21 19 8 10"
PLAIN = Solver(heuristic="manhattan")


def solve(_: Path) -> None:
    PLAIN.solve(HARD)


def solve_by_a_star(_: Path) -> None:
    Solver(heuristic="manhattan", method="astar").solve(HARD)


def solve_many(_: Path) -> None:
    PLAIN.solve_many([HARD] * 100)


def solutions(_: Path) -> None:
    PLAIN.solutions(HARD)


def build(folder: Path) -> None:
    Solver(pdb_dir=folder, heuristic="7-8").prepare()


def build_in_memory(_: Path) -> None:
    # Tables that ignore the blank.
    Solver(pdb_dir=":memory:", heuristic="7-8:plain").prepare()


def build_large(folder: Path) -> None:
    Solver(pdb_dir=folder, heuristic="6-6-6-6").prepare(5)


def heuristics(_: Path) -> None:
    boards = taquin.random_boards(200_000, 1)
    solver = Solver(pdb_dir=":memory:", heuristic="5-5-5")
    while True:
        solver.heuristics(boards)


def draw(_: Path) -> None:
    taquin.walks(10_000, 1_000_000, 1)


@pytest.mark.parametrize(
    "work",
    [
        solve,
        solve_by_a_star,
        solve_many,
        solutions,
        build,
        build_in_memory,
        build_large,
        heuristics,
        draw,
    ],
)
def test_an_interrupt_ends_work(work: Callable[[Path], None], tmp_path: Path) -> None:
    sent = []

    def interrupt() -> None:
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        work(tmp_path)
        time.sleep(1)
        raise AssertionError("the work is too little")
    delay = time.monotonic() - sent[0]
    thread.join()
    print(f"{work.__name__}: {1000 * delay:.0f} ms")
    # 0.2 s on an idle machine.
    assert delay < float(os.environ.get("TAQUIN_TEST_DELAY", "1"))


def test_a_solver_works_after_an_interrupt(tmp_path: Path) -> None:
    solver = Solver(pdb_dir=tmp_path, heuristic="7-8:mirror")
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.prepare()
        time.sleep(1)
    assert solver.solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1").length == 80


def test_other_threads_run_during_a_search() -> None:
    counted = 0

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    PLAIN.solve(HARD, time_limit=0.5)
    done.set()
    thread.join()
    assert counted > 50


def test_a_handler_of_ones_own_need_not_end_a_search() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    try:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        assert PLAIN.solve(HARD, time_limit=0.4).stopped == "time"
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard
