"""Results and solvers as values: pickled, copied, compared."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import taquin
from taquin import Board, Solution, Solver

BOARD = "8 6 7 / 2 5 4 / 3 0 1"
SMALL = Solver(heuristic="manhattan", pdb_dir=":memory:")
BIN = Path(sys.executable).parent


def values() -> list[Any]:
    unsolvable = Board("1 2 3 / 4 5 6 / 8 7 0")
    slides = Solver("blank-first", pdb_dir=":memory:", metric="multi", threads=1)
    return [
        SMALL.solve(BOARD),
        SMALL.solve(BOARD, node_limit=0),
        SMALL.solve(BOARD, gap=20),
        SMALL.solve(Board(size=3)),
        slides.solve(BOARD),
        Solver(method="greedy", heuristic="manhattan").solve(Board.random(seed=1, size=6)),
        Solver("1 2 3 / * * * / * * *", pdb_dir=":memory:").solve(BOARD),
        Solver("A A B / B C C / D D _", pdb_dir=":memory:").solve("A B C / D A B / C _ D"),
        SMALL.solutions(BOARD),
        SMALL.solutions(BOARD, node_limit=1),
        SMALL.analyse("1 2 3 / 4 0 6 / 7 5 8", "DUUL"),
        unsolvable.solvable,
        Board(BOARD).solvable,
        SMALL,
        slides,
        Solver(Board("1 2 3 / 0 4 5"), "6-6-3:mirror", build=False, pdb_dir="nowhere"),
        Solver(method="astar:fifo", heuristic="manhattan+linear-conflict"),
    ]


def test_values_are_pickled_and_copied() -> None:
    ours, again = values(), values()
    for number, (value, equal) in enumerate(zip(ours, again, strict=True)):
        assert value == equal and hash(value) == hash(equal) and not value != equal
        for other in (copy.copy(value), copy.deepcopy(value)):
            assert other == value and hash(other) == hash(value)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            other = pickle.loads(pickle.dumps(value, protocol))
            assert other == value and hash(other) == hash(value) and repr(other) == repr(value)
        assert [number] == [place for place, other in enumerate(again) if value == other]
        assert value != 1 and value != "text"
    # All of them in a set.
    assert len({*ours, *again}) == len(ours)


def test_a_pickled_solution_has_everything() -> None:
    for solution in values()[:8]:
        other = pickle.loads(pickle.dumps(solution))
        assert other.json() == solution.json() and other.boards() == solution.boards()
        assert other.seconds == solution.seconds and other._repr_html_() == solution._repr_html_()
    # Times do not count.
    first, second = (SMALL.solve(BOARD) for _ in range(2))
    slower = json.loads(second.json()) | {"seconds": second.seconds + 1}
    assert first == Solution(json.dumps(slower)) and first.seconds != Solution(json.dumps(slower)).seconds


def test_a_solution_is_read_from_the_program() -> None:
    command: list[str | Path] = [BIN / "taquin", "solve", "--json", "--heuristic", "manhattan", BOARD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert Solution(done.stdout) == SMALL.solve(BOARD), done.stderr
    blank = SMALL.solve(BOARD).json(directions="blank")
    assert Solution(blank) == SMALL.solve(BOARD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"moves": "U"}, "do not lead to the goal"),
        ({"lower_bound": 32}, "fewer than its lower bound"),
        ({"goal": None}, "goal"),
        ({"seconds": -1}, "negative"),
        ({"stopped": "boredom"}, "boredom"),
        ({"metric": "double"}, "double"),
    ],
)
def test_wrong_answers_are_refused(change: dict[str, object], message: str) -> None:
    answer = json.loads(SMALL.solve(BOARD).json()) | change
    with pytest.raises(ValueError, match=f"text: .*{message}"):
        Solution(json.dumps(answer))


def test_a_copy_of_a_solver_shares_its_databases() -> None:
    solver = Solver(pdb_dir=":memory:")
    assert copy.copy(solver) is solver and copy.deepcopy([solver])[0] is solver
    again = Solver(pdb_dir=":memory:")
    assert solver == again and solver is not again
    for other in (Solver(), Solver("spiral", pdb_dir=":memory:"), solver.with_heuristic("manhattan")):
        assert other != solver


def solved(solver: Solver, board: Board) -> tuple[Solution, str]:
    return solver.solve(board), board.move_stack


def test_other_processes_take_them() -> None:
    board = Board(BOARD)
    board.push("D")
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(solved, SMALL, board).result(60) == (SMALL.solve(board), "D")


def test_labels_are_compared_by_value() -> None:
    boards = taquin.walks(20, 10, 1, size=3)
    labels = SMALL.solve_many(boards)
    nodes = int(labels.nodes.sum())
    assert repr(labels).startswith("<Labels: 20 boards, 20 optimal, ") and f", {nodes} nodes" in str(labels)
    assert labels == SMALL.solve_many(boards) and not labels != SMALL.solve_many(boards)
    assert labels != SMALL.solve_many(boards[:19]) and labels != SMALL.solve_many(boards[::-1])
    assert labels != 1


def test_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = taquin.walks(20, 10, 1, size=3)
    solutions, labels = SMALL.solve_each(boards), SMALL.solve_many(boards)
    data = taquin.dataset(20, 1, 3, moves=10, heuristics=["manhattan"], unique=False, solver=SMALL)
    listed = SMALL.solutions(BOARD, most=3)
    names = ["length", "slides", "moves", "optimal", "lower_bound", "nodes", "expanded"]
    results: list[Any] = [labels, solutions, solutions[0], listed, data]

    def columns(table: Any) -> dict[str, list[Any]]:
        return {name: list(table[name]) for name in table}

    pandas = pytest.importorskip("pandas")
    frames = [taquin.to_frame(result) for result in results]
    assert all(isinstance(frame, pandas.DataFrame) for frame in frames)
    assert [len(frame) for frame in frames] == [20, 20, 1, 3, 20]
    assert list(frames[0]) == names
    assert taquin.to_frame(labels, list) == names
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = [columns(taquin.to_frame(result)) for result in results]
    assert found == [columns(frame) for frame in frames]
    assert found[0]["moves"] == [solution.moves for solution in solutions]
    assert all(found[0][name] == found[1][name] for name in names)
    assert [Board(text) for text in found[1]["board"]] == [solution.board for solution in solutions]
    assert found[1]["board"] == found[4]["board"] and found[4]["manhattan"] == data["manhattan"].tolist()
    assert columns(labels.to_frame()) == found[0]
    assert columns(solutions[0].to_frame()) == found[2]
    assert columns(listed.to_frame()) == found[3] == {"moves": listed.moves, "length": [31] * 3}
    analysis = SMALL.analyse("1 2 3 / 4 0 6 / 7 5 8", "DUUL")
    assert columns(analysis.to_frame()) == {
        "move": [None, *"DUUL"],
        "length": [2, 3, 2, 1, 0],
        "lower_bound": [2, 3, 2, 1, 0],
        "lost": [0, 2, 0, 0, 0],
    }
    compared = SMALL.compare(["manhattan", "ida:manhattan"], size=3, n=20, solve=2)
    assert columns(compared.to_frame())["average"] == [row.average for row in compared]
    evaluated = SMALL.evaluate(["manhattan"], size=3, n=20)
    assert columns(taquin.to_frame(evaluated))["violations"] == [0]
    searched = SMALL.search(BOARD, lambda boards: boards[:, 0] * 0.0, node_limit=100)
    assert columns(taquin.to_frame(searched))["stopped"] == ["nodes"]
    limited = SMALL.solve_many([Board.random(seed=1)], node_limit=0, time_limit=0)
    assert limited.lengths[0] >= 0 or limited.to_frame()["moves"] == [None]
