import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, final

import numpy as np
import numpy.typing as npt

from ._compare import Comparison, Evaluation, Found, Heuristic
from ._results import Labels

__all__ = [
    "Board",
    "DamagedDatabase",
    "DatabaseError",
    "MissingDatabase",
    "Solution",
    "Solutions",
    "Solvability",
    "Solver",
    "WorkFile",
    "__version__",
    "bench",
    "histogram",
    "is_result",
    "make_dataset",
    "packet_summary",
    "random_boards",
    "read_count",
    "read_seconds",
    "result_summary",
    "run_pdb_gen",
    "run_taquin",
    "search_with",
    "successors",
    "walks",
]

__version__: Final[str]

# A number for a square, (width, height), or text such as "5x4".
_Size: TypeAlias = int | tuple[int, int] | str
# The piece that moves are the directions of.
_Directions: TypeAlias = Literal["tile", "blank"]
_Board: TypeAlias = (
    Board | str | Sequence[int] | Sequence[Sequence[int]] | npt.NDArray[np.integer[Any]]
)
_Boards: TypeAlias = (
    npt.NDArray[np.integer[Any]]
    | Sequence[Board]
    | Sequence[str]
    | Sequence[Sequence[int]]
    | Sequence[Sequence[Sequence[int]]]
)

class DatabaseError(RuntimeError): ...
class MissingDatabase(DatabaseError): ...
class DamagedDatabase(DatabaseError): ...

