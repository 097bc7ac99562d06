"""The views in notebooks, and the notebooks of the examples."""

from __future__ import annotations

import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import taquin
from taquin import Board, Solver

EXAMPLES = Path(__file__).parent.parent / "examples"
SMALL = Solver(heuristic="manhattan", pdb_dir=":memory:")
FARTHEST = Board("8 6 7 / 2 5 4 / 3 0 1")


def test_boards_and_solutions_draw_themselves() -> None:
    drawn = ElementTree.fromstring(FARTHEST._repr_svg_())
    texts = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text") if text.text]
    assert texts == ["8", "6", "7", "2", "5", "4", "3", "1"]
    solution = SMALL.solve(FARTHEST)
    # Each board has a place, a frame and eight tiles.
    assert solution.svg().count("<g ") == 32 * 10
    ElementTree.fromstring(solution.svg())
    page = solution._repr_html_()
    assert "31 moves, optimal" in page and "<script" not in page and "http" not in page
    assert page.count("data-cell ") == 9


@pytest.mark.skipif(not shutil.which("node"), reason="Node runs the page's code")
def test_the_slider_shows_each_board() -> None:
    solution = SMALL.solve(FARTHEST)
    found = re.search(r'oninput="([^"]*)"', solution._repr_html_())
    assert found and solution.moves
    script = f"""
        const cells = Array.from({{length: 9}}, () => ({{style: {{}}}})), output = {{}};
        const page = {{
            dataset: {{tiles: '{",".join(map(str, FARTHEST.tiles))}', width: '3',
                      moves: '{solution.moves}'}},
            querySelectorAll: () => cells, querySelector: () => output,
        }};
        const show = new Function({found[1]!r});
        for (let move = 0; move <= 31; move += 1) {{
            show.call({{value: String(move), closest: () => page}});
            const moved = cells.findIndex(cell => cell.style.background === '#f5b942');
            console.log(cells.map(cell => cell.textContent || 0).join(' '), output.textContent, moved);
        }}
    """
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, timeout=30)
    lines = done.stdout.splitlines()
    assert len(lines) == 32, done.stderr
    words = dict(U="Up", D="Down", L="Left", R="Right")
    for move, (line, board) in enumerate(zip(lines, solution.boards())):
        caption = f"{move}: {words[solution.moves[move - 1]]}" if move else "start"
        moved = solution.boards()[move - 1].blank if move else -1
        assert line == f"{' '.join(map(str, board.tiles))} {caption} {moved}"


def test_heuristics_are_compared() -> None:
    names = ["manhattan", "linear-conflict", "standard"]
    found = SMALL.compare(names, size=3, n=200, solve=12)
    assert isinstance(found, taquin.Comparison)
    assert [row.heuristic for row in found] == names
    averages = [row.average for row in found]
    assert averages == sorted(averages) and all(row.solved == 12 for row in found)
    first, second, _ = found
    assert first.nodes and second.nodes and first.nodes > second.nodes
    assert first.nodes_ratio_interval == (1.0, 1.0)
    for number, interval in [
        (second.nodes, second.nodes_interval),
        (second.nodes_ratio, second.nodes_ratio_interval),
    ]:
        assert number and interval and interval[0] <= number <= interval[1]
    assert "200 random boards" in found.svg() and "linear-conflict: " in found.svg()
    ElementTree.fromstring(found._repr_svg_())
    [limited] = SMALL.compare(["manhattan"], taquin.random_boards(3, 1), node_limit=10)
    assert limited.solved == 0 and limited.nodes
    with pytest.raises(TypeError):
        SMALL.compare("manhattan")


@pytest.mark.parametrize("notebook", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_anywhere(
    notebook: Path,
    databases: Path,
    solver: Solver,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    solver.prepare()
    monkeypatch.setenv("TAQUIN_PDB_DIR", str(databases))
    content = nbformat.read(notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in content.cells), "outputs are not kept"
    client = nbclient.NotebookClient(
        content, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    assert not any(tmp_path.iterdir())
