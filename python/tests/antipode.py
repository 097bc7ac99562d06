"""A board that is 80 moves from the goal, and a search for it that takes some seconds."""

import taquin

BOARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"
HEURISTIC = "6-6-3:mirror"


def is_equal(solution: taquin.Solution, whole: taquin.Solution) -> bool:
    """Whether two searches have the same answer and the same numbers of nodes."""
    fields = ("moves", "nodes", "expanded", "lower_bound", "optimal", "heuristic")
    return all(getattr(solution, field) == getattr(whole, field) for field in fields)