@final
class Board:
    def __new__(cls, board: _Board | None = None, *, size: _Size | None = None) -> Board: ...
    @staticmethod
    def goal(goal: str = "blank-last", *, size: _Size | None = None) -> Board: ...
    @staticmethod
    def random(
        seed: int | None = None, *, size: _Size | None = None, goal: str = "blank-last"
    ) -> Board: ...
    @staticmethod
    def walk(
        moves: int,
        seed: int | None = None,
        *,
        size: _Size | None = None,
        goal: str = "blank-last",
    ) -> Board: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def tiles(self) -> tuple[int, ...]: ...
    @property
    def rows(self) -> list[list[int]]: ...
    @property
    def blank(self) -> int: ...
    @property
    def move_stack(self) -> str: ...
    @property
    def solvable(self) -> Solvability: ...
    def moves(self) -> list[str]: ...
    def push(
        self, moves: str | int | Sequence[str], *, directions: _Directions = "tile"
    ) -> None: ...
    def pop(self) -> str: ...
    def after(
        self, moves: str | int | Sequence[str], *, directions: _Directions = "tile"
    ) -> Board: ...
    def solvability(self, goal: str = "blank-last") -> Solvability: ...
    def is_goal(self, goal: str = "blank-last") -> bool: ...
    def copy(self) -> Board: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object) -> Board: ...
    def __reduce__(self) -> tuple[type[Board], tuple[str]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __lt__(self, value: object, /) -> bool: ...
    def __le__(self, value: object, /) -> bool: ...
    def __gt__(self, value: object, /) -> bool: ...
    def __ge__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...
    def __array__(
        self, dtype: npt.DTypeLike | None = None, copy: bool | None = None
    ) -> npt.NDArray[Any]: ...

@final
class Solvability:
    @property
    def transpositions(self) -> int: ...
    @property
    def blank_distance(self) -> int: ...
    def __bool__(self) -> bool: ...

@final
class Solution:
    @property
    def board(self) -> Board: ...
    @property
    def goal(self) -> Board: ...
    @property
    def moves(self) -> str | None: ...
    @property
    def metric(self) -> str: ...
    @property
    def length(self) -> int | None: ...
    @property
    def slides(self) -> int | None: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def expanded(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def heuristic(self) -> str: ...
    @property
    def stopped(self) -> str | None: ...
    def json(self, *, directions: _Directions = "tile") -> str: ...
    def boards(self) -> list[Board]: ...
    def format(
        self, notation: str = "letters", *, directions: _Directions = "tile"
    ) -> str: ...
    def svg(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class Solutions:
    @property
    def count(self) -> int | None: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def first(self) -> Solution: ...
    @property
    def length(self) -> int | None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[str]: ...

@final
class Loss:
    @property
    def at(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def lost(self) -> int: ...
    @property
    def better(self) -> str | None: ...

@final
class Analysis:
    @property
    def board(self) -> Board: ...
    @property
    def moves(self) -> str: ...
    @property
    def lower_bounds(self) -> list[int]: ...
    @property
    def lengths(self) -> list[int | None]: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def losses(self) -> list[Loss]: ...
    @property
    def lost(self) -> int: ...
    @property
    def stretch(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...

@final
class WorkFile:
    def __new__(
        cls,
        n: int,
        seed: int,
        size: _Size | None,
        moves: int | None,
        heuristics: Sequence[str],
        goal: str,
        work: str | os.PathLike[str],
    ) -> WorkFile: ...
    @property
    def done(self) -> int: ...
    def draw(self, count: int) -> npt.NDArray[np.uint8]: ...
    def add(self, moves: npt.NDArray[np.int8], values: Sequence[Sequence[int]]) -> None: ...
    def close(self) -> None: ...
    def finish(self, out: str | os.PathLike[str]) -> None: ...

@final
class Solver:
    def __new__(
        cls,
        goal: _Board | None = None,
        heuristic: str = "standard",
        *,
        pdb_dir: str | os.PathLike[str] | None = None,
        build: bool = True,
        threads: int | None = None,
        method: str | None = None,
        metric: str = "single",
    ) -> Solver: ...
    @property
    def goal(self) -> str: ...
    @property
    def pdb_dir(self) -> os.PathLike[str] | None: ...
    @property
    def metric(self) -> str: ...
    @property
    def threads(self) -> int: ...
    def prepare(self, size: _Size | None = None) -> None: ...
    def solve(
        self,
        board: _Board,
        *,
        time_limit: float | None = None,
        node_limit: int | None = None,
        gap: int = 0,
    ) -> Solution: ...
    def solutions(
        self,
        board: _Board,
        *,
        most: int = 10,
        time_limit: float | None = None,
        node_limit: int | None = None,
    ) -> Solutions: ...
    def analyse(
        self, board: _Board, moves: str, *, time_limit: float | None = None, node_limit: int | None = None
    ) -> Analysis: ...
    def heuristic(self, board: _Board, name: str | None = None) -> int: ...
    def heuristics(
        self, boards: _Boards, name: str | None = None, *, size: _Size | None = None
    ) -> npt.NDArray[np.unsignedinteger[Any]]: ...
    def solve_many(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        gap: int = 0,
    ) -> Labels: ...
    def solve_each(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        gap: int = 0,
    ) -> list[Solution]: ...
    def packets(
        self,
        board: _Board,
        state: str | None = None,
        *,
        after: int = 10_000_000,
        count: int = 100,
        nodes: int = 0,
    ) -> list[str] | Solution: ...
    def run_packet(self, packet: str) -> str: ...
    def merge(self, results: Sequence[str]) -> tuple[Solution, str | None]: ...
    def with_heuristic(self, heuristic: str, *, method: str | None = None) -> Solver: ...
    def compare(
        self,
        heuristics: Sequence[Heuristic],
        boards: _Boards | None = None,
        *,
        n: int = 1000,
        seed: int = 1,
        size: _Size | None = None,
        solve: int = 20,
        node_limit: int = 1_000_000,
    ) -> Comparison: ...
    def evaluate(
        self,
        heuristics: Sequence[Heuristic],
        boards: _Boards | None = None,
        *,
        n: int = 1000,
        seed: int = 1,
        size: _Size | None = None,
    ) -> list[Evaluation]: ...
    def search(
        self,
        board: _Board,
        heuristic: Callable[[npt.NDArray[np.uint8]], npt.ArrayLike],
        *,
        method: str = "bwas",
        batch: int = 1000,
        weight: float = 1.0,
        time_limit: float | None = None,
        node_limit: int | None = None,
    ) -> Found: ...

def random_boards(
    n: int, seed: int | None = None, *, size: _Size | None = None, goal: str = "blank-last"
) -> npt.NDArray[np.uint8]: ...
def walks(
    n: int,
    length: int,
    seed: int | None = None,
    *,
    size: _Size | None = None,
    goal: str = "blank-last",
) -> npt.NDArray[np.uint8]: ...
def successors(
    boards: _Boards, *, size: _Size | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]: ...
def bench(
    solver: Solver,
    contenders: Sequence[tuple[str, Callable[[npt.NDArray[np.uint8]], npt.ArrayLike] | None]],
    boards: _Boards,
    *,
    size: _Size | None = None,
    node_limit: int | None = None,
    distances: bool = False,
) -> str: ...
def search_with(
    solver: Solver,
    function: Callable[[npt.NDArray[np.uint8]], npt.ArrayLike],
    board: _Board,
    *,
    method: str,
    batch: int,
    weight: float,
    time_limit: float | None,
    node_limit: int | None,
) -> tuple[str | None, int, int, float, str | None]: ...
def histogram(
    subtitle: str, names: Sequence[str], values: Sequence[Sequence[int]]
) -> str: ...
def is_result(packet: str, line: str) -> bool: ...
def packet_summary(line: str) -> tuple[int, int]: ...
def read_count(text: str) -> int: ...
def read_seconds(text: str) -> float: ...
def result_summary(line: str) -> tuple[bool, int]: ...
def make_dataset(
    n: int,
    seed: int,
    size: _Size | None,
    moves: int | None,
    heuristics: Sequence[str],
    solver: Solver,
    work: str | os.PathLike[str],
    out: str | os.PathLike[str],
    progress: Callable[[int], object],
) -> None: ...
def run_taquin(argv: list[str]) -> int: ...
def run_pdb_gen(argv: list[str]) -> int: ...
