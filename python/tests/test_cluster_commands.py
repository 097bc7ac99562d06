"""`python -m taquin.cluster`: its errors and messages, which need no cluster of several machines."""

from __future__ import annotations

import io
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import taquin
from antipode import EASIER, HEURISTIC

ray = pytest.importorskip("ray")
from taquin.cluster import _connect, _progress  # noqa: E402
from taquin.cluster.__main__ import main  # noqa: E402
from taquin._dataset import DataSet, label  # noqa: E402
from taquin._run import Run, RunError  # noqa: E402
from taquin.cluster._thresholds import Thresholds  # noqa: E402

NEAR = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"


def command(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    names = ("RAY_ADDRESS", "RAY_AUTH_MODE", "RAY_AUTH_TOKEN")
    own = {name: value for name, value in os.environ.items() if name not in names}
    line = [sys.executable, "-m", "taquin.cluster", *map(str, arguments)]
    return subprocess.run(
        line, capture_output=True, text=True, timeout=120, env={**own, **environment}
    )


@contextmanager
def listener(answers: bool) -> Iterator[str]:
    """An address at which nobody answers: without a listener, or with one that is silent."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        if answers:
            server.listen(50)
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.long
@pytest.mark.parametrize(
    ("answers", "message"), [(False, "nobody answers at"), (True, "not the head of a Ray cluster")]
)
def test_an_address_that_nobody_answers(answers: bool, message: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    with listener(answers) as address:
        done = command("solve", "--run", tmp_path / "run", "--address", address, NEAR)
    assert time.monotonic() - begun < 30
    assert done.returncode == 2 and message in done.stderr.splitlines()[-1], done.stderr
    assert not done.stdout and not (tmp_path / "run").exists()


def test_a_mode_without_a_token_is_told(tmp_path: Path) -> None:
    given = ["solve", "--run", str(tmp_path / "run"), "--address", "127.0.0.1:1", NEAR]
    missing = str(tmp_path / "missing")
    for environment in ({"HOME": missing}, {"RAY_AUTH_TOKEN_PATH": missing}):
        done = command(*given, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN="", **environment)
        assert done.returncode == 2, done.stderr
        assert done.stderr.splitlines()[-1].startswith("taquin.cluster: RAY_AUTH_MODE is token"), done.stderr


@pytest.mark.long
def test_a_missing_token_is_named(tmp_path: Path) -> None:
    with listener(False) as address:
        port = address.rpartition(":")[2]
    token = secrets.token_hex(32)
    secret = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": token}
    ray_command = Path(sys.executable).with_name("ray")
    # It stays in the foreground, so that this test ends it and no other.
    start: list[str | Path] = [ray_command, "start", "--head", "--port", port, "--num-cpus", "1"]
    start += ["--include-dashboard", "false", "--object-store-memory", "100000000", "--block"]
    # The names of sockets are short.
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    start += ["--temp-dir", folder]
    head = subprocess.Popen(
        start, env={**os.environ, **secret}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            time.sleep(0.1)
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", int(port))) == 0:
                    break
        given = ["solve", "--run", str(tmp_path / "run"), "--address", address, NEAR]
        for environment in ({}, {**secret, "RAY_AUTH_TOKEN": secrets.token_hex(32)}):
            begun = time.monotonic()
            done = command(*given, **environment)
            last = done.stderr.splitlines()[-1]
            assert done.returncode == 2 and "RAY_AUTH_TOKEN" in last, done.stderr
            assert time.monotonic() - begun < 30
    finally:
        head.terminate()
        head.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def test_large_boards_are_refused_with_the_limit(tmp_path: Path) -> None:
    board = " ".join(map(str, [*range(1, 35), 0, 35]))
    done = command("solve", "--run", tmp_path / "run", board)
    assert done.returncode == 2 and not (tmp_path / "run").exists()
    assert "more than 25 cells are not solved optimally, and this is a 6x6 board" in done.stderr


def test_errors_of_files_name_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = tmp_path / "boards.txt"
    run = ["--run", str(tmp_path / "run")]
    boards.write_bytes(b"1 2 3 / 4 5 6 / 7 8 \xff")
    for path in (boards, tmp_path / "none.txt", tmp_path, Path("/proc/self/mem")):
        assert main(["batch", *run, str(path)]) == 2
        assert f"{path}" in capsys.readouterr().err
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{")
    assert main(["status", str(tmp_path / "run")]) == 2
    assert f"{tmp_path / 'run' / 'run.json'} is damaged" in capsys.readouterr().err
    with pytest.raises(RunError, match="run.json is damaged"):
        Run(tmp_path / "run", {})


def test_wrong_options_are_refused_before_ray_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_connect, "connect", lambda address: pytest.fail("Ray is started"))
    (tmp_path / "file").touch()
    board, run, file = "1 2 3 / 4 0 6 / 7 5 8", str(tmp_path / "run"), str(tmp_path / "file")
    boards = str(tmp_path / "boards.txt")
    Path(boards).write_text(f"{board}\n")
    for given, message in [
        (["solve", "--run", run, "--heuristic", "guess", board], "heuristic: "),
        (["solve", "--run", run, "--goal", "corner", board], "goal: "),
        (["solve", "--run", file, board], f"{file}: not a folder"),
        (["hunt", "--run", run, "--heuristic", "guess"], "heuristic: "),
        (["dataset", "--out", f"{run}.npz", "--heuristics", "manhattan,guess"], "heuristics: "),
        (["batch", "--run", run, "--metric", "multi", "--heuristic", "walking-distance", boards], "heuristic: "),
        (["solve", "--run", run, "--pdb-dir", file, board], "pdb_dir: "),
    ]:
        assert main(given) == 2
        assert message in capsys.readouterr().err


def test_without_a_cluster_the_calls_say_so(tmp_path: Path) -> None:
    from taquin import cluster

    run, path = tmp_path / "run", tmp_path / "set.npz"
    calls: list[Callable[[], object]] = [
        lambda: cluster.batch(["1 2 3 0"], run=run),
        lambda: cluster.solve("1 2 3 0", run=run),
        lambda: cluster.hunt(1, run=run),
        lambda: cluster.dataset(1, path=path),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="call ray.init"):
            call()
    assert not any(tmp_path.iterdir())


def lines_of(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["status", str(path)]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.long
def test_a_search_within_a_time_limit_and_its_status(
    databases: Path,
    tmp_path: Path,
    easier: taquin.Solution,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = tmp_path / "run"
    given: list[str | Path] = ["solve", "--run", run, "--heuristic", HEURISTIC, EASIER]
    given += ["--pdb-dir", databases, "--after", "0.3M"]
    done = command(*given, "--time-limit", "1ms", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1 and not answer["optimal"] and answer["stopped"] == "time"
    assert 40 < answer["lower_bound"] <= 80 and "stopped by the time limit" in done.stderr
    [line] = [line for line in lines_of(run, capsys) if line.startswith("left: ")]
    assert line.endswith(" packets")
    # The same command without the limit goes on.
    done = command(*given)
    assert (done.stdout, done.returncode) == (f"{easier.moves}\n", 0), done.stderr
    last = done.stderr.splitlines()[-1]
    assert f"80 moves, optimal; {easier.nodes:,} nodes; " in last and last.endswith(" s")
    # Its answer is there without Ray, for this task alone.
    with monkeypatch.context() as patch:
        patch.setattr(_connect, "connect", lambda address: pytest.fail("Ray is started"))
        assert main(list(map(str, given))) == 0 and capsys.readouterr().out == f"{easier.moves}\n"
        other = [NEAR if argument == EASIER else str(argument) for argument in given]
        assert main(other) == 2 and "another task" in capsys.readouterr().err
    found = lines_of(run, capsys)
    assert found[0] == f"solve to blank-last, heuristic {HEURISTIC}" and "4x4 (0, 12" in found[1]
    assert found[2] == "solved: 80 moves, optimal" and "no program works on it" in found[3]
    # As a program leaves it that is killed before the results are joined.
    (run / "solved.json").unlink()
    found = lines_of(run, capsys)
    assert "threshold 80: " in found[3] and "solution of 80 moves" in found[4]
    assert found[5] == "left: the join of the results" and "no program works on it" in found[6]
    # Half of the results, as a killed program leaves them.
    [results] = run.glob("*.results")
    text = results.read_bytes()
    results.write_bytes(text[: len(text) // 2])
    [line] = [line for line in lines_of(run, capsys) if line.startswith("threshold")]
    whole = [line for line in results.read_bytes().split(b"\n")[:-1]]
    assert f": {len(whole):,} of " in line
    # A damaged file of packets is named.
    [packets] = run.glob("*.packets")
    packets.write_bytes(packets.read_bytes().replace(b'"first":0', b'"first":1', 1))
    task = json.loads((run / "run.json").read_text())
    del task["schema"]
    record = Run(run, task)
    with pytest.raises(RunError, match=f"{packets}, line 1: "):
        Thresholds(record).packets()
    assert main(["status", str(run)]) == 2 and f"{packets}, line 1: " in capsys.readouterr().err
    packets.unlink()
    found = lines_of(run, capsys)
    assert found[3].startswith("left: the next threshold") and found[4].startswith("a program works")
    record.close()


@pytest.mark.long
def test_batches_have_metric_and_gap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = taquin.random_boards(40, 1, size=3)
    run, file = tmp_path / "multi", tmp_path / "boards.txt"
    file.write_text("".join(" ".join(map(str, board)) + "\n" for board in boards.tolist()))
    done = command("batch", "--run", run, "--metric", "multi", "--gap", "3", file)
    slides = taquin.Solver(metric="multi", pdb_dir=":memory:", threads=1).solve_each(boards, gap=3)
    answers = [taquin.Solution(line) for line in done.stdout.splitlines()]
    assert answers == slides and all(answer.metric == "multi" for answer in answers), done.stderr
    assert done.returncode == int(any(answer.stopped == "gap" for answer in answers))
    nodes = sum(answer.nodes for answer in answers)
    assert f"40 boards; {nodes:,} nodes; " in done.stderr.splitlines()[-1]
    assert "40 of 40 boards done, 0 left" in lines_of(run, capsys)
    task = json.loads((run / "run.json").read_text())
    assert (task["metric"], task["gap"], task["count"]) == ("multi", 3, 40)


@pytest.mark.long
def test_the_status_of_other_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = "--climbs 3 --steps 3 --size 3x3 --starts 3".split()
    done = command("hunt", "--run", tmp_path / "hunt", *options)
    assert done.returncode == 0 and "3 climbs; " in done.stderr.splitlines()[-1], done.stderr
    assert "3 climbs done, 0 of 3 asked for left" in lines_of(tmp_path / "hunt", capsys)
    climbs = tmp_path / "hunt" / "climbs"
    climbs.write_bytes(b"".join(climbs.read_bytes().splitlines(True)[:2]))
    assert "2 climbs done, 1 of 3 asked for left" in lines_of(tmp_path / "hunt", capsys)
    solver = taquin.Solver(pdb_dir=":memory:")
    with DataSet(500, 7, 3, None, [], "blank-last", tmp_path / "set.npz") as made:
        for start, stop in [(300, 330), (0, 100)]:
            made.add(start, label(solver, made.boards[start:stop], made.size, [])[0])
    found = lines_of(tmp_path / "set.npz.partial", capsys)
    assert found[:2] == ["dataset to blank-last", "130 of 500 boards done, 370 left"]
    whole, other = tmp_path / "whole.npz", tmp_path / "other.npz"
    taquin.dataset(20, 1, 3, path=whole, solver=solver, progress=False)
    assert lines_of(whole, capsys) == ["a finished data set of 20 boards"]
    np.savez(other, values=np.zeros(3))
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(whole.read_bytes().replace(b"PK\x01\x02", b"PK\x01\x03"))
    for path in (tmp_path, tmp_path / "none", climbs, other, damaged):
        assert main(["status", str(path)]) == 2
        assert str(path) in capsys.readouterr().err


def test_progress_in_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_progress, "EVERY", -1.0)
    monkeypatch.setattr(_progress, "_names", lambda: {"a": "first"})
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    progress = _progress.Progress("packet", 10, 2, True, "threshold 98", 1000)
    progress.add("a", 3_000_000)
    progress.add("a", 3_000_000, 3)
    progress.close()
    lines = out.getvalue().splitlines()
    assert [line.split(" in ")[0] for line in lines] == [
        "threshold 98: 3 of 10 packets", "threshold 98: 6 of 10 packets"
    ]
    assert all("M nodes/s" in line and " left, first " in line for line in lines)
    silent = _progress.Progress("packet", 10, 0, False)
    silent.add("a", 1)
    silent.close()
    assert out.getvalue().splitlines() == lines


def test_a_lost_machine_is_a_line() -> None:
    out = io.StringIO()
    reports = _progress.Reports(out)
    report = (
        "\x1b[33m(raylet)\x1b[0m Raylet is terminated. Termination is unexpected. Possible reasons\n"
        "    [state-dump] ray::rpc - 1 total\n\t(2) raylet has lagging heartbeats\n\n"
        "(raylet) The node with node id: b31e has been marked dead because\n"
    )
    for part in [*report, report]:
        print(part, end="", file=reports)
    assert out.getvalue().splitlines() == [
        "(raylet) Raylet is terminated",
        "(raylet) The node with node id: b31e has been marked dead because",
    ]


def test_without_ray() -> None:
    code = (
        "import sys, runpy; sys.modules['ray'] = None; sys.argv[1:] = {};"
        "runpy.run_module('taquin.cluster', run_name='__main__', alter_sys=True)"
    )
    solve = code.format(["solve", "--run", "run", NEAR])
    done = subprocess.run([sys.executable, "-c", solve], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.startswith("taquin.cluster: this needs Ray and tqdm: install")
    code = "import sys; sys.modules['ray'] = None; import taquin.cluster; taquin.cluster.solve"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "ImportError: taquin.cluster needs ray: install the package with its extra cluster" in done.stderr
