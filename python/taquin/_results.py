"""Results that are tuples of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

# numpy takes longer to import than the programs take to start.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Labels(NamedTuple):
    """The answers for many boards, a row for each."""

    lengths: npt.NDArray[np.int16]
    """The number of moves; -1 without a solution."""
    moves: npt.NDArray[np.int8]
    """The moves as places in `taquin.MOVES`; -1 follows the last one."""
    nodes: npt.NDArray[np.uint64]
    """The number of nodes generated."""
    optimal: npt.NDArray[np.bool_]
    """Whether it is proved that no solution is shorter."""
