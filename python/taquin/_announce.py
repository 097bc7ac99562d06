"""Work on databases that takes long, announced."""

from __future__ import annotations

import logging
from typing import Any

LOGGER = logging.getLogger("taquin")


_shown: tuple[str, Any] | None = None
"""The build that is shown: its text, and its bar if it has one."""


def show(build: tuple[str, int, int] | None) -> None:
    """Shows the build under way, its bytes and the bytes done; None if there is none.

    It has a bar of tqdm where that is installed and can be seen, otherwise one line of the logger `taquin`.
    """
    global _shown
    if _shown is not None and (build is None or build[0] != _shown[0]):
        shown, _shown = _shown, None
        if shown[1] is not None:
            shown[1].close()
    if build is None:
        return
    text, size, done = build
    if _shown is None:
        _shown = text, _bar(text, size)
        if _shown[1] is None:
            LOGGER.warning("building %s", text)
    bar = _shown[1]
    if bar is not None and done > bar.n:
        bar.update(done - bar.n)


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
