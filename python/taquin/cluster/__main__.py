"""`python -m taquin.cluster`: the commands."""

from __future__ import annotations

import argparse
import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

from .._dataset import check_heuristics, check_path
from .._size import check_size
from .._taquin import Board, Solution, Solver, read_count, read_seconds
from . import EXTRA
from ._thresholds import finished, task_of, title

Number = TypeVar("Number", int, float)

EXAMPLES = """\
examples:
  python -m taquin.cluster solve --run search '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'
  python -m taquin.cluster batch --run answers boards.txt > answers.jsonl
  python -m taquin.cluster dataset --count 1e6 --out set.npz
  python -m taquin.cluster hunt --run hunt --climbs 100 --steps 200
  python -m taquin.cluster status search

exit codes:
  0    all answers are optimal
  1    a limit ended the search for a board
  2    wrong usage, a folder or file that cannot be used, or a failure of Ray
  130  an interrupt

Repeat an interrupted command to continue it. `--address auto` uses the cluster of this machine,
`--address HOST:PORT` another one.
"""


def _count(text: str) -> int:
    """A count as the options of taquin take it. Python's own calls have signed numbers."""
    return min(_read(read_count, text), 2**63 - 1)


def _seconds(text: str) -> float:
    return min(_read(read_seconds, text), 1e9)


def _read(reader: Callable[[str], Number], text: str) -> Number:
    try:
        return reader(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m taquin.cluster",
        description="Solve sliding-tile puzzles on a Ray cluster.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, summary: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        added.add_argument(
            "--address", metavar="HOST:PORT", help="Ray's head, or auto [default: RAY_ADDRESS, else this machine alone]"
        )
        added.add_argument(
            "--goal", default="blank-last", help="name or board [%(default)s]"
        )
        added.add_argument("--pdb-dir", metavar="DIR", help="folder of the databases on each machine")
        return added

    def run(added: argparse.ArgumentParser) -> None:
        added.add_argument("--run", required=True, metavar="DIR", help="folder that keeps what is done")
        added.add_argument(
            "--heuristic", default="standard", help="as in taquin solve [%(default)s]"
        )

    def draw(added: argparse.ArgumentParser) -> None:
        added.add_argument("--seed", type=_count, default=1, metavar="S", help="[%(default)s]")
        added.add_argument("--size", metavar="WxH", help="size of the boards [default: 4x4]")

    solve = command("solve", "solve one board optimally")
    run(solve)
    solve.add_argument("board", metavar="BOARD", help="board, in quotes, as taquin solve reads it")
    solve.add_argument(
        "--after",
        type=_count,
        default=100_000_000,
        metavar="NODES",
        help="divide thresholds whose predecessor had at least so many nodes [1e8]",
    )
    solve.add_argument(
        "--time-limit", type=_seconds, metavar="TIME", help="begin no packet after this time"
    )
    solve.add_argument("--json", action="store_true", help="print the answer as a JSON object")

    batch = command("batch", "solve the boards of a file, and print the answers as lines of JSON")
    run(batch)
    batch.add_argument("file", metavar="FILE", help="file with one board per line; # begins a comment")
    batch.add_argument("--time-limit", type=_seconds, metavar="TIME", help="for each board")
    batch.add_argument("--node-limit", type=_count, metavar="NODES", help="for each board")
    batch.add_argument(
        "--gap", type=_count, default=0, metavar="MOVES", help="end a search so near the lower bound"
    )
    batch.add_argument(
        "--metric", choices=["single", "multi"], default="single", help="what a move is [%(default)s]"
    )

    dataset = command("dataset", "make a data set of random boards, as taquin.dataset does")
    draw(dataset)
    dataset.add_argument("--out", required=True, metavar="FILE", help="file to write, .npz or .parquet")
    dataset.add_argument(
        "--count", type=_count, default=10_000, metavar="N", help="number of boards [%(default)s]"
    )
    dataset.add_argument(
        "--moves", type=_count, metavar="N", help="boards after N random moves from the goal"
    )
    dataset.add_argument(
        "--heuristics", default="", metavar="LIST", help="heuristics whose values are added"
    )

    hunt = command("hunt", "hunt for hard boards by local search, and print them as lines of JSON")
    run(hunt)
    draw(hunt)
    for name, default, summary in [
        ("climbs", 100, "local searches"),
        ("steps", 1000, "changes that each tries"),
        ("starts", 100, "random boards, the hardest of which begins a climb"),
        ("top", 20, "boards to print"),
    ]:
        hunt.add_argument(
            f"--{name}", type=_count, default=default, metavar="N", help=f"{summary} [%(default)s]"
        )
    hunt.add_argument(
        "--by", choices=["nodes", "length"], default="nodes", help="what is hard [%(default)s]"
    )

    summary = "print what is done of a run, and what is left"
    status = commands.add_parser("status", help=summary, description=summary.capitalize() + ".")
    status.add_argument("path", metavar="PATH", help="folder of --run, or FILE or FILE.partial of a data set")
    return parser


