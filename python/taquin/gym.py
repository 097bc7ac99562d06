"""Sliding-tile boards as an environment of gymnasium.

>>> import gymnasium
>>> import taquin.gym
>>> env = gymnasium.make("taquin/SlidingTile-v0", size=3, reward="distance")
>>> board, info = env.reset(seed=1)

It needs gymnasium: `pip install 'taquin[gym]'`.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ._results import MOVES
from ._taquin import Board, Solver, random_boards, walks

Observation = npt.NDArray[np.uint8]

MOST_STEPS = 1000
"""The steps after which an episode of `gymnasium.make` is truncated."""

MOST_CELLS = 25
"""Boards of more cells have no exact distances."""


class SlidingTile(gymnasium.Env[Observation, np.int64]):
    """A board that is to be brought to a goal.

    An observation is the array of the tiles, uint8 of shape (height, width), 0 for the blank. An
    action is the place of a move in taquin.MOVES; one that the border does not allow leaves the board
    as it is. The episode ends at the goal.

    A reset draws a board uniformly, or by a random walk of so many moves if `moves` is given;
    `reset(options={"board": ...})` sets the board, in any form that Board reads.

    The reward of a step is -1 with reward="steps": the return is minus the number of steps. With
    reward="distance" it is the change of the exact distance to the goal: 1 for a move that belongs to
    an optimal solution, -1 for any other, 0 for an impossible one. Each board is solved optimally, which
    takes well under a millisecond on 4x4 and about a second on 5x5. info has `distance` then, and
    always `action_mask`, which moves are possible (int8, 4).

    A solver sets the goal, the databases and the threads.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

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
        if render_mode not in (None, "ansi"):
            raise ValueError("render_mode: write ansi, or nothing")
        if not isinstance(solver, (Solver, type(None))):
            raise TypeError(f"solver: a Solver is expected, not {type(solver)}")
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
        self._board, self._distance = self._goal.copy(), 0
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
        self._distance = self._measured()
        return self._observation(), self._info()

    def step(
        self, action: np.int64
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.action_space.contains(action):
            raise ValueError(f"action: {action!r} is not 0, 1, 2 or 3")
        if (move := MOVES[int(action)]) in self._board.moves():
            # Without the moves before, which an episode does not take back.
            self._board = self._board.after(move)
        before, self._distance = self._distance, self._measured()
        reward = -1.0 if self._reward == "steps" else float(before - self._distance)
        return self._observation(), reward, self._board == self._goal, False, self._info()

    def render(self) -> str | None:
        """The rows of the board as text, with render_mode="ansi"."""
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

    def _measured(self) -> int:
        return len(self._solver.solve(self._board)) if self._reward == "distance" else 0

    def _observation(self) -> Observation:
        return np.array(self._board.rows, dtype=np.uint8)

    def _info(self) -> dict[str, Any]:
        possible = self._board.moves()
        mask = np.array([move in possible for move in MOVES], dtype=np.int8)
        info: dict[str, Any] = {"action_mask": mask}
        return info | {"distance": self._distance} if self._reward == "distance" else info


gymnasium.register(
    id="taquin/SlidingTile-v0",
    entry_point="taquin.gym:SlidingTile",
    max_episode_steps=MOST_STEPS,
)
