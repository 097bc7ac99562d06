"""The programs taquin and pdb-gen."""

import signal
import sys
from typing import NoReturn

from ._taquin import run_pdb_gen, run_taquin


def taquin() -> NoReturn:
    """Runs the program taquin with the arguments of this process."""
    _heed_interrupts()
    sys.exit(run_taquin(["taquin", *sys.argv[1:]]))


def pdb_gen() -> NoReturn:
    """Runs the program pdb-gen with the arguments of this process."""
    _heed_interrupts()
    sys.exit(run_pdb_gen(["pdb-gen", *sys.argv[1:]]))


def _heed_interrupts() -> None:
    """Leaves the signals to the programs. An interrupt that is ignored stays ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
