"""A search over Ray: the answer of one machine, whatever is lost on the way.

Tests that kill processes take minutes: `pytest -m faults` runs them.
"""

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
import taquin

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402
from taquin.cluster import RunError, solve  # noqa: E402

BOARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
HEURISTIC = "6-6-3:mirror"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="module")
def whole(folder: Path) -> taquin.Solution:
    return taquin.Solver(heuristic=HEURISTIC, pdb_dir=folder).solve(BOARD)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two machines of one processor."""
    cluster = Cluster()
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()  # type: ignore[no-untyped-call, unused-ignore]


@contextmanager
def killing() -> Iterator[list[int]]:
    """Kills three processes while they search. Yields those that were killed."""
    killed: list[int] = []
    done = threading.Event()

    def kill() -> None:
        # A new process takes seconds to start.
        while len(killed) < 3 and not done.wait(3):
            for process in psutil.process_iter(["cmdline"]):
                if (process.info["cmdline"] or [""])[0].startswith("ray::search"):
                    with suppress(psutil.NoSuchProcess):
                        process.kill()
                        killed.append(process.pid)
                    break

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def is_equal(solution: taquin.Solution, whole: taquin.Solution) -> bool:
    fields = ("moves", "nodes", "expanded", "lower_bound", "optimal", "heuristic")
    return all(getattr(solution, field) == getattr(whole, field) for field in fields)


def search(folder: Path, run: Path) -> taquin.Solution:
    return solve(BOARD, run=run, heuristic=HEURISTIC, pdb_dir=folder, after=300_000)


def test_machines(
    cluster: Cluster, folder: Path, whole: taquin.Solution, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert is_equal(search(folder, run), whole)
    # The record of a search that is done has the answer. Results that were cut short are made again.
    assert is_equal(search(folder, run), whole)
    [results] = run.glob("*.results")
    text = results.read_bytes()
    results.write_bytes(text[: len(text) // 2])
    assert is_equal(search(folder, run), whole)
    assert sorted(results.read_bytes().splitlines()) == sorted(set(results.read_bytes().splitlines()))
    with pytest.raises(RunError, match="another search"):
        solve("1 2 3 / 4 5 6 / 7 0 8", run=run)
    with pytest.raises(RunError, match="not empty"):
        solve(BOARD, run=folder)


@pytest.mark.faults
def test_lost_workers(
    cluster: Cluster, folder: Path, whole: taquin.Solution, tmp_path: Path
) -> None:
    with killing() as killed:
        assert is_equal(search(folder, tmp_path / "run"), whole)
    assert killed


@pytest.mark.faults
def test_a_lost_machine(
    cluster: Cluster, folder: Path, whole: taquin.Solution, tmp_path: Path
) -> None:
    machine = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    raylet = machine.all_processes["raylet"][0].process
    lose = threading.Timer(3, raylet.kill)
    lose.start()
    assert is_equal(search(folder, tmp_path / "run"), whole)
    assert raylet.poll() is not None, "the search ended before the machine was lost"


@pytest.mark.faults
def test_a_killed_search_goes_on(
    folder: Path, whole: taquin.Solution, tmp_path: Path
) -> None:
    """The program and its whole cluster are killed again and again, and results are cut short."""
    run = tmp_path / "run"
    command = [sys.executable, "-m", "taquin.cluster", "solve", "--run", str(run), "--json"]
    command += ["--heuristic", HEURISTIC, "--pdb-dir", str(folder), "--after", "300000", BOARD]
    for _ in range(3):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        before = sum(file.stat().st_size for file in run.glob("*.results"))
        for _ in range(600):
            time.sleep(0.05)
            files = list(run.glob("*.results"))
            if child.poll() is not None or sum(f.stat().st_size for f in files) > before:
                break
        assert child.poll() is None, "the search ended before it was killed"
        others = psutil.Process(child.pid).children(recursive=True)
        child.kill()
        child.wait()
        for other in others:
            with suppress(psutil.NoSuchProcess):
                other.kill()
        for file in run.glob("*.results"):
            text = file.read_bytes()
            file.write_bytes(text[: len(text) - random.randrange(1, 40)])
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert all(answer[name] == getattr(whole, name) for name in answer), answer


def test_packets(folder: Path, whole: taquin.Solution) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=folder)
    state = None
    while True:
        packets = solver.packets(BOARD, state, after=1_000_000, count=5)
        assert isinstance(packets, list)
        results = [solver.run_packet(packet) for packet in packets]
        assert results[0] == solver.run_packet(packets[0])
        with pytest.raises(ValueError, match="no result"):
            solver.merge(results[1:])
        solution, state = solver.merge(results[::-1])
        if state is None:
            break
        assert solution.moves is None and not solution.optimal
    assert is_equal(solution, whole)
    assert isinstance(solver.packets("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"), taquin.Solution)
    for packet in ("", "{}", packets[0][:-1], packets[0].replace("1", "2", 1)):
        with pytest.raises(ValueError, match="damaged"):
            solver.run_packet(packet)
