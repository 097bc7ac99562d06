"""Solvers: answers, limits, errors."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Board, Solver

FARTHEST = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"


def test_a_solution(solver: Solver) -> None:
    board = Board("5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12")
    solution = solver.solve(board)
    assert solution.length == len(solution) == 15
    assert solution.optimal and solution and solution.stopped is None
    assert solution.lower_bound == 15
    assert solution.nodes > 0 and solution.expanded > 0 and solution.seconds >= 0
    assert solution.moves == str(solution) == "".join(solution)
    assert board.after(solution.moves) == solution.goal == Board()
    assert [len(solution.boards()), solution.boards()[0]] == [16, board]
    assert solution.format("runs").startswith("3d l 3u")
    assert solution.format("words").startswith("Down, Down")
    assert solution.format("arrows").startswith("↓↓↓←↑")
    assert solution.format("runs", directions="blank").startswith("3u r 3d")
    assert json.loads(solution.json(directions="blank"))["moves"].startswith("UUUR")
    assert "directions" not in json.loads(solution.json())
    assert repr(solution) == "<Solution: 15 moves, optimal>"
    with pytest.raises(ValueError):
        solution.format("morse")  # type: ignore[arg-type]


def test_anything_that_is_a_board(solver: Solver) -> None:
    assert solver.solve(FARTHEST).length == 80
    assert solver.solve(Board()).length == 0
    assert solver.solve(Board()).moves == ""
    assert solver.solve([[1, 2, 3], [4, 5, 6], [7, 0, 8]]).moves == "L"


def test_limits(solver: Solver) -> None:
    solution = solver.solve(FARTHEST, node_limit=1000)
    assert not solution.optimal and solution.stopped == "nodes"
    assert solution.length is not None and solution.lower_bound < 80 <= solution.length
    assert solver.solve(FARTHEST, time_limit=0).stopped == "time"
    for limit in (-1.0, float("nan"), -float("inf")):
        with pytest.raises(ValueError, match="time_limit: .* is no time"):
            solver.solve(FARTHEST, time_limit=limit)
    for limit in (float("inf"), 1e300, 10**30):
        assert solver.solve(Board.walk(20, seed=1), time_limit=limit).optimal
    numbers: list[Any] = [1e3, 1000, np.float64(1000), np.int16(1000), np.uint64(1000)]
    assert all(solver.solve(FARTHEST, node_limit=number) == solution for number in numbers)


def test_gap() -> None:
    solver = Solver(heuristic="manhattan", pdb_dir=":memory:")
    board = Board("8 13 3 2 / 14 11 9 12 / 1 15 7 4 / 10 0 5 6")
    solution = solver.solve(board, gap=14)
    assert solution.h == solver.heuristic(board)
    assert solution.stopped == "gap" and not solution.optimal
    assert solution.length is not None and 0 < solution.length - solution.lower_bound <= 14
    assert solver.solve_each([board], gap=14)[0].length == solution.length
    assert not solver.solve_many([board], gap=14).optimal[0]


def test_metrics() -> None:
    board = Board("8 6 7 / 2 5 4 / 3 0 1")
    moves = Solver(pdb_dir=":memory:").solve(board)
    solver = Solver(pdb_dir=":memory:", metric="multi")
    assert (moves.metric, solver.metric) == ("single", "multi")
    slides = solver.solve(board)
    assert slides.optimal and slides.metric == "multi"
    assert slides.slides is not None and moves.slides is not None
    assert slides.slides == slides.lower_bound <= moves.slides
    assert slides.length == len(slides) >= len(moves) == 31
    assert solver.heuristic(board) <= slides.slides
    assert f"{slides.slides} slides ({slides.length} moves" in repr(slides)
    assert [s.slides for s in solver.solve_each([board, board])] == [slides.slides] * 2
    with pytest.raises(ValueError, match="double"):
        Solver(metric="double")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="multi-tile metric"):
        solver.solutions(board)


def test_goals_and_heuristics() -> None:
    board = Board("8 6 7 / 2 5 4 / 3 0 1")
    for heuristic in ("manhattan", "walking-distance", "4-4", "standard"):
        solver = Solver(heuristic=heuristic, pdb_dir=":memory:")
        assert solver.solve(board).length == 31
        assert 0 < solver.heuristic(board) <= 31
    assert solver.heuristic(board, "manhattan") == 21
    spiral = Solver("spiral", "manhattan")
    assert spiral.solve("1 2 3 / 0 8 4 / 7 6 5").moves == "L"
    assert Solver(goal=Board("1 2 3 / 0 8 4 / 7 6 5")).solve("1 2 3 / 8 0 4 / 7 6 5").moves == "R"
    assert Solver(heuristic="manhattan", method="astar").solve(board).length == 31
    assert repr(spiral) == "Solver(goal='spiral', heuristic='manhattan')"


def test_solutions() -> None:
    solver = Solver(heuristic="manhattan")
    solutions = solver.solutions("8 6 7 / 2 5 4 / 3 0 1", most=3)
    assert solutions.count == 40 and solutions.length == 31
    assert len(solutions) == len(solutions.moves) == len(set(solutions)) == 3
    assert solutions.first.optimal
    assert solver.solutions("8 6 7 / 2 5 4 / 3 0 1", node_limit=1).count is None


def test_analyse() -> None:
    solver = Solver(heuristic="manhattan")
    analysis = solver.analyse("1 2 3 / 4 0 6 / 7 5 8", "DUUL")
    assert analysis.lengths == analysis.lower_bounds == [2, 3, 2, 1, 0]
    assert (len(analysis), analysis.moves, analysis.optimal) == (4, "DUUL", True)
    assert (analysis.lost, analysis.stretch) == (2, (1, 4))
    [loss] = analysis.losses
    assert (loss.at, loss.moves, loss.lost, loss.better) == (0, 1, 2, "UL")
    assert repr(loss) == "Loss(at=0, moves=1, lost=2, better='UL')"
    open_line = solver.analyse("8 6 7 / 2 5 4 / 3 0 1", "D", node_limit=1)
    assert repr(open_line) == "<Analysis: 1 moves, at least 0 lost>"
    assert not open_line.optimal and open_line.losses == []
    with pytest.raises(ValueError, match="move 2, Up, is not possible"):
        solver.analyse("1 2 3 / 4 0 6 / 7 5 8", "UU")
    with pytest.raises(ValueError, match='"X" is not a move .number 2'):
        solver.analyse("1 2 3 / 4 0 6 / 7 5 8", "UX")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"goal": "corner"}, "no goal"),
        ({"heuristic": "guess"}, "guess"),
        ({"method": "magic"}, "there is no method"),
        ({"goal": "1 1"}, "board"),
    ],
)
def test_bad_arguments(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Solver(**arguments)  # type: ignore[arg-type]


def test_unsolvable_boards(solver: Solver) -> None:
    with pytest.raises(ValueError, match='The board can reach blank-.*: use goal="blank-'):
        solver.solve("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0")
    with pytest.raises(ValueError, match="the goal is a 3x3 board"):
        Solver(goal="1 2 3 / 8 0 4 / 7 6 5").solve(FARTHEST)
    with pytest.raises(ValueError, match="walking-distance"):
        Solver(heuristic="walking-distance").solve(Board.random(size=5))


def test_missing_and_damaged_databases(tmp_path: Path) -> None:
    missing = Solver(pdb_dir=tmp_path / "none", build=False, heuristic="6-6-3")
    with pytest.raises(taquin.MissingDatabase, match="6-6-3 databases are not in"):
        missing.solve(FARTHEST)
    Solver(pdb_dir=tmp_path, heuristic="6-6-3").prepare()
    files = sorted(tmp_path.glob("*.pdb"))
    assert len(files) == 3
    for damage in (b"", b"no database"):
        files[0].write_bytes(damage)
        with pytest.raises(taquin.DamagedDatabase, match="pdb"):
            Solver(pdb_dir=tmp_path, heuristic="6-6-3").solve(FARTHEST)
    assert issubclass(taquin.DamagedDatabase, taquin.DatabaseError)


def test_a_flipped_bit_is_found(tmp_path: Path) -> None:
    Solver(pdb_dir=tmp_path, heuristic="6-6-3").prepare()
    file = max(tmp_path.glob("*.pdb"), key=lambda file: file.stat().st_size)
    damaged = bytearray(file.read_bytes())
    damaged[-1] ^= 1
    file.unlink()
    file.write_bytes(damaged)
    with pytest.raises(taquin.DamagedDatabase):
        Solver(pdb_dir=tmp_path, heuristic="6-6-3").solve(FARTHEST)


def test_threads_share_a_solver(solver: Solver) -> None:
    boards = [Board.random(seed=seed) for seed in range(40)]
    alone = [solver.solve(board).moves for board in boards]
    found: dict[int, str | None] = {}

    def work(part: int) -> None:
        for number in range(part, len(boards), 4):
            found[number] = solver.solve(boards[number]).moves

    threads = [threading.Thread(target=work, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(len(boards))] == alone


def test_one_thread_gives_the_same_answer(databases: Path, solver: Solver) -> None:
    one = Solver(pdb_dir=databases, threads=1)
    assert one.threads == 1 and one.pdb_dir == databases
    assert one.solve(FARTHEST).moves == solver.solve(FARTHEST).moves


def test_open_goals() -> None:
    eight = "8 6 7 / 2 5 4 / 3 0 1"
    row = Solver("1 2 3 / * * * / * * *", pdb_dir=":memory:")
    solution = row.solve(eight)
    assert (solution.length, solution.optimal) == (21, True)
    assert solution.goal.tiles[:3] == (1, 2, 3)
    assert row.solve(Board(eight)).length == 21
    kinds = Solver("3 3 2 / 2 2 1 / 1 1 0", pdb_dir=":memory:")
    board = [[1, 1, 1], [2, 2, 2], [3, 3, 0]]
    assert kinds.solve(board).length == 24
    found = kinds.solutions(board, most=100)
    assert found.count == len(found) and found.length == 24
    assert json.loads(found.first.json())["goal"][:3] == ["3", "3", "2"]
    with pytest.raises(ValueError, match="does not fit the goal"):
        kinds.solve("1 1 1 / 1 2 2 / 3 3 0")
    with pytest.raises(ValueError, match="not possible here"):
        row.prepare(3)
