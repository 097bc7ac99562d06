"""A local search for hard boards."""

from __future__ import annotations

import heapq
from random import Random
from typing import NamedTuple

from .._taquin import Board, Solution, Solver, random_boards

Key = tuple[int, ...]
"""The hardness of a board: larger keys are harder."""

WALK = 6
"""The longest walk that changes a board."""


class Climb(NamedTuple):
    """A climb. It depends on nothing else."""

    seed: int
    size: tuple[int, int]
    starts: int
    """The climb begins with the hardest of so many random boards."""
    steps: int
    by: str
    """The measure of hardness: "nodes" or "length"."""
    top: int
    """The number of boards to return."""


def climb(solver: Solver, task: Climb) -> tuple[list[Solution], int]:
    """Changes a board at random, and keeps each change that does not make it easier. Returns the
    hardest boards with their solutions, the hardest first, and the nodes generated in all."""
    random = Random(task.seed)
    best: list[tuple[Key, tuple[int, ...], Solution]] = []
    known: dict[tuple[int, ...], Key] = {}
    nodes = 0

    def hardness(board: Board) -> Key:
        nonlocal nodes
        if board.tiles in known:
            return known[board.tiles]
        solution = solver.solve(board)
        nodes += solution.nodes
        key = (len(solution), solution.nodes) if task.by == "length" else (solution.nodes,)
        known[board.tiles] = key
        entry = (key, board.tiles, solution)
        if len(best) < task.top:
            heapq.heappush(best, entry)
        else:
            heapq.heappushpop(best, entry)
        return key

    goal = solver.goal
    starts = random_boards(task.starts, random.getrandbits(63), size=task.size, goal=goal)
    board = max((Board(start, size=task.size) for start in starts.tolist()), key=hardness)
    height = hardness(board)
    for _ in range(task.steps):
        other = changed(board, goal, random)
        key = hardness(other)
        if key >= height:
            board, height = other, key
    return [solution for _, _, solution in sorted(best, reverse=True)], nodes


def changed(board: Board, goal: str, random: Random) -> Board:
    """A board near another that moves can bring to the goal too: three tiles moved in a circle, two
    pairs of tiles exchanged, or a short walk."""
    size = (board.width, board.height)
    while True:
        tiles = list(board.tiles)
        a, b, c, d = (random.randrange(len(tiles)) for _ in range(4))
        match random.randrange(3):
            case 0:
                tiles[a], tiles[b] = tiles[b], tiles[a]
                tiles[b], tiles[c] = tiles[c], tiles[b]
                other = Board(tiles, size=size)
            case 1:
                tiles[a], tiles[b] = tiles[b], tiles[a]
                tiles[c], tiles[d] = tiles[d], tiles[c]
                other = Board(tiles, size=size)
            case _:
                other = board.copy()
                for _ in range(random.randint(1, WALK)):
                    other.push(random.choice(other.moves()))
        if other.tiles != board.tiles and other.solvability(goal):
            return other
