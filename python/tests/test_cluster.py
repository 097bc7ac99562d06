"""Work over Ray: the answers of one machine."""

import json
from collections.abc import Iterator
from pathlib import Path

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
