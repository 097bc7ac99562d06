"""Searches, batches, data sets and hunts on many machines, over Ray.

>>> import ray
>>> from taquin.cluster import solve
>>> ray.init()
>>> solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1", run="run").length
80

Ray hands out the tasks, and survives lost machines. What is done is kept in the folder of the run,
from which an interrupted run goes on, on any number of machines. `python -m taquin.cluster --help`
lists the commands that do the same.
"""

from ._batch import batch
from ._dataset import dataset
from ._hunt import hunt
from ._run import RunError
from ._solve import solve

__all__ = ["RunError", "batch", "dataset", "hunt", "solve"]
