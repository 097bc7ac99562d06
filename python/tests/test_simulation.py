"""The simulated schedule of docs/CLUSTER.md."""

from __future__ import annotations

import sys
from collections import Counter
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

import taquin
from antipode import EASIER, HEURISTIC

pytest.importorskip("ray")
from taquin._taquin import result_summary  # noqa: E402


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / "simulate-cluster"
    loader = SourceFileLoader("simulation", str(path))
    spec = spec_from_loader("simulation", loader)
    assert spec is not None
    module = module_from_spec(spec)
    # Dataclasses look themselves up there.
    sys.modules[spec.name] = module
    loader.exec_module(module)
    return module


def test_the_schedule_of_a_few_packets(simulation: ModuleType) -> None:
    def search(packet: str, stop: int) -> tuple[int, list[str]]:
        """A packet is its number of nodes. The rest of one that is stopped is two halves."""
        nodes = int(packet)
        half = str((nodes - stop) // 2)
        return (nodes, []) if nodes <= stop else (stop, [half, half])

    def seconds(*packets: int, cores: int = 2, stop: int = 1000, **changes: float) -> tuple[float, int]:
        figures = {"rate": 10.0, "task": 0.0, "head": 1e9, "serial": 1.0, **changes}
        cluster = simulation.Cluster(search, **figures)
        time, tasks = cluster.seconds(list(map(str, packets)), cores, 1.0, lambda left: stop)
        costs = Counter[int]()
        for number, nodes in tasks:
            costs[number] += nodes
        assert [costs[number] for number in range(len(packets))] == list(packets)
        return round(time, 6), len(tasks)

    # A large packet is searched by one processor, and its rest by both.
    assert seconds(100, 10) == (11, 2)
    assert seconds(100, 10, stop=20) == (1 + 2 + 2 + 2, 8)
    assert seconds(50, 10, 10, 10, 10, 10, cores=1, stop=20) == (11, 8)
    # A processor waits for the head.
    assert seconds(*[0] * 10, cores=100, head=2.0) == (1 + 5, 10)
    assert seconds(10, 10, cores=1, task=0.5) == (4, 2)
    cluster = simulation.Cluster(search, 10.0, 0.0, 1e9, 1.0)
    assert cluster.efficiency(nodes=100, cores=2, seconds=10) == 0.5


def test_measured_packets_have_the_nodes_of_whole_ones(simulation: ModuleType, databases: Path) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases, threads=1)
    search = simulation.searched(solver)
    cluster = simulation.Cluster(search, 1e6, 0.0, 1e9, 0.0)
    packets = solver.packets(EASIER, after=300_000, count=3)
    assert isinstance(packets, list)
    nodes = [search(packet, simulation.NEVER)[0] for packet in packets]
    whole, tasks = cluster.seconds(packets, 20, 1.0, lambda left: simulation.NEVER)
    assert sorted(tasks) == list(enumerate(nodes)) and whole > max(nodes) / 1e6
    stopped, tasks = cluster.seconds(packets, 20, 1.0, lambda left: 20_000)
    assert sum(nodes for _, nodes in tasks) == sum(nodes) and len(tasks) > 20 and stopped < whole / 2
