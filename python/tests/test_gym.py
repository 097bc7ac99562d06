"""Boards as an environment of gymnasium."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import taquin
from taquin import Board, Solver

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from taquin.gym import SlidingTile  # noqa: E402

SMALL = Solver(heuristic="manhattan", pdb_dir=":memory:")


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3},
        {"size": 3, "reward": "distance"},
        {"size": "5x2", "reward": "distance", "moves": 12, "render_mode": "ansi"},
        {"size": 6, "moves": 100, "render_mode": "rgb_array"},
        {"size": 3, "solver": Solver("spiral", "manhattan"), "reward": "distance"},
    ],
)
def test_gymnasium_accepts_it(options: dict[str, Any]) -> None:
    made = gymnasium.make("taquin/SlidingTile-v0", **{"solver": SMALL, **options})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)


def test_the_reward_is_the_change_of_the_distance() -> None:
    env = SlidingTile(3, reward="distance", solver=SMALL)
    observation, info = env.reset(seed=3)
    assert np.array_equal(observation, env.board.rows)
    assert info["distance"] == len(SMALL.solve(env.board)) > 0
    # Any walk, and then an optimal solution.
    chance, total = random.Random(1), 0.0
    begin = info["distance"]
    for _ in range(30):
        before, action = env.board, chance.randrange(4)
        is_possible = bool(info["action_mask"][action])
        assert is_possible == (taquin.MOVES[action] in before.moves())
        observation, reward, ended, truncated, info = env.step(np.int64(action))
        total += reward
        assert reward in ((-1, 1) if is_possible else (0,)) and not truncated
        assert env.board == (before.after(taquin.MOVES[action]) if is_possible else before)
        assert ended == env.board.is_goal() and info["distance"] == SMALL.solve(env.board).length
    assert total == begin - info["distance"]
    for move in SMALL.solve(env.board):
        _, reward, ended, _, info = env.step(np.int64(taquin.MOVES.index(move)))
        assert reward == 1
    assert ended and info["distance"] == 0


def test_boards_follow_from_the_seed_or_are_given() -> None:
    env = SlidingTile(3, solver=SMALL, render_mode="ansi")
    first, _ = env.reset(seed=5)
    second, info = env.reset()
    assert not np.array_equal(first, second) and "distance" not in info
    assert np.array_equal(env.reset(seed=5)[0], first)
    board = Board("1 2 3 / 4 5 6 / 7 0 8")
    observation, _ = env.reset(options={"board": board})
    assert np.array_equal(observation, board.rows) and env.render() == str(board)
    assert env.step(np.int64(taquin.MOVES.index("L")))[1:4] == (-1.0, True, False)
    near = SlidingTile(3, moves=2, solver=SMALL, reward="distance")
    assert {near.reset(seed=seed)[1]["distance"] for seed in range(9)} == {2}
    for wrong in ("1 2 3 / 4 5 6 / 8 7 0", "1 2 3 / 4 5 0", "1 1"):
        with pytest.raises(ValueError, match="board: "):
            env.reset(options={"board": wrong})


def test_a_picture_shows_the_tiles() -> None:
    env = SlidingTile(3, solver=SMALL, render_mode="rgb_array")
    for tiles in (range(9), range(8, -1, -1)):
        env.reset(options={"board": [*tiles]})
        picture = env.render()
        assert isinstance(picture, np.ndarray) and picture.shape == (120, 120, 3)
        cells = [row for band in np.split(picture, 3) for row in np.split(band, 3, axis=1)]
        pictures = {tile: cell.tobytes() for tile, cell in zip(tiles, cells, strict=True)}
        assert len(set(pictures.values())) == 9 and not (cells[env.board.blank] == 0).all(axis=2).any()


def test_a_move_of_the_solution_known_needs_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SlidingTile(3, reward="distance", solver=SMALL)
    _, info = env.reset(seed=3)
    solution = SMALL.solve(env.board)
    monkeypatch.setattr(env, "_solver", None)
    for left, move in enumerate(solution, 1):
        _, reward, ended, _, after = env.step(np.int64(taquin.MOVES.index(move)))
        assert reward == 1 and after["distance"] == info["distance"] - left
    assert ended


def test_wrong_arguments_are_named() -> None:
    for options, argument in [
        ({"reward": "speed"}, "reward"),
        ({"size": 6, "reward": "distance"}, "reward"),
        ({"render_mode": "human"}, "render_mode"),
        ({"reward": "distance", "solver": Solver(metric="multi")}, "solver"),
        ({"size": 1}, "size"),
        ({"moves": -1}, "moves"),
        ({"solver": 3}, "solver"),
    ]:
        with pytest.raises((ValueError, TypeError), match=f"{argument}: "):
            SlidingTile(**options)  # type: ignore[arg-type]
    env = SlidingTile(3, solver=SMALL)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action: "):
        env.step(np.int64(4))


def test_the_package_does_without_gymnasium() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import taquin; taquin.Board(); import taquin.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "gymnasium" in done.stderr.splitlines()[-1]
