"""The programs that come with the package."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import taquin
from taquin._taquin import read_count, read_seconds

BIN = Path(sys.executable).parent
BOARD = "5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12"


def run(
    *command: str, stdin: str | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        capture_output=True,
        text=True,
        timeout=60,
        input=stdin,
        cwd=cwd,
    )


def test_they_are_there() -> None:
    for program in ("taquin", "pdb-gen"):
        assert shutil.which(program, path=str(BIN))
        done = run(program, "--version")
        assert done.stdout == f"{program} {taquin.__version__}\n" and done.returncode == 0


def test_a_board_is_solved(databases: Path, solver: taquin.Solver) -> None:
    solver.prepare()
    done = run("taquin", "solve", "--pdb-dir", str(databases), "--format", "letters", BOARD)
    assert (done.stdout, done.returncode) == ("DDDLUUULDDDLUUU\n", 0)
    piped = run("taquin", "solve", "--heuristic", "manhattan", "--json", "-", stdin=BOARD)
    assert '"length":15' in piped.stdout
    assert "sound" in run("pdb-gen", "info", str(databases)).stdout


def test_seeds_are_those_of_the_module() -> None:
    done = run("taquin", "shuffle", "--count", "5", "--seed", "3")
    boards = [taquin.Board(line) for line in done.stdout.splitlines()]
    assert boards == [taquin.Board(board) for board in taquin.random_boards(5, 3)]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["solve", "1 2 3"], 2),
        (["solve", "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0"], 1),
        (["solve", "--no-build", "--heuristic", "7-8", "--pdb-dir", "missing", BOARD], 3),
        (["magic"], 2),
        (["--help"], 0),
    ],
)
def test_exit_codes(arguments: list[str], code: int, tmp_path: Path) -> None:
    done = run("taquin", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert done.stderr if code else done.stdout


def test_an_interrupt_kills_a_program() -> None:
    hard = "11 12 2 22 23 / 6 17 20 9 16 / 1 0 5 4 13 / 24 7 15 14 3 / 18 21 19 8 10"
    program = subprocess.Popen(
        [str(BIN / "taquin"), "solve", "--heuristic", "manhattan", hard],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A shell's background jobs ignore interrupts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(1)
    os.kill(program.pid, signal.SIGINT)
    program.communicate(timeout=20)
    assert program.returncode == -signal.SIGINT


def test_a_closed_pipe_is_no_error() -> None:
    shell = f"'{BIN / 'taquin'}' shuffle --count 100000 --seed 1 | head -n 1"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stdout.count("\n") == 1 and not done.stderr


def test_the_module_starts_without_numpy() -> None:
    code = "import sys, taquin; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_numbers_are_those_of_the_options() -> None:
    counts = {"20000": 20_000, "2e4": 20_000, "10k": 10_000, "1.5M": 1_500_000, "1e30": 2**64 - 1}
    assert {text: read_count(text) for text in counts} == counts
    times = {"10": 10.0, "0.5": 0.5, "200ms": 0.2, "2m": 120.0}
    assert {text: read_seconds(text) for text in times} == times
    for reader, text in [(read_count, "1.5"), (read_count, "-1"), (read_seconds, "1d")]:
        with pytest.raises(ValueError, match="^write "):
            reader(text)
