"""A search on many machines, over Ray.

>>> import ray
>>> from taquin.cluster import solve
>>> ray.init()
>>> solve("0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1", run="run").length
80

Ray hands out the packets of the search, and survives lost machines. Each packet's result is kept in
the folder of the run, from which an interrupted search goes on, on any number of machines.
`python -m taquin.cluster solve --run DIR BOARD` does the same.
"""

from ._record import RunError
from ._solve import solve

__all__ = ["RunError", "solve"]
