"""The examples of docs/PYTHON.md."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import taquin

PAGE = Path(__file__).parents[2] / "docs" / "PYTHON.md"


def test_the_examples_of_the_page(
    databases: Path, solver: taquin.Solver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for module in ("gymnasium", "pandas"):
        pytest.importorskip(module)
    solver.prepare()
    monkeypatch.setenv("TAQUIN_PDB_DIR", str(databases))
    monkeypatch.chdir(tmp_path)
    # A network that the page does not have, and the boards that it names.
    names = {
        "network": SimpleNamespace(predict=lambda boards: solver.heuristics(boards)),
        "boards": taquin.random_boards(10, seed=1),
    }
    blocks = re.findall(r"^```(python|pycon)\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 9
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, (kind, text) in enumerate(blocks):
        if kind == "python":
            exec(compile(text, f"example {number}", "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(text, names, f"example {number}", str(PAGE), 0)
        report: list[str] = []
        runner.run(example, out=report.append, clear_globs=False)
        assert not report, "".join(report)
        names = example.globs
