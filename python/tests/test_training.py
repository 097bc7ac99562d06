"""Boards at a distance, the distances of many boards, data sets to train with, and the grader."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Board, Solver

ROOT = Path(__file__).parents[2]
SMALL = Solver(heuristic="manhattan", pdb_dir=":memory:")


def test_boards_are_at_their_distance() -> None:
    boards = taquin.boards_at((10, 12), 300, 3, 7, solver=SMALL)
    assert boards.shape == (300, 9) and boards.dtype == np.uint8
    lengths = SMALL.solve_many(boards).lengths
    assert np.bincount(lengths).tolist() == [0] * 10 + [100] * 3
    assert len(np.unique(boards, axis=0)) == 300
    assert np.array_equal(boards, taquin.boards_at((10, 12), 300, 3, 7, solver=Solver(threads=1)))
    spiral = taquin.boards_at(5, 3, 3, 1, solver=Solver("spiral", "manhattan"))
    assert all(not board.is_goal("spiral") for board in map(Board, spiral))
    for wrong, message in [((1, 3), "^only 2 boards are 1 move away"), ((32, 1), "^no board is 32 moves away")]:
        with pytest.raises(ValueError, match=message):
            taquin.boards_at(*wrong, 3, solver=SMALL)
    for wrong_range in [(3, 2), -1, 1.5]:
        with pytest.raises(ValueError, match="^distance: "):
            taquin.boards_at(wrong_range, 1, 3, solver=SMALL)  # type: ignore[arg-type]
    assert taquin.boards_at(3, 0, 3, solver=SMALL).shape == (0, 9)


@pytest.mark.parametrize(
    ("goal", "labels"),
    [("1 2 3 / * * *", list(range(6))), ("1 1 2 / * 2 _", [0, 1, 1, 2, 2, 3]), ("A A B / B C _", list("AABBC_"))],
)
def test_boards_for_open_goals_are_at_their_distance(goal: str, labels: list[int] | list[str]) -> None:
    solver = Solver(goal, pdb_dir=":memory:")
    boards = taquin.boards_at((4, 6), 9, seed=1, solver=solver)
    assert boards.shape == (9, 6) and boards.dtype.kind == ("u" if isinstance(labels[0], int) else "U")
    assert all(sorted(row) == labels for row in boards.tolist())
    assert len(np.unique(boards, axis=0)) == 9
    solutions = [solver.solve(" ".join(map(str, row))) for row in boards.tolist()]
    assert sorted(len(solution) for solution in solutions) == [4, 4, 4, 5, 5, 5, 6, 6, 6]
    assert taquin.boards_at(4, 0, solver=solver).shape == (0, 6)
    with pytest.raises(ValueError, match="^goal: "):
        taquin.boards_at(4, 1, 4, solver=solver)


def test_boards_of_4x4_are_at_their_distance(solver: Solver) -> None:
    boards = taquin.boards_at((30, 50), 42, seed=2, solver=solver)
    assert sorted(solver.distances(boards).tolist()) == sorted([*range(30, 51)] * 2)


@pytest.mark.parametrize("n", [50, 3000])
def test_distances_and_optimal_moves(n: int) -> None:
    # The second time a table has the answers.
    solver = Solver(heuristic="manhattan", pdb_dir=":memory:")
    boards = taquin.random_boards(n, 3, size=3)
    for _ in range(2):
        distances = solver.distances(boards)
        assert distances.dtype == np.int16
        assert np.array_equal(distances[:50], SMALL.solve_many(boards[:50]).lengths)
        optimal = solver.optimal_moves(boards)
        assert optimal.shape == (n, 4) and optimal.dtype == np.bool_
        near, possible = taquin.successors(boards[:50])
        lengths = SMALL.solve_many(near.reshape(-1, 9)).lengths.reshape(-1, 4)
        assert np.array_equal(optimal[:50], possible & (lengths < distances[:50, None]))
    assert solver.distances(boards[:0], size=3).shape == (0,)


def test_limits_leave_distances_open(solver: Solver) -> None:
    far = Board("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1")
    assert solver.distances([far], node_limit=100).tolist() == [-1]
    with pytest.raises(RuntimeError):
        solver.optimal_moves([far], node_limit=100)
    assert solver.within(far, 70) is None
    with pytest.raises(ValueError, match="board 0 cannot reach"):
        solver.distances([Board("2 1 3 / 4 5 6 / 7 8 0")])


def test_lines_are_analysed_together() -> None:
    boards, lines = [Board("1 2 3 / 4 0 6 / 7 5 8"), Board("1 2 3 / 4 5 6 / 7 0 8")], ["DUUL", "L"]
    many = SMALL.analyse_many(boards, lines)
    assert many == [SMALL.analyse(board, line) for board, line in zip(boards, lines)]
    assert [analysis.lost for analysis in many] == [2, 0]
    for moves, message in [(["L"], "1 are given for 2"), (["L", "DDD"], "board 1: "), (["L", "X"], "board 1: ")]:
        with pytest.raises(ValueError, match=f"moves: {message}"):
            SMALL.analyse_many(boards, moves)


def test_a_data_set_of_lines(tmp_path: Path) -> None:
    path, split = tmp_path / "set.jsonl", {"train": 0.8, "test": 0.2}
    given: dict[str, Any] = {"size": 3, "distance": (5, 20), "solver": SMALL, "progress": False}
    made = taquin.dataset(400, 1, split=split, heuristics=["manhattan"], path=path, **given)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["board"] for line in lines] == made["boards"].tolist()
    assert [line["split"] for line in lines] == made["split"].tolist()
    for line in lines:
        board = Board(line["board"])
        assert board.after(line["moves"]).is_goal() and len(line["moves"]) == line["length"]
        assert line["manhattan"] <= line["length"] and 5 <= line["length"] <= 20
    assert {line["seed"] for line in lines} == {1} and lines[0]["goal"] == [1, 2, 3, 4, 5, 6, 7, 8, 0]
    done = subprocess.run(
        [sys.executable, "-c", "import sys, taquin._programs as p; p.taquin()", "apply", "-"],
        input=path.read_text(), capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stderr
    # Another seed puts a board into the same part.
    other = taquin.dataset(400, 2, split=split, **given)
    parts = {tuple(board): part for board, part in zip(made["boards"].tolist(), made["split"])}
    same = [(parts[tuple(board)], part) for board, part in zip(other["boards"].tolist(), other["split"]) if tuple(board) in parts]
    assert same and all(one == two for one, two in same)
    assert 0.7 < (made["split"] == "train").mean() < 0.9
    for wrong in ({"a": 0.5}, {"a": 1.5, "b": -0.5}):
        with pytest.raises(ValueError, match="^split: "):
            taquin.dataset(1, split=wrong, **given)
    with pytest.raises(ValueError, match="^distance: "):
        taquin.dataset(1, moves=3, **given)


def test_no_board_comes_twice() -> None:
    given: dict[str, Any] = {"size": 3, "moves": 12, "solver": SMALL, "progress": False}
    once, twice = taquin.dataset(300, 1, **given), taquin.dataset(300, 1, unique=False, **given)
    assert len(np.unique(once["boards"], axis=0)) == 300 > len(np.unique(twice["boards"], axis=0))
    assert np.array_equal(twice["boards"], taquin.walks(300, 12, 1, size=3))
    with pytest.raises(ValueError, match="^n: .* 12 different boards: use unique=False"):
        taquin.dataset(13, size=2, solver=SMALL, progress=False)


def test_the_grader() -> None:
    grade = runpy.run_path(str(ROOT / "python/examples/grader.py"))["grade"]
    board = Board("1 2 3 / 4 0 6 / 7 5 8")
    for answer, moves, impossible, reached, lost, first, left in [
        ("First <action>up</action>, then <action>left</action>.", "UL", None, True, 0, None, 0),
        ("up, left", "UL", None, True, 0, None, 0),
        ("<action>right</action> <action>left</action> <action>up</action>", "RLU", None, False, 2, 0, 1),
        ("<action>up</action><action>up</action><action>left</action>", "U", "up", False, 0, None, 1),
        ("<action>jump</action>", "", "jump", False, 0, None, 2),
        ("I cannot.", "", None, False, 0, None, 2),
    ]:
        assert grade(SMALL, board, answer) == (moves, impossible, reached, lost, first, left), answer


def test_the_first_example_has_types(tmp_path: Path) -> None:
    page = (ROOT / "docs/PYTHON.md").read_text()
    example = page[page.index(">>> import taquin") :].partition("```")[0]
    lines = [line[4:] for line in example.splitlines() if line.startswith(">>> ")]
    file = tmp_path / "first.py"
    file.write_text("\n".join(lines) + "\n")
    for checker in (["mypy", "--strict"], ["pyright"]):
        pytest.importorskip(checker[0])
        done = subprocess.run([sys.executable, "-m", *checker, str(file)], capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stdout
