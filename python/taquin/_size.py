"""The boards that are solved optimally."""

from __future__ import annotations

from ._taquin import Board

MOST_CELLS = 25


def check_size(board: Board) -> None:
    """ValueError if boards of this size are not solved optimally."""
    if len(board) > MOST_CELLS:
        size = f"{board.width}x{board.height}"
        raise ValueError(
            f"boards of more than {MOST_CELLS} cells are not solved optimally, and this is a {size} board"
        )
