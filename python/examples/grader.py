"""Grades the answer of a language model to a board: python grader.py BOARD < answer.txt

The answer has moves as words, letters or <action>…</action>. The moves before the first impossible one count.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

import taquin


class Grade(NamedTuple):
    moves: str
    """The possible moves, as letters."""
    impossible: str | None
    """The first part of the answer that is not possible or not a move."""
    reached: bool
    lost: int
    """The moves lost: each move away from the goal loses itself and the move back."""
    first_lost: int | None
    """The number of moves before the first lost one."""
    left: int | None
    """The distance that is left."""


def grade(solver: taquin.Solver, board: taquin.Board, answer: str) -> Grade:
    """The result of an answer."""
    end, impossible = board.copy(), None
    actions = re.findall(r"<action>(.*?)</action>", answer, re.DOTALL | re.IGNORECASE)
    for action in actions or re.findall(r"\b(?:up|down|left|right|[udlr])\b", answer, re.IGNORECASE):
        try:
            end.push(action.strip())
        except ValueError:
            impossible = action
            break
    moves = end.move_stack[len(board.move_stack) :]
    analysis = solver.analyse(board, moves)
    first = analysis.losses[0].at if analysis.losses else None
    reached = end.is_goal(solver.goal)
    return Grade(moves, impossible, reached, analysis.lost, first, analysis.lengths[-1])


if __name__ == "__main__":
    print(grade(taquin.Solver(), taquin.Board(sys.argv[1]), sys.stdin.read()))
