"""The simulated schedule of docs/CLUSTER.md."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest


pytest.importorskip("ray")


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
    def seconds(*packets: float, cores: int = 2, **changes: float) -> float:
        figures = {"rate": 10.0, "task": 0.0, "head": 1e9, "serial": 1.0, **changes}
        return float(round(simulation.Cluster(**figures).seconds(list(packets), cores), 6))

    assert seconds(100, 10) == 11
    assert seconds(50, 10, 10, 10, 10, 10) == 6
    assert seconds(50, 10, 10, 10, 10, 10, cores=1) == 11
    # A processor waits for the head.
    assert seconds(*[0] * 10, cores=100, head=2.0) == 1 + 5
    assert seconds(10, 10, cores=1, task=0.5) == 4
    cluster = simulation.Cluster(10.0, 0.0, 1e9, 1.0)
    assert cluster.efficiency(nodes=100, cores=2, seconds=10) == 0.5
