"""Heuristics from outside: functions compared, evaluated, and used in searches."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import taquin

Boards = npt.NDArray[np.uint8]

PROGRAM = """
import sys

for line in sys.stdin:
    if line.strip():
        tiles = [int(tile) for tile in line.split()]
        ways = [(cell, (tile - 1) % 9) for cell, tile in enumerate(tiles) if tile]
        print(sum(abs(a // 3 - b // 3) + abs(a % 3 - b % 3) for a, b in ways))
    else:
        sys.stdout.flush()
"""
"""The Manhattan distance on 3×3 to the goal with the blank last."""

SMALL = taquin.Solver(pdb_dir=":memory:")


def manhattan(boards: Boards) -> Any:
    """The Manhattan distance on 3×3 to the goal with the blank last."""
    cells = np.arange(9)
    goal = (boards.astype(int) - 1) % 9
    far = abs(goal // 3 - cells // 3) + abs(goal % 3 - cells % 3)
    return np.where(boards == 0, 0, far).sum(axis=1)


def doubled(boards: Boards) -> Any:
    return 1.9 * manhattan(boards)


def test_a_function_is_compared() -> None:
    found = SMALL.compare(["manhattan", manhattan, "ida:4-4:mirror"], size=3, n=50, solve=5)
    assert [row.heuristic for row in found] == ["manhattan", "manhattan", "ida:4-4:mirror"]
    first, own, second = found
    assert first.average == own.average < second.average
    assert first.nodes and second.nodes and first.nodes > second.nodes > 0
    # A function is compared by its values alone.
    assert own[2:] == (None,) * 6 and first.pairs == second.pairs == 5


def test_a_function_has_values() -> None:
    boards = taquin.random_boards(50, 1, size=3)
    found = SMALL.heuristics(boards, manhattan)
    assert found.dtype == np.float64 and np.array_equal(found, SMALL.heuristics(boards, "manhattan"))
    with pytest.raises(ZeroDivisionError):
        SMALL.heuristics(boards, lambda boards: 1 / 0)
    with pytest.raises(TypeError, match="name: "):
        SMALL.heuristics(boards, 5)  # type: ignore[call-overload]


def test_values_are_compared_with_true_distances() -> None:
    right, wrong, named = SMALL.evaluate([manhattan, doubled, "4-4:mirror"], size=3, n=200)
    assert right.boards == 200 and right.violations == right.inconsistent == 0
    assert right.worst is None and right.moves == 5000
    assert wrong.violations > 50 and wrong.inconsistent > 0 and wrong.worst is not None
    board, h, distance = wrong.worst
    assert h > distance == SMALL.solve(board).length
    assert named.violations == 0 and (named.h_over_distance or 0) > (right.h_over_distance or 0)
    assert sum(boards for _, boards, _ in named.by_distance) == 200
    assert repr(right).startswith("<manhattan: above the distance for 0 of 200 boards, inconsistent in 0 of ")


def test_nothing_to_compare_is_named() -> None:
    for call in (SMALL.compare, SMALL.evaluate):
        with pytest.raises(ValueError, match="heuristics is empty"):
            call([], size=3, n=3)
        for other in (None, 5):
            with pytest.raises(TypeError, match="is neither"):
                call([other], size=3, n=3)  # type: ignore[list-item]
        with pytest.raises(ValueError, match="heuristics: .*manhattan"):
            call(["manhatten"], size=3, n=3)


def test_names_are_those_of_the_bench(tmp_path: Path) -> None:
    boards = taquin.random_boards(20, 1, size=3)
    values = manhattan(boards)
    file = tmp_path / "values.csv"
    lines = [" ".join(map(str, board)) + f",{h}\n" for board, h in zip(boards, values)]
    file.write_text("".join(lines))
    program = tmp_path / "mine.py"
    program.write_text(PROGRAM)
    command = f"program:{sys.executable} {program}"
    names = [
        "manhattan",
        "korf1985",
        "astar:manhattan",
        "astar:fifo:manhattan",
        "values:manhattan",
        f"file:{file}",
        command,
        f"astar:{command}",
    ]
    found = SMALL.compare(names, boards, size=3, solve=2, node_limit=10**7)
    assert [row.heuristic for row in found] == names
    assert {row.average for row in found} == {float(values.mean())}
    assert [row.solved for row in found] == [2, 2, 2, 2, None, None, None, 2]
    for of in SMALL.evaluate(names, boards, size=3):
        assert of.boards == 20 and of.violations == 0, of
        assert of.moves == (0 if of.heuristic.startswith("file:") else 1000), of


def test_a_function_is_asked_in_batches_that_do_not_overlap() -> None:
    sizes: list[int] = []
    inside = 0

    def counted(boards: Boards) -> Any:
        nonlocal inside
        inside += 1
        assert inside == 1
        time.sleep(0.002)
        sizes.append(len(boards))
        inside -= 1
        return manhattan(boards)

    solver = taquin.Solver(pdb_dir=":memory:", threads=4)
    [found] = solver.evaluate([counted], size=3, n=300)
    assert found.boards == 300 and found.violations == 0
    # The last one is that of the walks.
    assert len(sizes) == 11 and sum(sizes[:-1]) == 300


def test_a_function_has_boards_of_its_own() -> None:
    def spoils(boards: Boards) -> Any:
        values = manhattan(boards)
        boards[:] = 0
        return values

    first, second, third = SMALL.compare([manhattan, spoils, manhattan], size=3, n=20)
    assert first.average == second.average == third.average


def test_values_have_a_limit() -> None:
    for huge in (1e300, 2**62):
        for call in (SMALL.compare, SMALL.evaluate):
            with pytest.raises(ValueError, match="largest value"):
                call([lambda boards: np.full(len(boards), huge)], size=3, n=5)
    largest = SMALL.compare([lambda boards: np.full(len(boards), 1e6)], size=3, n=5)
    assert largest[0].average == 1e6 and largest.svg()
    for call in (SMALL.compare, SMALL.evaluate):
        with pytest.raises(ValueError, match="return an array"):
            call([lambda boards: 1.0], size=3, n=5)


def test_a_function_guides_a_search() -> None:
    board = taquin.Board("8 6 7 / 2 5 4 / 3 0 1")
    for method in ("bwas", "ida"):
        found = SMALL.search(board, manhattan, method=method, batch=100)
        assert found.length == 31 and found.stopped is None, method
        assert found.moves is not None and board.after(found.moves).is_goal()
    greedy = SMALL.search(board, manhattan, batch=10, weight=0.2)
    assert greedy.length is not None and greedy.length >= 31
    assert greedy.generated < SMALL.search(board, manhattan, batch=10).generated
    stopped = SMALL.search(board, manhattan, node_limit=100)
    assert stopped.moves is None and stopped.length is None and stopped.stopped == "nodes"


def test_a_wrong_function_is_named() -> None:
    board = "8 6 7 / 2 5 4 / 3 0 1"

    def fails(boards: Boards) -> Any:
        raise KeyError("no such board")

    with pytest.raises(KeyError, match="no such board"):
        SMALL.search(board, fails)
    with pytest.raises(KeyError):
        SMALL.evaluate([fails], size=3, n=5)
    with pytest.raises(ValueError, match="1 values for 2 boards|values for"):
        SMALL.search(board, lambda boards: [1.0] * (len(boards) + 1))
    with pytest.raises(ValueError, match="not a finite number"):
        SMALL.search(board, lambda boards: np.full(len(boards), np.nan))
    with pytest.raises(ValueError, match="bwas or ida"):
        SMALL.search(board, manhattan, method="dfs")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="multi-tile metric does not support"):
        taquin.Solver(pdb_dir=":memory:", metric="multi").search(board, manhattan)

    def heuristic(boards: Boards) -> Any:
        return -manhattan(boards)

    with pytest.raises(ValueError, match="the function heuristic: "):
        SMALL.search(board, heuristic)
    with pytest.raises(ValueError, match="weight"):
        SMALL.search(board, manhattan, weight=2)
    with pytest.raises(ValueError, match="cannot reach"):
        SMALL.search("2 1 3 / 4 5 6 / 7 8 0", manhattan)
    with pytest.raises(TypeError):
        SMALL.search(board, "manhattan")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        SMALL.evaluate("manhattan")
