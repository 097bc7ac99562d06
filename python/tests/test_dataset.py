"""Data sets: contents, files, interrupts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import taquin
from taquin import Solver

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def small() -> Solver:
    return Solver(heuristic="manhattan", pdb_dir=":memory:")


def test_the_arrays(solver: Solver) -> None:
    names = ["manhattan", "7-8:mirror"]
    found = taquin.dataset(500, seed=3, heuristics=names, solver=solver, progress=False)
    assert list(found) == ["boards", "lengths", "moves", *names, "goal", "seed"]
    assert np.array_equal(found["boards"], taquin.random_boards(500, 3))
    labels = solver.solve_many(found["boards"])
    assert np.array_equal(found["lengths"], labels.lengths)
    assert np.array_equal(found["moves"], labels.moves)
    for name in names:
        assert np.array_equal(found[name], solver.heuristics(found["boards"], name))
    assert found["goal"].tolist()[3] == [13, 14, 15, 0] and found["seed"] == 3
    dtypes = [str(array.dtype) for array in found.values()]
    assert dtypes == ["uint8", "int16", "int8", "uint8", "uint8", "uint8", "uint64"]


def test_walks_sizes_and_nothing(small: Solver) -> None:
    near = taquin.dataset(20, 1, "3x2", moves=4, solver=small)
    assert near["boards"].shape == (20, 6) and (near["lengths"] <= 4).all()
    assert taquin.dataset(0, solver=small)["moves"].shape == (0, 0)
    with pytest.raises(ValueError, match="single tiles"):
        taquin.dataset(1, solver=Solver(metric="multi", pdb_dir=":memory:"))
    spiral = Solver("spiral", "manhattan")
    assert taquin.dataset(5, size=3, solver=spiral)["goal"].tolist()[1] == [8, 0, 4]


def test_the_program_writes_the_same_file(solver: Solver, databases: Path, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.npz", tmp_path / "theirs.npz"
    taquin.dataset(300, 9, heuristics=["manhattan"], path=ours, solver=solver)
    command: list[str | Path] = [BIN / "taquin", "dataset", "-n", "300", "--seed", "9", "--out", theirs]
    command += ["--heuristics", "manhattan", "--pdb-dir", databases]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert ours.read_bytes() == theirs.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["ours.npz", "theirs.npz"]


def test_an_interrupted_set_is_finished(small: Solver, tmp_path: Path) -> None:
    def make(path: Path) -> None:
        taquin.dataset(30_000, 5, 3, path=path, solver=small, progress=False)

    make(tmp_path / "whole.npz")
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            make(tmp_path / "parts.npz")
            (tmp_path / "parts.npz").unlink()
    assert not (tmp_path / "parts.npz").exists()
    make(tmp_path / "parts.npz")
    assert (tmp_path / "parts.npz").read_bytes() == (tmp_path / "whole.npz").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["parts.npz", "whole.npz"]


def test_errors(small: Solver, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="25 cells"):
        taquin.dataset(1, size=6, solver=small)
    with pytest.raises(ValueError, match="guess"):
        taquin.dataset(1, heuristics=["guess"], solver=small)
    with pytest.raises(OSError, match="missing"):
        taquin.dataset(1, path=tmp_path / "missing" / "set.npz", solver=small)
    boards = taquin.random_boards(3, 1, size=3)
    file = taquin._taquin.WorkFile(3, 1, 3, None, ["manhattan"], "blank-last", tmp_path / "work")
    assert np.array_equal(file.draw(3), boards)
    labels, values = small.solve_many(boards), [small.heuristics(boards).tolist()]
    # Moves that are none, moves after the end, other boards, and values that do not fit.
    none, later = labels.moves.copy(), np.pad(labels.moves, ((0, 0), (0, 2)), constant_values=-1)
    none[1, 0], later[2, -1] = 4, 0
    for moves, rows, message in [
        (none, values, "not those of the next boards"),
        (np.where(none == 4, -2, none).astype(np.int8), values, "not those of the next boards"),
        (later, values, "not those of the next boards"),
        (labels.moves[::-1], values, "not those of the next boards"),
        (labels.moves, [values[0][:2]], "not those of the next boards"),
        (labels.moves, [[1, 2, 256]], "value 256"),
    ]:
        with pytest.raises(ValueError, match=message):
            file.add(moves, rows)
        assert file.done == 0
    # The same boards still come next.
    file.add(labels.moves[:1], [values[0][:1]])
    file.add(labels.moves[1:], [values[0][1:]])
    file.finish(tmp_path / "added.npz")
    whole = tmp_path / "whole.npz"
    taquin.dataset(3, 1, 3, heuristics=["manhattan"], path=whole, solver=small)
    assert (tmp_path / "added.npz").read_bytes() == whole.read_bytes()
    greedy = Solver(method="greedy", pdb_dir=":memory:")
    with pytest.raises(ValueError, match="not proved optimal"):
        taquin.dataset(20, 1, 4, solver=greedy)
    (tmp_path / "set.npz.partial").write_text("something else")
    with pytest.raises(ValueError, match="another data set"):
        taquin.dataset(1, path=tmp_path / "set.npz", solver=small)


def test_parquet(small: Solver, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "set.parquet"
    found = taquin.dataset(50, size=3, heuristics=["manhattan"], path=path, solver=small)
    table = parquet.read_table(path)
    assert table.column_names == ["boards", "lengths", "moves", "manhattan"]
    assert np.array_equal(np.array(table["boards"].to_pylist()), found["boards"])
    assert os.listdir(tmp_path) == ["set.parquet"]
