"""`gopherwarp run` without Python's tools: exit status, output, written notebook."""

import json
import re
import subprocess

import conftest


def run(gopherwarp, *arguments):
    return subprocess.run(
        [gopherwarp, "run", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


def test_lesson_passes(gopherwarp, lesson, tmp_path):
    before = lesson.read_bytes()
    written = tmp_path / "out.ipynb"
    result = run(gopherwarp, lesson, "-o", written)
    assert result.returncode == 0, result.stdout + result.stderr
    assert lesson.read_bytes() == before, "with -o the notebook itself stays as it was"
    cells = [c for c in json.loads(written.read_text())["cells"] if c["cell_type"] == "code"]
    assert all(c["execution_count"] for c in cells if "".join(c["source"]).strip())
    assert any(c["outputs"] for c in cells)


def test_failing_check_is_named(gopherwarp, failing, tmp_path):
    written = tmp_path / "out.ipynb"
    result = run(gopherwarp, failing, "-o", written)
    said = result.stdout + result.stderr
    assert result.returncode == 1, said
    assert conftest.FAILING_TEXT in said
    assert re.search(r"\bcell\W+2\b", said), f"the second cell is not named:\n{said}"
    cells = [c for c in json.loads(written.read_text())["cells"] if c["cell_type"] == "code"]
    kinds = [[o["output_type"] for o in c["outputs"]] for c in cells]
    assert kinds == [["stream"], ["error"], []], "what ran is kept, what follows the failure does not run"


def test_missing_notebook_is_named(gopherwarp, tmp_path):
    result = run(gopherwarp, tmp_path / "nowhere.ipynb")
    assert result.returncode != 0
    assert "nowhere.ipynb" in result.stderr