# Commands read their boards before Ray starts, and return the lines to print. They add what they have
# done to the summary.


Line = tuple[str | None, bool]
"""A line to print, if there is one, and whether its answer is proved to be optimal."""


def _boards(path: str, goal: str) -> tuple[list[Board], list[int]]:
    """The boards of a file, and the number of the line of each."""
    boards, numbers = [], []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text in UTF-8: {error.reason} at byte {error.start}") from None
    except OSError as error:
        # An error while reading has no name.
        raise OSError(error.errno, error.strerror, path) from None
    for number, line in enumerate(lines, 1):
        if text := line.split("#")[0].strip():
            boards.append(_board(text, goal, f"{path}, line {number}: "))
            numbers.append(number)
    if not boards:
        raise ValueError(f"there is no board in {path}")
    return boards, numbers


def _board(text: str, goal: str, place: str = "") -> Board:
    try:
        board = Board(text)
        solvability = board.solvability(goal)
    except ValueError as error:
        raise ValueError(f"{place}{error}") from None
    if not solvability:
        raise ValueError(f"{place}the board cannot reach the goal: {solvability}")
    return board


def _solve(
    options: argparse.Namespace, common: dict[str, Any], summary: list[str]
) -> Iterator[Line]:
    board = _board(options.board, options.goal)
    check_size(board)

    def lines() -> Iterator[Line]:
        from . import solve

        solution = solve(
            board,
            run=options.run,
            heuristic=options.heuristic,
            after=options.after,
            time_limit=options.time_limit,
            **common,
        )
        yield _solved(solution, options, summary)

    return lines()


def _solved(solution: Solution, options: argparse.Namespace, summary: list[str]) -> Line:
    stopped = "" if solution.optimal else ", stopped by the time limit"
    summary.append(f"{title(solution)}{stopped}; {solution.nodes:,} nodes")
    if not options.json:
        return solution.moves, solution.optimal
    answer = json.loads(solution.json())
    # Not the time of the last step alone.
    answer["seconds"] = time.monotonic() - options.begun
    return _line(answer, 1, 1)


def _batch(
    options: argparse.Namespace, common: dict[str, Any], summary: list[str]
) -> Iterator[Line]:
    boards, numbers = _boards(options.file, options.goal)

    def lines() -> Iterator[Line]:
        from . import batch

        answers = batch(
            boards,
            run=options.run,
            heuristic=options.heuristic,
            time_limit=options.time_limit,
            node_limit=options.node_limit,
            gap=options.gap,
            metric=options.metric,
            **common,
        )
        nodes = 0
        for index, (answer, number) in enumerate(zip(answers, numbers, strict=True), 1):
            nodes += answer["generated"]
            yield _line(answer, number, index)
        summary.append(f"{_counted(len(boards), 'board')}; {nodes:,} nodes")

    return lines()


def _dataset(
    options: argparse.Namespace, common: dict[str, Any], summary: list[str]
) -> Iterator[Line]:
    from . import dataset

    dataset(
        options.count,
        options.seed,
        options.size,
        path=options.out,
        moves=options.moves,
        heuristics=_names(options),
        **common,
    )
    summary.append(f"{_counted(options.count, 'board')} in {options.out}")
    yield from ()


