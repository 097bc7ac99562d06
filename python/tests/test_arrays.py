"""Arrays of boards in, arrays of answers out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Board, Labels, Solver


def test_random_boards_are_those_of_the_program() -> None:
    boards = taquin.random_boards(3, 1)
    assert boards.shape == (3, 16) and boards.dtype == np.uint8
    assert Board(boards[0]) == Board.random(seed=1)
    assert np.array_equal(boards, taquin.random_boards(3, 1))
    assert not np.array_equal(taquin.random_boards(3), taquin.random_boards(3))
    assert taquin.random_boards(0, 1).shape == (0, 16)
    assert taquin.random_boards(2, 1, size="5x4").shape == (2, 20)
    assert taquin.walks(2, 30, 7).shape == (2, 16)
    assert Board(taquin.walks(1, 30, 7)[0]) == Board.walk(30, seed=7)
    assert all(Board(board).is_goal("snake") for board in taquin.walks(2, 0, 1, goal="snake"))


def test_too_many_boards_are_an_error() -> None:
    for n in (10**15, 2**63):
        with pytest.raises(MemoryError):
            taquin.random_boards(n, 1)
    with pytest.raises(ValueError, match="n: -1 is negative"):
        taquin.walks(-1, 1)


def test_labels(solver: Solver) -> None:
    boards = np.concatenate([taquin.walks(50, 30, 1), np.array([Board().tiles], dtype=np.uint8)])
    labels = solver.solve_many(boards)
    assert isinstance(labels, Labels)
    lengths, moves, nodes, optimal, bounds, slides, expanded = labels
    dtypes = [str(column.dtype) for column in labels]
    assert dtypes == ["int16", "int8", "uint64", "bool", "int16", "int16", "uint64"]
    for row, solution in enumerate(solver.solve_each(boards)):
        assert (solution.nodes, solution.expanded) == (nodes[row], expanded[row])
        assert (solution.lower_bound, solution.slides) == (bounds[row], slides[row])
    assert np.array_equal(bounds, lengths) and (slides <= lengths).all()
    assert optimal.all() and lengths[-1] == 0 and moves.shape == (51, lengths.max())
    for board, length, path in zip(boards, lengths, moves):
        assert (path[length:] == -1).all() and (path[:length] >= 0).all()
        text = "".join(taquin.MOVES[move] for move in path[:length])
        assert Board(board).after(text).is_goal() and Board(board).after(path).is_goal()
        assert solver.solve(Board(board)).moves == text


def test_boards_in_other_forms(solver: Solver) -> None:
    boards = taquin.walks(5, 20, 1)
    lengths = solver.solve_many(boards).lengths
    forms: list[Any] = [
        boards.astype(np.int64),
        boards.astype(">i2"),
        np.asfortranarray(boards),
        boards.reshape(5, 4, 4),
        np.repeat(boards, 2, axis=0)[::2],
        boards.tolist(),
        [Board(board) for board in boards],
        [str(Board(board)) for board in boards],
    ]
    for form in forms:
        assert np.array_equal(solver.solve_many(form).lengths, lengths)
    nothings: list[Any] = [boards[:0], [], np.zeros(0, dtype=np.uint8)]
    for nothing in nothings:
        assert solver.solve_many(nothing).moves.shape == (0, 0)
        assert solver.solve_each(nothing) == [] and len(solver.heuristics(nothing)) == 0


def test_limits_of_many(solver: Solver) -> None:
    boards = taquin.random_boards(20, 1)
    shortest = solver.solve_many(boards).lengths
    lengths, moves, _, optimal, bounds, *_ = solver.solve_many(boards, node_limit=0)
    # A short solution may meet the bound of the few nodes before the limit is noticed.
    assert not optimal.all() and np.array_equal(lengths[optimal], shortest[optimal])
    assert (lengths >= shortest).all() and moves.shape[1] == lengths.max()
    assert (bounds <= shortest).all() and (bounds > 0).all()


@pytest.mark.parametrize(
    ("boards", "error", "message"),
    [
        ([[1, 2, 3, 0], [1, 2, 2, 0]], ValueError, "board 1: tile 2 appears twice"),
        ([[1, 2, 3, 0], [2, 1, 3, 0]], ValueError, "board 1 cannot reach the goal"),
        ([[1, 2, 300, 0]], ValueError, r"boards: 300 in \[0, 2\] is no tile, .* 0 to 255"),
        ([[1, 2, 3, 0], [1, -3, 300, 0]], ValueError, r"boards: -3 in \[1, 1\] is no tile"),
        ([[1.0, 2.0, 3.0, 0.0]], TypeError, "whole numbers is expected, not of float64"),
        ([1, 2, 3, 0], ValueError, r"one 2x2 board.*array of shape \(1, 2, 2\)"),
        ([[1, 2], [3, 0]], ValueError, "boards: this is one 2x2 board, and several are expected"),
        (np.arange(16).reshape(4, 4), ValueError, r"one 4x4 board.*\(1, 4, 4\)"),
        (np.arange(6).reshape(2, 3), ValueError, r"one 3x2 board.*\(1, 2, 3\)"),
        (Board(), ValueError, r"one 4x4 board.*write \[board\]"),
        ("1 2 3 / 4 5 0", ValueError, "one 3x2 board"),
        ("1 2 3 / 4 5 5", ValueError, "boards: tile 5 appears twice"),
        (["1 2 3 / 4 5 0", "1 2 3 / 4 5 5"], ValueError, "boards: board 1: tile 5 appears twice"),
        ([7, 2, 3, 0], ValueError, r"shape \(N, cells\).*not \[4\]"),
        ([[1, 2, 3, 4, 5, 0]], ValueError, "give the size"),
        ([["a"]], TypeError, "whole numbers"),
        ([Board(), Board(size=3)], ValueError, "board 1 is 3x3, but board 0 is 4x4"),
        (np.zeros((2, 0), dtype=np.uint8), ValueError, "."),
        (np.zeros((2, 2, 2, 2), dtype=np.uint8), ValueError, "shape"),
        (np.zeros((3, 1, 1), dtype=np.uint8), ValueError, "."),
        (None, TypeError, "whole numbers"),
        ([[1, 2], [3]], ValueError, "."),
    ],
)
def test_bad_boards(boards: object, error: type[Exception], message: str) -> None:
    solver = Solver(heuristic="manhattan")
    for work in (solver.solve_many, solver.heuristics):
        with pytest.raises(error, match=message):
            work(boards)  # type: ignore[arg-type, call-overload]


def test_sizes_of_arrays() -> None:
    solver = Solver(heuristic="manhattan")
    boards = taquin.walks(4, 9, 1, size=(3, 2))
    assert solver.solve_many(boards, size="3x2").lengths.shape == (4,)
    assert solver.solve_many(boards.reshape(4, 2, 3)).lengths.shape == (4,)
    with pytest.raises(ValueError, match="rows of the array have 6"):
        solver.solve_many(boards, size=4)
    with pytest.raises(ValueError, match="3x2"):
        solver.solve_many(boards.reshape(4, 2, 3), size="2x3")


@pytest.mark.parametrize("name", [None, "manhattan", "6-6-3", "walking-distance", "7-8:mirror"])
def test_values_are_those_of_single_boards(solver: Solver, name: str | None) -> None:
    boards = taquin.random_boards(600, 5)
    values = solver.heuristics(boards, name)
    assert values.shape == (600,) and values.dtype == np.uint8
    assert all(solver.heuristic(board, name) == value for board, value in zip(boards[:20], values))
    lengths = solver.solve_many(boards[:50]).lengths
    assert (values[:50] <= lengths).all() and ((lengths - values[:50]) % 2 == 0).all()


def test_manhattan_distance() -> None:
    boards = taquin.random_boards(100, 2).reshape(-1, 4, 4)
    expected = np.zeros(100, dtype=int)
    for tile in range(1, 16):
        _, rows, columns = np.nonzero(boards == tile)
        expected += abs(rows - (tile - 1) // 4) + abs(columns - (tile - 1) % 4)
    assert np.array_equal(Solver(heuristic="manhattan").heuristics(boards), expected)


def test_values_of_large_boards() -> None:
    values = Solver(heuristic="manhattan").heuristics(taquin.random_boards(2, 1, size=16))
    assert values.dtype == np.uint16 and (values > 1000).all()


def test_successors() -> None:
    boards, possible = taquin.successors(taquin.random_boards(100, 1))
    assert boards.shape == (100, 4, 16) and possible.shape == (100, 4)
    assert (np.sort(boards, axis=2) == np.arange(16)).all()
    assert set(possible.sum(axis=1)) <= {2, 3, 4}


def test_labels_are_those_of_deepcubea(solver: Solver) -> None:
    """The optimal lengths of DeepCubeA's test boards, which another solver found."""
    table = np.loadtxt(Path(__file__).parent / "data" / "deepcubea15_100.txt")
    lengths, boards = table[:, 1].astype(int), table[:, 5:].astype(np.uint8)
    assert boards.shape == (100, 16)
    labels = solver.solve_many(boards)
    assert labels.optimal.all() and np.array_equal(labels.lengths, lengths)
