"""Work over Ray: the answers of one machine."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import taquin
from antipode import EASIER, HEURISTIC, is_equal

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402
from taquin._dataset import DataSet, label  # noqa: E402
from taquin.cluster import RunError, _solve, batch, dataset, hunt, solve  # noqa: E402
from taquin.cluster.__main__ import main  # noqa: E402
from taquin.cluster._packets import Packets  # noqa: E402


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two machines of one processor."""
    cluster = Cluster()
    for _ in range(2):
        cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()  # type: ignore[no-untyped-call, unused-ignore]


def search(databases: Path, run: Path) -> taquin.Solution:
    return solve(EASIER, run=run, heuristic=HEURISTIC, pdb_dir=databases, after=300_000)


@pytest.mark.long
def test_machines(
    cluster: Cluster, databases: Path, easier: taquin.Solution, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert is_equal(search(databases, run), easier)
    # The record of a search that is done has the answer. Without it the search goes on, and makes
    # results that were cut short again.
    assert is_equal(search(databases, run), easier)
    (run / "solved.json").unlink()
    [results] = run.glob("*.results")
    text = results.read_bytes()
    results.write_bytes(text[: len(text) // 2])
    assert is_equal(search(databases, run), easier)
    assert sorted(results.read_bytes().splitlines()) == sorted(set(results.read_bytes().splitlines()))
    with pytest.raises(RunError, match="another task"):
        solve("1 2 3 / 4 5 6 / 7 0 8", run=run)
    with pytest.raises(RunError, match="not empty"):
        solve(EASIER, run=databases)
    # Nothing is removed from a folder of others, and a search that cannot be divided leaves none.
    (tmp_path / ".mine.tmp").touch()
    with pytest.raises(RunError, match="not empty"):
        solve(EASIER, run=tmp_path)
    assert (tmp_path / ".mine.tmp").exists() and not (tmp_path / ".lock").exists()
    with pytest.raises(ValueError, match="fast search"):
        solve(EASIER, run=tmp_path / "plain", heuristic="manhattan")
    assert is_equal(search(databases, tmp_path / "plain"), easier)


@pytest.mark.long
def test_a_part_of_a_record_is_enough(
    cluster: Cluster, databases: Path, easier: taquin.Solution, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    assert is_equal(search(databases, run), easier)
    [results], [packets] = run.glob("*.results"), run.glob("*.packets")
    lines = results.read_text().splitlines()
    left = Packets(packets.read_text().splitlines(), lines)
    assert left.is_solved() and not left.left() and left.done() > 1
    # A part of the record, as programs that were killed leave it, and a line that was cut short.
    (run / "solved.json").unlink()
    results.write_text("".join(line + "\n" for line in lines[:1]) + lines[1][:-9])
    assert is_equal(search(databases, run), easier)


INTERRUPTED = """
import sys
from taquin.cluster import _solve
from taquin.cluster.__main__ import main
_solve.LEAST_NODES = 20_000
_solve.NODES_PER_CPU = 1
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.long
def test_an_interrupt_keeps_what_is_done(
    cluster: Cluster, databases: Path, easier: taquin.Solution, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-c", INTERRUPTED, "solve", "--run", str(run), "--json", "--after", "0.3M"]
    command += ["--address", str(cluster.address), "--heuristic", HEURISTIC]
    command += ["--pdb-dir", str(databases), EASIER]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while program.poll() is None and not any(path.read_text() for path in run.glob("*.results")):
        time.sleep(0.02)
    program.send_signal(signal.SIGINT)
    _, err = program.communicate(timeout=60)
    assert program.returncode == 130, err
    kept = {path.name: path.read_text() for path in run.glob("*.results")}
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert is_equal(taquin.Solution(done.stdout), easier)
    for name, text in kept.items():
        # What was kept is not searched again.
        path = run / name
        assert not path.exists() or path.read_text().startswith(text)


def without_time(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: answer[name] for name in answer if name != "seconds"} for answer in answers]


@pytest.mark.long
def test_batch(cluster: Cluster, databases: Path, tmp_path: Path) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases)
    drawn = taquin.random_boards(300, 1)
    alone = without_time([json.loads(answer.json()) for answer in solver.solve_each(drawn)])

    def answers(boards: Any) -> Generator[dict[str, Any], None, None]:
        return batch(boards, run=tmp_path / "run", heuristic=HEURISTIC, pdb_dir=databases)

    # Whoever stops early finds the answers again.
    begun = answers(drawn.tolist())
    assert next(begun)["solved"]
    begun.close()
    assert without_time(answers(drawn.tolist())) == alone
    file = tmp_path / "run" / "answers"
    lines = file.read_bytes()
    file.write_bytes(lines[: len(lines) // 2])
    assert without_time(answers(drawn.tolist())) == alone
    assert sorted(file.read_bytes().splitlines()) == sorted(set(file.read_bytes().splitlines()))
    file.write_bytes(b'{"first":0,"answers":[]}\nnonsense\n' + lines)
    assert without_time(answers(drawn.tolist())) == alone
    with pytest.raises(RunError, match="another task .other are: boards"):
        answers(drawn[1:].tolist())
    with pytest.raises(ValueError, match="board 1 cannot reach the goal"):
        answers([EASIER, "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 0"])
    with pytest.raises(RunError, match="uses"):
        waiting = answers(drawn.tolist())
        answers(drawn.tolist())
    del waiting


def test_sizes_and_limits(cluster: Cluster, tmp_path: Path) -> None:
    boards = [taquin.Board.random(1, size=size) for size in ("3x3", "3x2", "4x4", "4x4")]
    found = list(batch(boards[:2], run=tmp_path / "sizes", heuristic="manhattan"))
    assert [(answer["width"], answer["optimal"]) for answer in found] == [(3, True), (3, True)]
    limited = batch(boards, run=tmp_path / "limits", heuristic="manhattan", node_limit=1000)
    assert [answer.get("stopped") for answer in limited][2:] == ["nodes", "nodes"]
    assert list(batch([], run=tmp_path / "none")) == []


def test_dataset(cluster: Cluster, databases: Path, tmp_path: Path) -> None:
    values = ["manhattan", "linear-conflict"]
    solver = taquin.Solver("spiral", pdb_dir=databases)
    alone, path = tmp_path / "alone.npz", tmp_path / "set.npz"
    expected = taquin.dataset(
        20_000, 7, "3x3", heuristics=values, path=alone, solver=solver, progress=False
    )

    def make() -> None:
        found = dataset(20_000, 7, "3x3", path=path, goal="spiral", heuristics=values, pdb_dir=databases)
        assert list(found) == list(expected)
        assert all(np.array_equal(found[name], expected[name]) for name in expected)
        assert path.read_bytes() == alone.read_bytes()

    make()
    # A folder with some labels, as an interrupted run leaves it.
    with DataSet(20_000, 7, "3x3", None, values, "spiral", path) as made:
        labels, _ = label(solver, made.boards[5000:5100], (3, 3), values)
        made.add(5000, labels)
        with pytest.raises(ValueError, match="another program uses"):
            make()
    make()
    assert sorted(os.listdir(tmp_path)) == ["alone.npz", "set.npz"]


def test_hunt(cluster: Cluster, databases: Path, tmp_path: Path) -> None:
    def hardest(climbs: int, run: str, **options: Any) -> list[dict[str, Any]]:
        options |= {"run": tmp_path / run, "pdb_dir": databases, "top": 5, "starts": 10}
        return without_time(hunt(climbs, 30, 3, "3x3", **options))

    few = hardest(2, "run")
    more = hardest(5, "run")
    assert more == hardest(5, "another") and few[0]["generated"] <= more[0]["generated"]
    assert [answer["generated"] for answer in more] == sorted(
        (answer["generated"] for answer in more), reverse=True
    )
    solver = taquin.Solver(pdb_dir=databases)
    for answer in more:
        assert answer["optimal"] and solver.solve(answer["board"]).nodes == answer["generated"]
    far = hardest(5, "far", by="length")
    assert 26 <= far[0]["length"] <= 31 and far[0]["length"] >= far[-1]["length"]
    with pytest.raises(ValueError, match="25 cells"):
        hunt(1, size="6x6", run=tmp_path / "wrong")
    with pytest.raises(ValueError, match="nodes or length"):
        hunt(1, run=tmp_path / "wrong", by="time")


@pytest.mark.long
def test_commands(cluster: Cluster, databases: Path, easier: taquin.Solution, tmp_path: Path) -> None:
    # Each of them starts workers of its own, which takes seconds.
    def run(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        common = [sys.executable, "-m", "taquin.cluster", command, "--pdb-dir", str(databases)]
        common += ["--address", str(cluster.address)]
        return subprocess.run([*common, *arguments], capture_output=True, text=True, cwd=tmp_path)

    solved = run("solve", "--run", "search", "--heuristic", HEURISTIC, EASIER)
    assert (solved.stdout, solved.returncode) == (f"{easier.moves}\n", 0), solved.stderr
    assert f"{easier.length} moves, optimal" in solved.stderr
    boards = tmp_path / "boards.txt"
    boards.write_text(f"# two boards\n{EASIER}\n\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15 # near\n")
    limits = ["--heuristic", HEURISTIC, "--node-limit", "9"]
    answers = run("batch", "--run", "answers", *limits, "boards.txt")
    lines = [json.loads(line) for line in answers.stdout.splitlines()]
    places = [(line["schema"], line["line"], line["index"], line["optimal"]) for line in lines]
    assert places == [(1, 2, 1, False), (1, 4, 2, True)], answers.stderr
    assert (lines[0]["stopped"], lines[1]["length"], answers.returncode) == ("nodes", 1, 1)
    set = run("dataset", "--count", "200", "--size", "3x3", "--out", "set.npz")
    assert set.returncode == 0 and (tmp_path / "set.npz").exists(), set.stderr
    hard = run("hunt", "--run", "hunt", "--climbs", "2", "--steps", "5", "--size", "3x3", "--top", "3")
    assert len(hard.stdout.splitlines()) == 3, hard.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 / 4 5 6 / 7 8 0\n2 1 3 / 4 5 6 / 7 8 0", "boards.txt, line 2: the board cannot reach"),
        ("1 2 3", "boards.txt, line 1: "),
        ("# nothing", "there is no board in "),
    ],
)
def test_bad_files(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files are read before Ray starts."""
    boards = tmp_path / "boards.txt"
    boards.write_text(text)
    assert main(["batch", "--run", str(tmp_path / "wrong"), str(boards)]) == 2
    said = capsys.readouterr()
    assert message in said.err and not said.out


def test_records_of_packets(databases: Path) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases, threads=1)
    packets = solver.packets(EASIER, after=300_000, count=3)
    assert isinstance(packets, list)
    first, second, third = map(solver.run_packet, packets)
    # Lines that are damaged, of no packet, or that come twice change nothing.
    work = Packets(packets, ["", "{", '{"first":[0]}', first[:-5], second, second])
    assert (work.left(), work.done(), len(work), work.results()) == ([0, 2], 1, 3, [second])
    assert [number for number, _ in work] == [0, 2]
    # A packet that is lost or searched twice is no answer.
    assert solver.merge([third, first, second])[0].lower_bound > 0
    for results in ([first, third], [second, third], [first, second, third, second]):
        with pytest.raises(ValueError, match="no result|two results"):
            solver.merge(results)


def test_packets(databases: Path, easier: taquin.Solution) -> None:
    solver = taquin.Solver(heuristic=HEURISTIC, pdb_dir=databases)
    state = None
    while True:
        packets = solver.packets(EASIER, state, after=1_000_000, count=5)
        assert isinstance(packets, list)
        results = [solver.run_packet(packet) for packet in packets]
        assert results[0] == solver.run_packet(packets[0])
        with pytest.raises(ValueError, match="no result"):
            solver.merge(results[1:])
        solution, state = solver.merge(results[::-1])
        if state is None:
            break
        assert solution.moves is None and not solution.optimal
    assert is_equal(solution, easier)
    assert isinstance(solver.packets("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"), taquin.Solution)
    for packet in ("", "{}", packets[0][:-1], packets[0].replace("1", "2", 1)):
        with pytest.raises(ValueError, match="not a packet, result or state, or it is damaged"):
            solver.run_packet(packet)


@pytest.mark.long
def test_small_thresholds_are_searched_here_and_recorded(
    cluster: Cluster, databases: Path, easier: taquin.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> Iterator[None]:
        raise KeyboardInterrupt

    options: dict[str, Any] = {"run": tmp_path, "heuristic": HEURISTIC, "pdb_dir": databases}
    monkeypatch.setattr(_solve, "RECORDED", 10_000)
    monkeypatch.setattr(_solve, "results", killed)
    with pytest.raises(KeyboardInterrupt):
        solve(EASIER, **options, after=300_000)
    states = sorted(path.name for path in tmp_path.glob("*.state"))
    assert len(states) > 1 and not (tmp_path / "solved.json").exists()
    # What is recorded is not searched again.
    assert is_equal(solve(EASIER, **options, after=10**9), easier)
    assert set(states) <= {path.name for path in tmp_path.glob("*.state")}
