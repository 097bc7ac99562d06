"""Searches over Ray give the same answer, whatever is lost on the way.

These tests kill processes and take minutes. `pytest -m faults` runs each once at a random moment, and
`TIMES=10 pytest -m faults` ten times.
"""

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import taquin
from antipode import BOARD, HEURISTIC, is_equal

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402
from taquin.cluster import solve  # noqa: E402

pytestmark = [
    pytest.mark.faults,
    pytest.mark.parametrize("number", range(int(os.environ.get("TIMES", "1")))),
]

AFTER = 300_000

MOMENTS = 6.0
"""Faults come up to so many seconds after the first result. The search takes some 10."""


@contextmanager
def machines(count: int = 2) -> Iterator[Cluster]:
    """A cluster of machines of one processor."""
    cluster = Cluster()
    try:
        for _ in range(count):
            add(cluster)
        yield cluster
    finally:
        with suppress(Exception):
            # Its head may be dead.
            cluster.shutdown()  # type: ignore[no-untyped-call, unused-ignore]


def add(cluster: Cluster) -> subprocess.Popen[bytes]:
    """Adds a machine, and returns the process whose death is that of the machine."""
    machine = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    process: subprocess.Popen[bytes] = machine.all_processes["raylet"][0].process
    return process


@contextmanager
def connected(cluster: Cluster) -> Iterator[None]:
    ray.init(address=cluster.address, log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()


def search(databases: Path, run: Path) -> taquin.Solution:
    return solve(BOARD, run=run, heuristic=HEURISTIC, pdb_dir=databases, after=AFTER)


class Program:
    """`python -m taquin.cluster solve`, in a process of its own."""

    def __init__(self, cluster: Cluster, databases: Path, run: Path) -> None:
        self.run = run
        command = [sys.executable, "-m", "taquin.cluster", "solve", "--json", "--run", str(run)]
        command += ["--address", str(cluster.address), "--heuristic", HEURISTIC]
        command += ["--pdb-dir", str(databases), "--after", str(AFTER), BOARD]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for_a_moment(self) -> None:
        """Waits for the first result, and then for a random time."""
        while self.process.poll() is None and not any(self.run.glob("*.results")):
            time.sleep(0.05)
        time.sleep(random.uniform(0, MOMENTS))
        assert self.process.poll() is None, "the search ended before the fault"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def is_equal(self, whole: taquin.Solution) -> bool:
        out, err = self.process.communicate(timeout=300)
        assert self.process.returncode == 0, err.decode()
        answer, expected = json.loads(out), json.loads(whole.json())
        names = ("moves", "generated", "expanded", "lower_bound", "optimal", "heuristic")
        return all(answer[name] == expected[name] for name in names)


def test_lost_workers(number: int, databases: Path, whole: taquin.Solution, tmp_path: Path) -> None:
    """Processes are killed in the middle of packets."""
    killed: list[int] = []
    done = threading.Event()

    def kill() -> None:
        # A new process takes seconds to start.
        while len(killed) < 3 and not done.wait(random.uniform(3, 5)):
            for process in psutil.process_iter(["cmdline"]):
                if (process.info["cmdline"] or [""])[0].startswith("ray::search"):
                    with suppress(psutil.NoSuchProcess):
                        process.kill()
                        killed.append(process.pid)
                    break

    with machines() as cluster, connected(cluster):
        thread = threading.Thread(target=kill)
        thread.start()
        try:
            assert is_equal(search(databases, tmp_path / "run"), whole)
        finally:
            done.set()
            thread.join()
    assert killed, "the search ended before a process was killed"


def test_a_lost_machine(number: int, databases: Path, whole: taquin.Solution, tmp_path: Path) -> None:
    """A machine disappears without notice, and another one is added."""
    with machines(1) as cluster:
        lost = add(cluster)
        program = Program(cluster, databases, tmp_path / "run")
        program.wait_for_a_moment()
        lost.kill()
        add(cluster)
        assert program.is_equal(whole)


def test_a_killed_driver(number: int, databases: Path, whole: taquin.Solution, tmp_path: Path) -> None:
    """The program is killed, and started again on the same cluster."""
    with machines() as cluster:
        program = Program(cluster, databases, tmp_path / "run")
        program.wait_for_a_moment()
        program.kill()
        assert Program(cluster, databases, tmp_path / "run").is_equal(whole)


def test_a_killed_head(number: int, databases: Path, whole: taquin.Solution, tmp_path: Path) -> None:
    """The head and the program are killed. A new cluster goes on."""
    with machines() as cluster:
        program = Program(cluster, databases, tmp_path / "run")
        program.wait_for_a_moment()
        head: Any = cluster.head_node
        for processes in head.all_processes.values():
            for info in processes:
                info.process.kill()
        program.kill()
    with machines(3) as cluster:
        assert Program(cluster, databases, tmp_path / "run").is_equal(whole)


def test_a_record_cut_short(
    number: int, databases: Path, whole: taquin.Solution, tmp_path: Path
) -> None:
    """The program is killed while it writes a line of the record."""
    with machines() as cluster:
        program = Program(cluster, databases, tmp_path / "run")
        program.wait_for_a_moment()
        program.kill()
        for file in (tmp_path / "run").glob("*.results"):
            text = file.read_bytes()
            last = len(text) - text.rfind(b"\n", 0, -1) - 1
            file.write_bytes(text[: len(text) - random.randrange(1, max(last, 2))])
        assert Program(cluster, databases, tmp_path / "run").is_equal(whole)
