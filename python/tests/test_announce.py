"""Databases that take long to build are announced."""

from __future__ import annotations

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import taquin
from taquin import Board, Solver


class Bar:
    """A bar of tqdm that can be seen."""

    bars: list[Bar] = []
    disable = False

    def __init__(self, desc: str, total: int, **_: Any) -> None:
        self.desc, self.total, self.n, self.is_closed = desc, total, 0, False
        Bar.bars.append(self)

    def update(self, done: int) -> None:
        assert done > 0
        self.n += done

    def close(self) -> None:
        self.is_closed = True


def test_a_log_line_without_tqdm(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    solver = Solver(pdb_dir=":memory:", threads=1)
    solver.prepare()
    solver.solve(Board.random(seed=2))
    [record] = caplog.records
    assert (record.name, record.levelno) == ("taquin", logging.WARNING)
    assert record.getMessage().startswith("building the 7-8 databases for 4x4 boards in memory (")


def test_a_hidden_bar_is_a_log_line(caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("tqdm")
    Solver(pdb_dir=":memory:").prepare()
    assert len(caplog.records) == 1


def test_a_bar_with_tqdm(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    auto = pytest.importorskip("tqdm.auto")
    monkeypatch.setattr(auto, "tqdm", Bar)
    monkeypatch.setattr(Bar, "bars", [])
    solver = Solver(pdb_dir=tmp_path, threads=1)
    solver.heuristics(taquin.random_boards(5, 1))
    [bar] = Bar.bars
    assert f"in {tmp_path} (" in bar.desc and bar.is_closed and not caplog.records
    assert 0 < bar.n <= bar.total and bar.total > 100_000_000
    # Nothing is built the second time, nor anything large for a small board.
    Solver(pdb_dir=tmp_path).prepare()
    Solver(pdb_dir=":memory:").solve("8 6 7 / 2 5 4 / 3 0 1")
    assert len(Bar.bars) == 1 and not caplog.records


def test_an_exception_of_the_bar_ends_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    auto = pytest.importorskip("tqdm.auto")

    def broken(**_: Any) -> None:
        raise RuntimeError("no bar")

    monkeypatch.setattr(auto, "tqdm", broken)
    solver = Solver(pdb_dir=":memory:", threads=1)
    with pytest.raises(RuntimeError, match="no bar"):
        solver.prepare()
    monkeypatch.undo()
    solver.prepare()


def test_threads_that_build_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    auto = pytest.importorskip("tqdm.auto")
    monkeypatch.setattr(auto, "tqdm", Bar)
    monkeypatch.setattr(Bar, "bars", [])
    solvers = [Solver(pdb_dir=":memory:", threads=1) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda solver: solver.solve(Board()).length, solvers)) == [0, 0]
        list(pool.map(lambda solver: solver.prepare(), solvers))
    # There is one place to show them.
    assert Bar.bars and all(bar.n <= bar.total for bar in Bar.bars)


def test_databases_that_cannot_stay(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TAQUIN_PDB_DIR", str(tmp_path / "file"))
    assert Solver(heuristic="6-6-3").solve(Board.random(seed=1)).optimal
    [record] = caplog.records
    assert "cannot write to" in record.getMessage() and "stay in memory" in record.getMessage()
