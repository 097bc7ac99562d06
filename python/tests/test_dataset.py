"""Data sets: contents, files, interrupts."""

from __future__ import annotations

import errno
import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Solver, _dataset


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
    near = taquin.dataset(20, 1, "3x2", moves=4, unique=False, solver=small)
    assert near["boards"].shape == (20, 6) and (near["lengths"] <= 4).all()
    nothing = taquin.dataset(0, heuristics=["manhattan"], solver=small)
    assert nothing["moves"].shape == (0, 0) and nothing["moves"].dtype == np.int8
    assert nothing["manhattan"].dtype == np.uint8 and nothing["lengths"].dtype == np.int16
    spiral = Solver("spiral", "manhattan")
    assert taquin.dataset(5, size=3, solver=spiral)["goal"].tolist()[1] == [8, 0, 4]


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


def keep(path: Path, starts: list[tuple[int, int]], small: Solver, n: int = 300) -> None:
    """Leaves these chunks of a data set, as an interrupted call does."""
    with _dataset.DataSet(n, 5, 3, None, ["manhattan"], small.goal, path) as made:
        for start, stop in starts:
            labels, _ = _dataset.label(small, made.boards[start:stop], (3, 3), ["manhattan"])
            made.add(start, labels)
        assert made.done == sum(stop - start for start, stop in starts)


def test_only_what_is_missing_is_made(
    small: Solver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(path: Path) -> dict[str, Any]:
        return taquin.dataset(
            300, 5, 3, heuristics=["manhattan"], path=path, solver=small, progress=False
        )

    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    made = make(whole)
    # Chunks of any size, in any order. A damaged one is made again.
    keep(parts, [(200, 210), (0, 70)], small)
    damaged = tmp_path / "parts.npz.partial" / "100-150.npz"
    first = tmp_path / "parts.npz.partial" / "0-70.npz"
    damaged.write_bytes(first.read_bytes()[:-1])
    solved: list[int] = []
    label = _dataset.label

    def counted(*given: Any) -> Any:
        solved.append(len(given[1]))
        return label(*given)

    monkeypatch.setattr(_dataset, "label", counted)
    assert all(np.array_equal(a, b) for a, b in zip(made.values(), make(parts).values(), strict=True))
    assert sum(solved) == 300 - 80
    assert parts.read_bytes() == whole.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["parts.npz", "whole.npz"]
    with np.load(parts) as arrays:
        assert list(arrays) == list(made)


def test_a_folder_belongs_to_its_set(small: Solver, tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    keep(path, [(0, 20)], small)
    others: list[dict[str, Any]] = [
        {"n": 301}, {"seed": 6}, {"unique": False}, {"distance": 20}, {"moves": 40}, {"heuristics": []}, {"size": "3x2"}, {"solver": Solver("spiral")}
    ]
    same: dict[str, Any] = {
        "n": 300, "seed": 5, "size": 3, "heuristics": ["manhattan"], "solver": small, "path": path
    }
    for other in others:
        with pytest.raises(ValueError, match="the run of another task"):
            taquin.dataset(**(same | other))
    with _dataset.DataSet(300, 5, 3, None, ["manhattan"], small.goal, path) as made:
        assert made.done == 20
        with pytest.raises(ValueError, match="another program uses"):
            taquin.dataset(**same)
    # A set without boards leaves no folder.
    with pytest.raises(ValueError, match="not proved optimal"):
        taquin.dataset(20, 1, 4, solver=Solver(method="greedy", pdb_dir=":memory:"), path=tmp_path / "a.npz")
    assert os.listdir(tmp_path) == ["set.npz.partial"]


def test_errors(small: Solver, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="25 cells"):
        taquin.dataset(1, size=6, solver=small)
    with pytest.raises(ValueError, match="^heuristics: .*guess"):
        taquin.dataset(1, heuristics=["guess"], solver=small)
    with pytest.raises(ValueError, match="named twice"):
        taquin.dataset(1, heuristics=["manhattan"] * 2, solver=small)
    for name in ("set.csv", "set"):
        with pytest.raises(ValueError, match=f"path: .*{name} does not end with"):
            taquin.dataset(1, path=tmp_path / name, solver=small)


def fifo(path: Path) -> None:
    path.parent.mkdir()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("prepare", "code"),
    [
        (lambda path: None, errno.ENOENT),
        (lambda path: path.parent.touch(), errno.ENOTDIR),
        (lambda path: path.mkdir(parents=True), errno.EINVAL),
        (fifo, errno.EINVAL),
        (lambda path: path.parent.mkdir() or path.symlink_to("/proc/set.npz"), errno.ENOENT),
    ],
)
def test_errors_of_files_name_them(
    prepare: Callable[[Path], object], code: int, small: Solver, tmp_path: Path
) -> None:
    path = tmp_path / "folder" / "set.npz"
    prepare(path)
    with pytest.raises(OSError) as caught:
        taquin.dataset(1, size=3, path=path, solver=small)
    assert caught.value.errno == code
    assert caught.value.filename in (str(path), str(path.parent), "/proc")
    assert not path.with_name("set.npz.partial").exists()


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_a_link_stays(suffix: str, small: Solver, tmp_path: Path) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    (tmp_path / "folder").mkdir()
    link, file = tmp_path / f"link.{suffix}", tmp_path / "folder" / f"set.{suffix}"
    link.symlink_to(file)
    taquin.dataset(5, size=3, path=link, solver=small, progress=False)
    assert link.is_symlink() and os.listdir(file.parent) == [file.name]


def test_parquet(small: Solver, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "set.parquet"
    found = taquin.dataset(50, size=3, heuristics=["manhattan"], path=path, solver=small)
    table = parquet.read_table(path)
    assert table.column_names == ["boards", "lengths", "moves", "manhattan"]
    assert np.array_equal(np.array(table["boards"].to_pylist()), found["boards"])
    assert table.schema.metadata[b"taquin.seed"] == b"1"
    assert os.listdir(tmp_path) == ["set.parquet"]
