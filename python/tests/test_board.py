"""Boards: reading, moving, comparing."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import taquin
from taquin import Board

TEXT = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12"
TILES = [5, 1, 7, 3, 9, 2, 11, 4, 13, 6, 15, 8, 0, 10, 14, 12]
ROWS = [TILES[i : i + 4] for i in range(0, 16, 4)]


@pytest.mark.parametrize(
    "form",
    [
        TEXT,
        " ".join(map(str, TILES)),
        str(ROWS),
        "517392b4d6f80aec",
        '{"board": [5,1,7,3,9,2,11,4,13,6,15,8,0,10,14,12]}',
        TILES,
        tuple(TILES),
        ROWS,
        np.array(TILES),
        np.array(ROWS, dtype=np.uint8),
        Board(TEXT),
    ],
    ids=lambda form: type(form).__name__,
)
def test_every_form_reads_alike(form: object) -> None:
    board = Board(form)  # type: ignore[arg-type]
    assert board == Board(TEXT)
    assert hash(board) == hash(Board(TEXT))
    assert board.tiles == tuple(TILES)
    assert board.rows == ROWS
    assert (board.width, board.height, board.blank) == (4, 4, 12)
    assert repr(board) == f"Board('{TEXT}')"
    assert str(board).splitlines()[3] == " . 10 14 12"
    assert np.array_equal(np.asarray(board), ROWS)
    assert np.asarray(board, dtype=np.int64).dtype == np.int64


def test_the_blank_has_a_name() -> None:
    for text in ("1 2 9 / 4 5 6 / 7 8 3", [[1, 2, 9], [4, 5, 6], [7, 8, 3]]):
        assert Board(text, blank="9") == Board("1 2 0 / 4 5 6 / 7 8 3")
    solver = taquin.Solver("1 2 3 / 4 5 6 / 7 8 9", pdb_dir=":memory:", blank="9")
    assert solver.solve("1 2 3 / 4 5 9 / 7 8 6").moves == "U"
    assert pickle.loads(pickle.dumps(solver)) == solver


def test_a_frame_is_its_values() -> None:
    pandas = pytest.importorskip("pandas")
    assert Board(pandas.DataFrame(ROWS)) == Board(TEXT)
    with pytest.raises(ValueError, match="board: it is a 3x3 board, not 4x4"):
        Board(Board(size=3), size=4)


def test_sizes() -> None:
    assert Board(size="3x2") == Board("1 2 3 / 4 5 0")
    assert Board([1, 2, 3, 4, 5, 0], size=(3, 2)) == Board([[1, 2, 3], [4, 5, 0]])
    assert Board(size=3).tiles == (1, 2, 3, 4, 5, 6, 7, 8, 0)
    assert Board().is_goal()
    assert Board.goal("spiral", size=3).rows == [[1, 2, 3], [8, 0, 4], [7, 6, 5]]
    assert Board.goal("1 2 3 / 0 4 5").width == 3


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("1 2 2 0", "tile 2 appears twice, and tile 3 is missing"),
        ([1, 2, 2, 0], "tile 2 appears twice"),
        ([[1, 2], [3]], "row 2 has 1 cell, but the other has 2"),
        ([1, -2, 3, 0], "-2"),
        ("", "no board"),
        ("1 2 3", "3 numbers"),
        (np.zeros((2, 2), dtype=int), "the blank appears twice"),
        ("{\"board\": true}", "no \"board\""),
    ],
)
def test_the_message_is_that_of_the_library(form: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Board(form)  # type: ignore[arg-type]


def test_a_guess_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="the blank is not written"):
        assert Board("1 2 3 / 4 5 6 / 7 8") == Board(size=3)


@pytest.mark.parametrize("form", [5, 1.5, [1.5, 0], object(), [["a"]], np.zeros((1, 2, 2)), b"1"])
def test_other_types_are_no_boards(form: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        Board(form)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "size", [1, "1x5", (4,), -4, 1.5, (2, 200), (2, 2.5), (2, -2), "x", 10**30, None.__class__, [[]]]
)
def test_bad_sizes(size: object) -> None:
    with pytest.raises((TypeError, ValueError), match="size: "):
        Board(size=size)  # type: ignore[arg-type]


def test_moves_are_pushed_and_popped() -> None:
    board = Board(TEXT)
    assert board.moves() == ["L", "D"]
    board.push("D")
    assert board.tiles[8] == 0
    board.push("Left, 2d")
    assert board.move_stack == "DLDD"
    again = board.copy()
    assert [board.pop() for _ in range(4)] == ["D", "D", "L", "D"]
    assert board == Board(TEXT) and again != board
    assert Board(TEXT).after("DLDD") == again
    board.push(13)
    assert board.pop() == "D"
    with pytest.raises(IndexError):
        board.pop()


@pytest.mark.parametrize("moves", ["U", "DU D D D D", "x", "1", 1, "999999999l"])
def test_impossible_moves_change_nothing(moves: str | int) -> None:
    board = Board(TEXT)
    with pytest.raises(ValueError):
        board.push(moves)
    assert board == Board(TEXT) and board.move_stack == ""


def test_moves_may_be_those_of_the_blank() -> None:
    board = Board("1 2 3 / 4 0 6 / 7 5 8")
    for moves in ("DR", ["Down", "right"], "2\ndown\nright", "↓→", "5 8", "Move 5 Down, Move 8 Right"):
        assert board.after(moves, directions="blank").is_goal()
    assert not board.after("DR").is_goal()
    board.push("DR", directions="blank")
    assert board.move_stack == "UL"
    with pytest.raises(ValueError, match='directions="blank" allows these moves'):
        Board().push("U")
    with pytest.raises(ValueError, match="write tile or blank"):
        board.push("U", directions="cell")  # type: ignore[arg-type]


def test_moves_of_another_type() -> None:
    for moves in (1.5, None, [1], -1):
        with pytest.raises(TypeError, match="moves: text is expected"):
            Board().push(moves)  # type: ignore[arg-type]


def test_a_board_is_its_tiles_in_reading_order() -> None:
    board = Board(TEXT)
    assert list(board) == TILES and tuple(board) == board.tiles and len(board) == 16
    assert (board[0], board[-1], board[board.blank]) == (5, 12, 0) and board[4:6] == (9, 2)
    assert 15 in board and 16 not in board
    for cell in (16, -17):
        with pytest.raises(IndexError):
            board[cell]
    with pytest.raises(TypeError):
        board["a"]  # type: ignore[call-overload]
    # Boards are in the order of their tiles.
    boards = [Board.random(seed=seed) for seed in range(9)]
    assert sorted(boards) == sorted(boards, key=lambda board: board.tiles)
    assert Board(size="2x3") < Board(size="3x2") < Board(size=3)
    assert board <= board >= board and not board < board
    with pytest.raises(TypeError):
        assert board < TEXT
    # numpy takes the rows of a board, and of boards.
    assert np.array(board).shape == (4, 4) and np.array(boards).shape == (9, 4, 4)


def test_a_pickle_keeps_the_moves() -> None:
    board = Board(TEXT)
    board.push("DLDD")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        other = pickle.loads(pickle.dumps(board, protocol))
        assert other == board and other.move_stack == "DLDD"
    assert [other.pop() for _ in range(4)] == ["D", "D", "L", "D"] and other == Board(TEXT)


def test_copies() -> None:
    board = Board(TEXT)
    for other in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other == board
        other.push("D")
        assert other != board
    assert board != TEXT
    assert len({board, Board(TEXT), Board()}) == 2


def test_solvable_has_its_reasons() -> None:
    swapped = Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0")
    assert not swapped.solvable
    assert (swapped.solvable.transpositions, swapped.solvable.blank_distance) == (1, 0)
    assert (swapped.solvable.inversions, swapped.solvable.blank_row) == (1, 1)
    assert str(swapped.solvable) == (
        "unsolvable: there is 1 inversion, and the blank is in row 1 from the bottom. The sum, 2, is even. "
        "For this goal it must be odd"
    )
    assert pickle.loads(pickle.dumps(swapped.solvable)) == swapped.solvable
    assert Board("1 2 3 / 4 5 6 / 8 7 0").solvable.blank_row is None
    assert swapped.solvability("spiral").inversions is None
    assert "transpositions" in str(swapped.solvability("spiral"))
    assert swapped.solvability("blank-first") and Board(TEXT).solvable
    with pytest.raises(ValueError, match="no goal"):
        swapped.solvability("corner")


def test_random_boards_follow_from_the_seed() -> None:
    # The board that `taquin shuffle --seed 1` prints.
    assert Board.random(seed=1) == Board("0 2 3 15 / 13 6 9 4 / 10 8 1 11 / 14 12 5 7")
    assert Board.random(seed=1, size=5).width == 5
    assert Board.random().solvable
    assert Board.random(goal="spiral", size=3).solvability("spiral")
    # The board that `taquin shuffle --moves 30 --seed 7` prints.
    assert Board.walk(30, seed=7) == Board("2 3 4 8 / 5 1 6 14 / 0 13 7 11 / 10 9 15 12")
    assert Board.walk(0).is_goal()
    with pytest.raises(ValueError, match="moves: a walk has at most"):
        Board.walk(10**10)


def test_the_moves_are_in_the_order_of_arrays() -> None:
    board = Board.random(seed=3, size=3)
    boards, possible = taquin.successors([board])
    for place, move in enumerate(taquin.MOVES):
        assert possible[0, place] == (move in board.moves())
        after = board.after(move) if possible[0, place] else board
        assert tuple(boards[0, place]) == after.tiles
        if possible[0, place]:
            assert board.after(np.array([place, 3 - place, -1], np.int8)) == board
