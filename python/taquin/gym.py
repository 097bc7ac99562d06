"""Sliding-tile boards as an environment of gymnasium.

>>> import gymnasium
>>> import taquin.gym
>>> env = gymnasium.make("taquin/SlidingTile-v0", size=3, reward="distance")
>>> board, info = env.reset(seed=1)

It needs gymnasium, which the extra `gym` of the package installs.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._results import MOVES
from ._size import MOST_CELLS
from ._taquin import Board, Solver, random_boards, walks

Observation = npt.NDArray[np.uint8]

MOST_STEPS = 1000
"""The steps after which an episode of `gymnasium.make` is truncated."""

SIDE = 40
SCALE = 3
"""The pixels of a cell's side in a picture, and of a dot of a digit."""

GROUND, TILE, INK = (138, 138, 138), (247, 243, 232), (0, 0, 0)

DIGITS = [
    np.array([[dot == "#" for dot in row] for row in digit.split("/")])
    for digit in """
        ###/#.#/#.#/#.#/### .#./##./.#./.#./### ###/..#/###/#../### ###/..#/###/..#/###
        #.#/#.#/###/..#/..# ###/#../###/..#/### ###/#../###/#.#/### ###/..#/..#/..#/..#
        ###/#.#/###/#.#/### ###/#.#/###/..#/###
    """.split()
]


class SlidingTile(gymnasium.Env[Observation, np.int64]):
    """A board that is to be brought to a goal.

    An observation is the array of the tiles, uint8 of shape (height, width), 0 for the blank. An
    action is the place of a move in taquin.MOVES; one that the border blocks leaves the board
    as it is. The episode ends at the goal.

    A reset draws a board uniformly, or by a random walk of so many moves if `moves` is given;
    `reset(options={"board": ...})` sets the board, in any form that Board reads.

    The reward of a step is -1 with reward="steps": the return is minus the number of steps. With
    reward="distance" it is the change of the exact distance to the goal: 1 for a move that belongs to
    an optimal solution, -1 for any other, 0 for an impossible one. A move off the solution known takes a
    search whether the new board is nearer: half a millisecond on 4x4, about a second on 5x5.
    info has `distance` then, and always `action_mask`, which moves are possible (int8, 4).

    A solver sets the goal, the databases and the threads.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        size: int | tuple[int, int] | str = 4,
        *,
        moves: int | None = None,
        reward: Literal["steps", "distance"] = "steps",
        solver: Solver | None = None,
        render_mode: str | None = None,
    ) -> None:
        if reward not in ("steps", "distance"):
            raise ValueError("reward: write steps or distance")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError("render_mode: write ansi, rgb_array, or nothing")
        if not isinstance(solver, (Solver, type(None))):
            raise TypeError(f"solver: a Solver is expected, not {type(solver).__name__}")
        if moves is not None and moves < 0:
            raise ValueError(f"moves: {moves} is negative")
        self.render_mode = render_mode
        self._solver = solver or Solver()
        self._goal = Board.goal(self._solver.goal, size=size)
        if reward == "distance" and len(self._goal) > MOST_CELLS:
            raise ValueError(f"reward: boards of more than {MOST_CELLS} cells have no exact distances")
        if reward == "distance" and self._solver.metric != "single":
            raise ValueError("solver: the distance counts moves of single tiles: use metric='single'")
        self._moves, self._reward = moves, reward
        self._board = self._goal.copy()
        self._solution = ""
        """An optimal solution of the board, if the reward is its distance."""
        self._solutions: dict[Board, str] = {}
        """The optimal solutions of the boards of the episode."""
        shape = (self._goal.height, self._goal.width)
        self.observation_space = spaces.Box(0, len(self._goal) - 1, shape, np.uint8)
        self.action_space = spaces.Discrete(len(MOVES))

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._board.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        given = (options or {}).get("board")
        self._board = self._drawn() if given is None else self._checked(given)
        self._solution, self._solutions = "", {}
        if self._reward == "distance":
            self._solution = str(self._solver.solve(self._board))
            self._solutions[self._board] = self._solution
        return self._observation(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action):
            raise ValueError(f"action: {action!r} is not 0, 1, 2 or 3")
        before = len(self._solution)
        if (move := MOVES[int(action)]) in self._board.moves():
            # Without the moves before, which an episode does not take back.
            self._board = self._board.after(move)
            if self._reward == "distance":
                self._solution = self._followed(move)
        reward = -1.0 if self._reward == "steps" else float(before - len(self._solution))
        return self._observation(), reward, self._board == self._goal, False, self._info()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The rows of the board as text with render_mode="ansi", a picture with "rgb_array"."""
        if self.render_mode == "rgb_array":
            return _picture(self._board)
        return str(self._board) if self.render_mode == "ansi" else None

    def _drawn(self) -> Board:
        seed = int(self.np_random.integers(2**63))
        size = (self._goal.width, self._goal.height)
        goal = self._solver.goal
        if self._moves is None:
            [tiles] = random_boards(1, seed, size=size, goal=goal)
        else:
            [tiles] = walks(1, self._moves, seed, size=size, goal=goal)
        return Board(tiles, size=size)

    def _checked(self, given: Any) -> Board:
        board = Board(given)
        if (board.width, board.height) != (self._goal.width, self._goal.height):
            raise ValueError(f"board: a {self._goal.width}x{self._goal.height} board is expected")
        if not (solvability := board.solvability(self._solver.goal)):
            raise ValueError(f"board: cannot reach the goal: {solvability}")
        return board

    def _followed(self, move: str) -> str:
        """An optimal solution of the board after a move."""
        if (solution := self._solutions.get(self._board)) is None:
            back = MOVES[3 - MOVES.index(move)] + self._solution
            if self._solution.startswith(move):
                solution = self._solution[1:]
            else:
                # It is one move nearer or one move farther: a single threshold decides.
                nearer = self._solver.within(self._board, max(len(self._solution) - 1, 0))
                solution = back if nearer is None else nearer
            self._solutions[self._board] = solution
        return solution

    def _observation(self) -> Observation:
        return np.array(self._board.rows, dtype=np.uint8)

    def _info(self) -> dict[str, Any]:
        possible = self._board.moves()
        mask = np.array([move in possible for move in MOVES], dtype=np.int8)
        info: dict[str, Any] = {"action_mask": mask}
        return info | {"distance": len(self._solution)} if self._reward == "distance" else info


def _picture(board: Board) -> npt.NDArray[np.uint8]:
    """The board as rows of pixels."""
    picture = np.full((board.height * SIDE, board.width * SIDE, 3), GROUND, np.uint8)
    for cell, tile in enumerate(board):
        if not tile:
            continue
        y, x = (SIDE * place for place in divmod(cell, board.width))
        part = picture[y + 1 : y + SIDE - 1, x + 1 : x + SIDE - 1]
        part[:] = TILE
        digits = [np.pad(DIGITS[int(digit)], ((0, 0), (0, 1))) for digit in str(tile)]
        dots = np.kron(np.concatenate(digits, axis=1)[:, :-1], np.ones((SCALE, SCALE), bool))
        top, left = (np.array(part.shape[:2]) - dots.shape) // 2
        part[top : top + dots.shape[0], left : left + dots.shape[1]][dots] = INK
    return picture


gymnasium.register(
    id="taquin/SlidingTile-v0",
    entry_point="taquin.gym:SlidingTile",
    max_episode_steps=MOST_STEPS,
)
