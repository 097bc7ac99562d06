"""`python -m taquin.cluster`: a search on many machines."""

from __future__ import annotations

import argparse
import json
import logging
import sys

EXAMPLES = """\
examples:
  python -m taquin.cluster solve --run board '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'
  python -m taquin.cluster solve --address auto --run board --json '0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1'

Repeat an interrupted command to continue it.
"""


def _nodes(text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError("write a number of nodes, as in 10000000 or 1e7")
    return int(number)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m taquin.cluster",
        description="Solve sliding-tile puzzles on a Ray cluster.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    solve = commands.add_parser("solve", help="solve a board optimally")
    solve.add_argument("board", metavar="BOARD", help="board, in quotes, as taquin solve reads it")
    solve.add_argument("--run", required=True, metavar="DIR", help="folder of the record")
    solve.add_argument("--goal", default="blank-last", help="name or board [%(default)s]")
    solve.add_argument("--heuristic", default="standard", help="as in taquin solve [%(default)s]")
    solve.add_argument("--pdb-dir", metavar="DIR", help="folder of the databases on each machine")
    solve.add_argument(
        "--after",
        type=_nodes,
        default=10_000_000,
        metavar="NODES",
        help="divide thresholds whose predecessor had at least so many nodes [%(default)s]",
    )
    solve.add_argument(
        "--address", metavar="HOST:PORT", help="Ray's head, or auto [default: this machine alone]"
    )
    solve.add_argument("--json", action="store_true", help="print the answer as a JSON object")
    options = parser.parse_args(arguments)
    try:
        import ray
    except ImportError:
        print("taquin.cluster needs Ray: install it with `pip install ray`", file=sys.stderr)
        return 2

    from . import solve as solve_board

    try:
        ray.init(address=options.address, log_to_driver=False, logging_level=logging.ERROR)
        solution = solve_board(
            options.board,
            run=options.run,
            goal=options.goal,
            heuristic=options.heuristic,
            pdb_dir=options.pdb_dir,
            after=options.after,
        )
    except (ValueError, OSError, RuntimeError) as error:
        print(f"taquin.cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("taquin.cluster: repeat the command to go on", file=sys.stderr)
        return 130
    if options.json:
        fields = ("length", "moves", "optimal", "lower_bound", "nodes", "expanded", "heuristic")
        print(json.dumps({field: getattr(solution, field) for field in fields}))
    else:
        print(solution.moves)
        print(f"{solution.length} moves, optimal; {solution.nodes:,} nodes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
