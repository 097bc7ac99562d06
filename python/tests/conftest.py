"""Fixtures that the tests share."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

import taquin
from antipode import BOARD, EASIER, HEURISTIC

# A script's background jobs ignore interrupts, and the tests of interrupts would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of databases, filled as the tests need it."""
    return tmp_path_factory.mktemp("databases")


@pytest.fixture(scope="session")
def solver(databases: Path) -> taquin.Solver:
    """The standard solver. Its databases take a second to build."""
    return taquin.Solver(pdb_dir=databases)


@pytest.fixture(scope="session")
def whole(databases: Path) -> taquin.Solution:
    """The answer of a search on one machine."""
    return taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases).solve(BOARD)


@pytest.fixture(scope="session")
def easier(databases: Path) -> taquin.Solution:
    """The answer of a search for the easier board."""
    return taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases).solve(EASIER)
