"""Work on databases that takes long, announced."""

from __future__ import annotations

import logging
from typing import Any

LOGGER = logging.getLogger("taquin")


class Building:
    """Databases that are being built: a bar of tqdm where it is installed and can be seen, otherwise
    one line of the logger `taquin`."""

    def __init__(self, text: str, size: int) -> None:
        self._bar = _bar(text, size)
        if self._bar is None:
            LOGGER.warning("building %s", text)

    def show(self, done: int) -> None:
        """Shows that so many bytes are done."""
        if self._bar is not None and done > self._bar.n:
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _bar(text: str, size: int) -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        return None
    # Hidden unless the standard error is a terminal, or a notebook.
    bar = tqdm(desc=text, total=size, unit="B", unit_scale=True, disable=None)
    return None if bar.disable else bar


def warn(text: str) -> None:
    """Says why databases do not stay."""
    LOGGER.warning("%s", text)
