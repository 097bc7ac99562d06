import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias, final, overload

import numpy as np
import numpy.typing as npt

from ._compare import Comparison, Evaluation, Found, Heuristic
from ._results import Analysis, Labels, Solutions

__all__ = [
    "Board",
    "Cancel",
    "DamagedDatabase",
    "DatabaseError",
    "MissingDatabase",
    "Solution",
    "Solvability",
    "Solver",
    "__version__",
    "bench",
    "boards_at",
    "histogram",
    "is_result",
    "packet_summary",
    "random_boards",
    "read_count",
    "read_seconds",
    "result_summary",
    "run_pdb_gen",
    "run_taquin",
    "search_with",
    "successors",
    "values",
    "walks",
    "whole_number",
]

__version__: Final[str]

# A number for a square, (width, height), or text such as "5x4".
_Size: TypeAlias = int | tuple[int, int] | str
# The piece that moves are the directions of.
_Directions: TypeAlias = Literal["tile", "blank"]
_Metric: TypeAlias = Literal["single", "multi"]
_Method: TypeAlias = Literal[
    "ida", "plain", "astar", "astar:fifo", "bfs", "beam", "staged", "greedy"
]
_Notation: TypeAlias = Literal["letters", "words", "runs", "counts", "arrows", "tiles"]
_Function: TypeAlias = Callable[[npt.NDArray[np.uint8]], npt.ArrayLike]
# An array has actions: places in taquin.MOVES.
_Moves: TypeAlias = str | int | Sequence[str] | npt.NDArray[np.integer[Any]]
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
    def __new__(
        cls, board: _Board | None = None, *, size: _Size | None = None, blank: str | None = None
    ) -> Board: ...
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
    def push(self, moves: _Moves, *, directions: _Directions = "tile") -> None: ...
    def pop(self) -> str: ...
    def after(self, moves: _Moves, *, directions: _Directions = "tile") -> Board: ...
    def solvability(self, goal: str = "blank-last") -> Solvability: ...
    def is_goal(self, goal: str = "blank-last") -> bool: ...
    def copy(self) -> Board: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object) -> Board: ...
    def __reduce__(self) -> tuple[type[Board], tuple[str], str | None]: ...
    def __setstate__(self, moves: str) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    @overload
    def __getitem__(self, key: int, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[int, ...]: ...
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
class Cancel:
    def __new__(cls) -> Cancel: ...
    def cancel(self) -> None: ...

@final
class Solvability:
    def __new__(
        cls,
        transpositions: int,
        blank_distance: int,
        inversions: int | None = None,
        blank_row: int | None = None,
        reason: str | None = None,
    ) -> Solvability: ...
    def __reduce__(self) -> tuple[type[Solvability], tuple[int, int, int | None, int | None, str]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def transpositions(self) -> int: ...
    @property
    def blank_distance(self) -> int: ...
    @property
    def inversions(self) -> int | None: ...
    @property
    def blank_row(self) -> int | None: ...
    def __bool__(self) -> bool: ...

@final
class Solution:
    def __new__(cls, text: str) -> Solution: ...
    def __reduce__(self) -> tuple[type[Solution], tuple[str]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def board(self) -> Board: ...
    @property
    def goal(self) -> Board: ...
    @property
    def moves(self) -> str | None: ...
    @property
    def metric(self) -> _Metric: ...
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
    def h(self) -> int | None: ...
    @property
    def stopped(self) -> str | None: ...
    def json(self, *, directions: _Directions = "tile") -> str: ...
    def boards(self) -> list[Board]: ...
    def format(
        self, notation: _Notation = "letters", *, directions: _Directions = "tile"
    ) -> str: ...
    def to_frame(self) -> Any: ...
    def svg(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...

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
        method: _Method | None = None,
        metric: _Metric = "single",
        blank: str | None = None,
    ) -> Solver: ...
    def __reduce__(self) -> tuple[Callable[[], Solver], tuple[()]]: ...
    def __copy__(self) -> Solver: ...
    def __deepcopy__(self, _memo: object) -> Solver: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def goal(self) -> str: ...
    @property
    def pdb_dir(self) -> os.PathLike[str] | None: ...
    @property
    def metric(self) -> _Metric: ...
    @property
    def threads(self) -> int: ...
    def prepare(self, size: _Size | None = None) -> None: ...
    def solve(
        self,
        board: _Board,
        *,
        time_limit: float | None = None,
        node_limit: float | None = None,
        gap: int = 0,
    ) -> Solution: ...
    async def solve_async(
        self,
        board: _Board,
        *,
        time_limit: float | None = None,
        node_limit: float | None = None,
        gap: int = 0,
    ) -> Solution: ...
    def _solve_until(self, cancel: Cancel, board: _Board, **limits: float | None) -> Solution: ...
    def solutions(
        self,
        board: _Board,
        *,
        most: int = 10,
        time_limit: float | None = None,
        node_limit: float | None = None,
    ) -> Solutions: ...
    def analyse(
        self, board: _Board, moves: str, *, time_limit: float | None = None, node_limit: int | None = None
    ) -> Analysis: ...
    def analyse_many(
        self,
        boards: _Boards,
        moves: Sequence[str],
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: float | None = None,
    ) -> list[Analysis]: ...
    def distances(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: float | None = None,
    ) -> npt.NDArray[np.int16]: ...
    def optimal_moves(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: float | None = None,
    ) -> npt.NDArray[np.bool_]: ...
    def within(
        self,
        board: _Board,
        moves: int,
        *,
        time_limit: float | None = None,
        node_limit: float | None = None,
    ) -> str | None: ...
    def heuristic(self, board: _Board, name: str | None = None) -> int: ...
    @overload
    def heuristics(
        self, boards: _Boards, name: str | None = None, *, size: _Size | None = None
    ) -> npt.NDArray[np.unsignedinteger[Any]]: ...
    @overload
    def heuristics(
        self, boards: _Boards, name: _Function, *, size: _Size | None = None
    ) -> npt.NDArray[np.float64]: ...
    def solve_many(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: float | None = None,
        gap: int = 0,
    ) -> Labels: ...
    def solve_each(
        self,
        boards: _Boards,
        *,
        size: _Size | None = None,
        time_limit: float | None = None,
        node_limit: float | None = None,
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
    def with_heuristic(self, heuristic: str, *, method: _Method | None = None) -> Solver: ...
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
        heuristic: _Function,
        *,
        method: Literal["bwas", "ida"] = "bwas",
        batch: int = 1000,
        weight: float = 1.0,
        time_limit: float | None = None,
        node_limit: int | None = None,
    ) -> Found: ...

def boards_at(
    distance: int | tuple[int, int],
    n: int,
    size: _Size | None = None,
    seed: int | None = None,
    *,
    solver: Solver | None = None,
) -> npt.NDArray[Any]: ...
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
    contenders: Sequence[tuple[str, _Function | None]],
    boards: _Boards,
    *,
    size: _Size | None = None,
    node_limit: int | None = None,
    distances: bool = False,
) -> str: ...
def values(
    solver: Solver,
    contender: tuple[str, _Function | None],
    boards: _Boards,
    *,
    size: _Size | None = None,
) -> npt.NDArray[np.float64]: ...
def search_with(
    solver: Solver,
    name: str,
    function: _Function,
    board: _Board,
    *,
    method: str,
    batch: int,
    weight: float,
    **limits: float | None,
) -> tuple[str | None, int, int, float, str | None]: ...
def histogram(
    subtitle: str, names: Sequence[str], values: Sequence[Sequence[int]]
) -> str: ...
def is_result(packet: str, line: str) -> bool: ...
def packet_summary(line: str) -> tuple[int, int]: ...
def whole_number(name: str, number: float) -> int: ...
def read_count(text: str) -> int: ...
def read_seconds(text: str) -> float: ...
def result_summary(line: str) -> tuple[bool, int]: ...
def run_taquin(argv: list[str]) -> int: ...
def run_pdb_gen(argv: list[str]) -> int: ...
