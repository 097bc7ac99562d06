"""Searches, batches, data sets and hunts on many machines, over Ray.

>>> import ray
>>> from taquin.cluster import solve
>>> ray.init()
>>> solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1", run="run").length
80

Ray hands out the tasks, and survives lost machines. Finished work is kept in the folder of the run.
An interrupted run goes on from there, on any number of machines. `python -m taquin.cluster --help`
lists the commands that do the same.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._run import RunError

if TYPE_CHECKING:
    from ._batch import batch
    from ._dataset import dataset
    from ._hunt import hunt
    from ._solve import solve

EXTRA = "install the package with its extra cluster, as in pip install './python[cluster]'"
"""The advice for a missing package."""

__all__ = ["RunError", "batch", "dataset", "hunt", "solve"]


def __getattr__(name: str) -> Any:
    # They need Ray, which `python -m taquin.cluster --help` does without.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}._{name}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("ray", "tqdm"):
            raise
        raise ImportError(f"taquin.cluster needs {error.name}: {EXTRA}", name=error.name) from None
