"""Boards that are 80 moves from the goal, and searches for them that take seconds."""

import taquin

BOARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
EASIER = "0 12 10 13 15 11 14 9 7 8 6 2 4 3 5 1"
"""A board with a quarter of the nodes."""

HEURISTIC = "6-6-3:mirror"


def is_equal(solution: taquin.Solution, whole: taquin.Solution) -> bool:
    """Whether two searches have the same answer and the same numbers of nodes."""
    fields = ("moves", "nodes", "expanded", "lower_bound", "optimal", "heuristic")
    return all(getattr(solution, field) == getattr(whole, field) for field in fields)
