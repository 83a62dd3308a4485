"""The wheel's exporters of PDF: one by a browser, and one by LaTeX where that is installed."""

import re
import shutil
import sys
import zlib

import nbformat
import pytest
from conftest import ROOT
from playwright.async_api import BrowserType
from pygments.lexers import LEXERS
from test_colours import colours

sys.path.insert(0, str(ROOT / "test" / "lab"))
from driver import require_chromium  # noqa: E402
from gopherwarp import exporters  # noqa: E402

CELLS = ["%%cuda\ntemplate <typename T> __global__ void f(T *x) { x[0] = 1.0f; }", "func g() {}", "%%bash\nfor i in 1; do echo $i; done"]


@pytest.fixture
def notebook(monkeypatch):
    """A notebook of Go, in an environment that has the wheel's lexer."""
    lexer = colours.CellLexer
    monkeypatch.setattr(colours, "__all__", ["CellLexer"], raising=False)  # Pygments asks lexers of its own for it
    monkeypatch.setitem(LEXERS, "CellLexer", (colours.__name__, lexer.name, tuple(lexer.aliases), (), ()))
    picture = nbformat.v4.new_output("display_data", {"text/html": "<table><tr><td>a table</td></tr></table>", "text/plain": "a table"})
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS]
    cells[1].outputs = [picture]
    return nbformat.v4.new_notebook(cells=cells, metadata={"language_info": {"name": "go", "pygments_lexer": "go"}})


def colours_of(pdf: bytes) -> set[str]:
    """The colours in which a PDF fills, each as three numbers."""
    found = set()
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.S):
        try:
            text = zlib.decompress(stream)
        except zlib.error:
            continue  # a font or a picture in another form
        found.update(m.decode() for m in re.findall(rb"([\d.]+ [\d.]+ [\d.]+) rg", text))
    return found


def test_webpdf(notebook, monkeypatch):
    chromium = require_chromium()
    launch = BrowserType.launch

    async def launch_ours(self, **options):
        """Starts the browser of this machine: nbconvert only knows playwright's own."""
        return await launch(self, executable_path=chromium, **options)

    monkeypatch.setattr(BrowserType, "launch", launch_ours)
    exporter = exporters.GoWebPDFExporter(disable_sandbox=True)
    pdf, resources = exporter.from_notebook_node(notebook)
    assert resources["output_extension"] == ".pdf"
    assert pdf.startswith(b"%PDF")
    coloured = colours_of(pdf)
    assert len(coloured) > 3, coloured
    # The test can fail: text without a lexer has fewer colours.
    for cell in notebook.cells:
        cell.source = cell.source.replace("%%", "")
    monkeypatch.setattr(exporters.CellLexer, "aliases", ["text"])
    plain, _ = exporters.GoWebPDFExporter(disable_sandbox=True).from_notebook_node(notebook)
    assert len(colours_of(plain)) < len(coloured)


def test_pdf(notebook):
    if not shutil.which("xelatex"):
        pytest.skip("SKIPPED: a PDF by LaTeX, since xelatex is not installed: apt-get install texlive-xetex pandoc")
    pdf, _ = exporters.GoPDFExporter().from_notebook_node(notebook)
    assert pdf.startswith(b"%PDF")
