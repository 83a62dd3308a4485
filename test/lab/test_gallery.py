"""The gallery, one of each kind of output, in a real JupyterLab, light and dark, and exported to HTML and PDF."""

import json
import pathlib
import subprocess
import sys

import driver
import pytest

GALLERY = pathlib.Path(__file__).parent.parent / "notebooks" / "gallery.ipynb"

# What the output of a code cell has, by how the cell begins.
OUTPUTS = {
    "type run struct": "pre",
    "long :=": "pre",
    "[][]float64": "pre",
    "[]error": "pre",
    "display.Show(display.Math": "mjx-container, .MathJax",
    "%%markdown": "table td",
    "tone :=": "audio[controls]",
    "type measured": "table td",
    "shades :=": "img",
    "n, ms :=": ".gw-chart svg polyline",
    "plot.Bars": ".gw-chart svg rect[data-tip]",
    "waves :=": ".gw-chart svg image",
    "plot.Contour": ".gw-chart svg",
    "plot.Surface": ".gw-chart svg",
    "plot.Boxes": ".gw-chart svg",
    "display.Animate": ".gw-player img",
    "sum :=": "[role=progressbar]",
    "%gpu": "table td",
    "x := gpu": "pre",
    "//gpu:kernel": "pre",
    "nd.Arange": "pre",
    "%who": "table td",
    "%timeit_gpu": "table, pre",
    "%prof": "table td",
    "small :=": ".gopherwarp-lens .gw-view .gw-code",
    "report, _": "pre, table",
    "display.Interact": ".widget-slider, .widget-hslider",
    "total :=": "pre .ansi-bold, pre [class*=ansi]",
    "values :=": "pre .ansi-bold, pre [class*=ansi]",
    "%%cuda\n__global__ void wrong": "pre .ansi-bold, pre [class*=ansi]",
}

# The width of an image, once it is decoded. A player that shows its next picture meanwhile makes decode fail: then it is tried again.
DECODED = """async image => {
    for (let tries = 1; ; tries++) {
        try {
            await image.decode();
            return image.naturalWidth;
        } catch (e) {
            if (tries === 100) throw e;
            await new Promise(requestAnimationFrame);
        }
    }
}"""

# The texts of an element whose contrast is below 4.5 by WCAG's formula, with the contrast.
FAINT = """output => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const over = colours => {
        canvas.clearRect(0, 0, 1, 1);
        for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
    const faint = [];
    for (const e of [output, ...output.querySelectorAll('*')]) {
        const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
        if (!text || e.closest('.jp-OutputPrompt, .jp-RenderedJSON') || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || ['STYLE', 'SCRIPT', 'OPTION', 'MJX-ASSISTIVE-MML'].includes(e.tagName)) continue;
        const behind = ['white'];
        for (let p = e; p; p = p.parentElement) behind.splice(1, 0, getComputedStyle(p).backgroundColor);
        const style = getComputedStyle(e), colour = e instanceof SVGElement ? style.fill : style.color;
        const back = light(over(behind)), fore = light(over([...behind, colour]));
        const contrast = (Math.max(back, fore) + 0.05) / (Math.min(back, fore) + 0.05);
        if (contrast < 4.5) faint.push(`${contrast.toFixed(1)}: ${text.slice(0, 40)}`);
    }
    return faint;
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory, artifacts):
    """JupyterLab after a run of the gallery, and the file that it has saved."""
    chromium, folder = driver.require_chromium(), tmp_path_factory.mktemp("gallery")
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    saved = notebooks / GALLERY.name
    saved.write_bytes(GALLERY.read_bytes())
    server = driver.Server(notebooks, artifacts / "jupyterlab-gallery.log")
    try:
        server.wait()
        with driver.browser_page(chromium, folder / "profile") as page:
            page.goto(server.url(f"lab/tree/{GALLERY.name}") + "&reset")
            page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
            driver.command(page, "notebook:run-all-cells")
            last = len(code_cells(GALLERY)) - 1
            driver.wait_for_count(page, last, 400_000)
            page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
            yield page, saved
    finally:
        server.close()


def code_cells(path):
    return [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]


def selector_of(source):
    return next((selector for begin, selector in OUTPUTS.items() if source.startswith(begin)), None)


def test_gallery_has_all_kinds():
    sources = ["".join(c["source"]) for c in code_cells(GALLERY)]
    for begin in OUTPUTS:
        assert any(s.startswith(begin) for s in sources), f"no cell begins with {begin}"


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_outputs(lab, artifacts, theme):
    page, _ = lab
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    dark = "false" if theme.endswith("Dark") else "true"
    page.wait_for_selector(f"body[data-jp-theme-light='{dark}']", state="attached")
    problems = []
    for number, cell in enumerate(page.evaluate(driver.READ_NOTEBOOK)["cells"]):
        selector = selector_of(cell["source"])
        if selector is None:
            continue
        output = show(page, number)
        output.locator(selector).first.wait_for(state="attached", timeout=30_000)
        for image in output.locator("img").all():
            assert image.evaluate(DECODED) > 0, cell["source"]
        problems += [f"{theme}, {cell['source'].splitlines()[0]}: {text}" for text in output.evaluate(FAINT)]
        output.screenshot(path=artifacts / f"gallery-{number:02d}-{theme.split()[-1].lower()}.png")
    assert not problems, "\n".join(problems)


def show(page, number):
    """The output of a code cell, from 0, in the visible part of the page."""
    page.evaluate(
        """number => {
        const notebook = window.jupyterapp.shell.currentWidget.content;
        const cell = notebook.widgets.filter(c => c.model.type === 'code')[number];
        cell.node.dataset.shown = number;
        return notebook.scrollToCell(cell, 'center');
    }""",
        number,
    )
    output = page.locator(f"[data-shown='{number}'] .jp-Cell-outputArea")
    output.scroll_into_view_if_needed(timeout=30_000)
    return output


def test_saved_notebook_is_exported(lab, tmp_path, artifacts):
    page, saved = lab
    problems = [f"{c['source']}" for c in code_cells(saved) if selector_of("".join(c["source"])) and not c["outputs"]]
    assert not problems, "\n".join(map(str, problems))
    page_file = tmp_path / "gallery.html"
    subprocess.run(
        [sys.executable, "-m", "jupyter", "nbconvert", "--to", "html", "--output", page_file, saved],
        check=True,
        capture_output=True,
        timeout=120,
    )
    exported = page.context.new_page()
    exported.goto(page_file.as_uri(), wait_until="domcontentloaded")
    for selector in (".gw-chart svg polyline", ".gw-player img", ".gopherwarp-lens .gw-code", "audio", "[role=progressbar]"):
        exported.locator(selector).first.wait_for(state="attached", timeout=30_000)
    pdf = artifacts / "gallery.pdf"
    exported.pdf(path=pdf)
    assert pdf.read_bytes().startswith(b"%PDF") and pdf.stat().st_size > 100_000
    exported.close()