def _names(options: argparse.Namespace) -> list[str]:
    return [name for name in options.heuristics.split(",") if name]


def _hunt(
    options: argparse.Namespace, common: dict[str, Any], summary: list[str]
) -> Iterator[Line]:
    from . import hunt

    found = hunt(
        options.climbs,
        options.steps,
        options.seed,
        options.size,
        run=options.run,
        heuristic=options.heuristic,
        by=options.by,
        top=options.top,
        starts=options.starts,
        **common,
    )
    for index, answer in enumerate(found, 1):
        yield _line(answer, index, index)
    summary.append(_counted(options.climbs, "climb"))


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _line(answer: dict[str, Any], line: int, index: int) -> Line:
    """An answer as `taquin solve --json` prints it."""
    whole = {"schema": 1, "line": line, "index": index, **answer}
    return json.dumps(whole, separators=(",", ":")), answer["optimal"]


def _check(options: argparse.Namespace) -> None:
    """Refuses arguments before Ray starts that would be refused after it."""
    heuristic: Any = getattr(options, "heuristic", "standard")
    metric: Any = getattr(options, "metric", "single")
    Solver(options.goal, heuristic, metric=metric, pdb_dir=options.pdb_dir)
    if options.command == "dataset":
        check_path(options.out)
        check_heuristics(_names(options))
    run = getattr(options, "run", None)
    if run is not None and Path(run).exists() and not Path(run).is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "not a folder", run)


COMMANDS = {"solve": _solve, "batch": _batch, "dataset": _dataset, "hunt": _hunt}


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    if options.command == "status":
        return _status(Path(options.path))
    options.begun = time.monotonic()
    summary: list[str] = []
    try:
        _check(options)
        proved = _answer(options, summary)
    except BrokenPipeError:
        # Python would report it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except KeyboardInterrupt:
        print("taquin.cluster: repeat the command to go on", file=sys.stderr)
        return 130
    except Exception as error:
        if (message := _message(error)) is None:
            raise
        print(f"taquin.cluster: {message}", file=sys.stderr)
        return 2
    # The last line, whatever Ray has reported before.
    summary.append(f"{time.monotonic() - options.begun:.1f} s")
    print(f"taquin.cluster: {'; '.join(summary)}", file=sys.stderr)
    return 0 if proved else 1


def _message(error: Exception) -> str | None:
    """An error in words; None if it is a fault of the program."""
    ray = sys.modules.get("ray")
    if ray is not None and isinstance(error, ray.exceptions.RayTaskError):
        return str(error.cause)
    if ray is not None and isinstance(error, ray.exceptions.RayError):
        return str(error)
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return f"{name}{error.strerror or error}"
    return str(error) if isinstance(error, (ValueError, RuntimeError)) else None


def _answer(options: argparse.Namespace, summary: list[str]) -> bool:
    """Does a command. Returns whether all answers are proved to be optimal."""
    if options.command == "solve":
        board = _board(options.board, options.goal)
        goal = Solver(options.goal).goal
        if solution := finished(options.run, task_of(board, goal, options.heuristic)):
            line, is_optimal = _solved(solution, options, summary)
            print(line, flush=True)
            return is_optimal
    common = {"goal": options.goal, "pdb_dir": options.pdb_dir}
    lines = COMMANDS[options.command](options, common, summary)
    try:
        import ray
        import tqdm  # type: ignore[import-untyped,unused-ignore]  # noqa: F401
    except ImportError:
        raise RuntimeError(f"this needs Ray and tqdm: {EXTRA}") from None
    # Ray reports lost machines on what it takes for the standard output.
    from ._connect import connect
    from ._progress import Reports

    out, proved = sys.stdout, True
    with redirect_stdout(Reports(sys.stderr)):
        connect(options.address or os.environ.get("RAY_ADDRESS") or "local")
        try:
            for line, is_optimal in lines:
                if line is not None:
                    print(line, file=out, flush=True)
                proved = proved and is_optimal
        finally:
            ray.shutdown()
    return proved


def _status(path: Path) -> int:
    from ._status import status

    try:
        for line in status(path):
            print(line)
    except (OSError, ValueError) as error:
        print(f"taquin.cluster: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
