"""The simulated schedule of docs/CLUSTER.md."""

from __future__ import annotations

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
    loader.exec_module(module)
    return module


def test_the_schedule_of_a_few_packets(simulation: ModuleType) -> None:
    Task = simulation.Task
    machine = simulation.Machine(rate=10.0, task=0.0, head=1e9, serial=1.0)

    def seconds(*packets: object, cores: int = 2, **changes: float) -> tuple[float, int]:
        changed = simulation.Machine(**{**vars(machine), **changes})
        time, tasks = changed.schedule(list(packets), cores, 1.0)
        return round(time, 6), tasks

    # A large packet is searched by one processor, and its rest by both.
    assert seconds(Task(100), Task(10)) == (11, 2)
    assert seconds(Task(20, [Task(40), Task(40)]), Task(10)) == (1 + 2 + 4, 4)
    # The rest of the first packet is handed out before the last packets.
    assert seconds(Task(10, [Task(50)]), *[Task(10)] * 5, cores=1) == (11, 7)
    # A processor waits for the head.
    assert seconds(*[Task(0)] * 10, cores=100, head=2.0) == (1 + 5, 10)
    assert seconds(Task(10), Task(10), cores=1, task=0.5) == (4, 2)
    assert machine.efficiency(nodes=100, cores=2, seconds=10) == 0.5


def test_measured_packets_have_the_nodes_of_whole_ones(simulation: ModuleType, databases: Path) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases, threads=1)
    for packet in solver.packets(EASIER, after=300_000, count=3):
        task = simulation.measured(solver, packet, 20_000)
        assert task.rest and task.all() == result_summary(solver.run_packet(packet))[1]
