"""All lessons, solved, in a real JupyterLab: each is run, looked at by a program in both colour schemes, and pictured for people.

`make test-looks` runs this. GOPHERWARP_LOOKS is "all", or names of lessons with commas between; without it this is skipped.
"""

import os
import pathlib
import re
import shutil
import urllib.parse

import conftest
import driver
import nbformat
import pytest

CHOSEN = os.environ.get("GOPHERWARP_LOOKS", "")
LESSONS = [p for p in (conftest.ROOT / "course" / "order.txt").read_text().split() if CHOSEN == "all" or p.split("/")[1] in CHOSEN.split(",")]
SCHEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
# The maximum time of a run with the session's start, on a slow machine.
RUN_SECONDS = 600
# The maximum height of a cell's output, in pixels: a screen and a half.
TALLEST = 1400
# The least contrast of text, by WCAG's formula; 4.5 is its level AA, 3 that of large text. Comments in JupyterLab's own editors have less.
CONTRAST = 4.5

# All cells are in the page, so that all of them can be looked at.
SETTINGS = '{"windowingMode": "none"}'

# Reports whether all is drawn: pictures are loaded, formulas typeset, cells of text rendered.
DRAWN = """() => {
    const page = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook');
    return [...page.querySelectorAll('img')].every(e => e.complete)
        && [...page.querySelectorAll('.jp-MarkdownCell')].every(e => e.querySelector('.jp-RenderedMarkdown')?.childElementCount)
        && !page.querySelector('.MathJax_Processing, .MathJax_Processed');
}"""

# Makes a list of what is wrong in the notebook, each with the text around it.
LOOK = """([tallest, contrast]) => {
    const page = document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook');
    const found = [];
    const say = (what, e) => found.push(`${what}: ${(e.innerText || e.textContent || e.outerHTML).replace(/\\s+/g, ' ').trim().slice(0, 120)}`);
    for (const e of page.querySelectorAll('img')) { if (!e.naturalWidth) { say('picture is missing', e.closest('.jp-Cell')); } }
    for (const e of page.querySelectorAll('mjx-merror, [data-mml-node=merror], .MathJax_Error')) { say('formula is wrong', e); }
    const shown = [...page.querySelectorAll('.jp-RenderedMarkdown, .jp-OutputArea-output')];
    for (const area of shown) {
        const right = area.getBoundingClientRect().right + 1;
        for (const e of area.querySelectorAll('table, img, svg, pre, mjx-container, canvas')) {
            if (e.closest('svg') !== null && e.tagName !== 'svg') { continue; }
            const box = e.getBoundingClientRect();
            if (box.width && box.right > right) { say(`${e.tagName} is wider than the page`, e); }
        }
        if (area.scrollWidth > area.clientWidth + 1) { say('is cut off, or scrolls to the side', area); }
        for (const e of area.querySelectorAll('pre')) {
            const style = getComputedStyle(e), padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
            const lines = e.textContent.trimEnd().split('\\n'), drawn = Math.round((e.clientHeight - padding) / parseFloat(style.lineHeight));
            if (style.whiteSpace === 'pre' || drawn <= lines.length) { continue; } // listings are moved to the side
            const longest = lines.reduce((a, b) => a.length > b.length ? a : b);
            if (area.matches('.jp-RenderedMarkdown')) { say('lines of code in a text are too long', e); }
            if (style.wordBreak === 'break-all') { say('lines are broken within words', e); }
            if (/\\S {2,}\\S.* {2,}\\S/.test(longest)) { say('rows of a table are broken', e); }
        }
    }
    for (const e of page.querySelectorAll('.jp-OutputArea')) {
        if (e.getBoundingClientRect().height > tallest) { say(`output is ${Math.round(e.getBoundingClientRect().height)} pixels high`, e); }
    }
    for (const e of page.querySelectorAll('.cm-scroller')) { if (e.scrollWidth > e.clientWidth + 1) { say('lines of code are too long', e); } }

    const parse = colour => { const n = colour.match(/[\\d.]+/g)?.map(Number); return n && n.length >= 3 ? [n[0], n[1], n[2], n[3] ?? 1] : null; };
    const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3]));
    const behind = e => {
        const layers = [];
        for (; e; e = e.parentElement) {
            const style = getComputedStyle(e);
            if (style.backgroundImage !== 'none') { return null; }
            const colour = parse(style.backgroundColor);
            if (colour && colour[3] > 0) { layers.push(colour); if (colour[3] === 1) { break; } }
        }
        return layers.reverse().reduce((under, layer) => over(layer, under), [255, 255, 255]);
    };
    const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    for (const area of shown) {
        const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const text = walker.currentNode.textContent.trim(), e = walker.currentNode.parentElement;
            if (!text || e.closest('style, script, mjx-assistive-mml, button, select, .jp-InternalAnchorLink') || !e.getClientRects().length) { continue; }
            const inCode = e.closest('pre, code, svg, .cm-editor');
            if (!inCode && /<\\/?[a-z][^<>]*>|&[a-z]+;/.test(text)) { say('raw HTML', e); }
            if (!inCode && !e.closest('mjx-container') && /\\*\\*|\\]\\(|\\$[^$]+\\$|^#+ |\\\\[a-z]+\\{/.test(text)) { say('raw Markdown or LaTeX', e); }
            const under = behind(e);
            const colour = parse(e.closest('svg') && e.namespaceURI.endsWith('svg') ? getComputedStyle(e).fill : getComputedStyle(e).color);
            if (!under || !colour || e.closest('.jp-RenderedMarkdown pre')) { continue; } // JupyterLab's own colours of code
            const a = light(over(colour, under)), b = light(under), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < contrast) { say(`text has a contrast of ${ratio.toFixed(1)}`, e); }
        }
    }
    return [...new Set(found)];
}"""

LINKS = """() => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-RenderedMarkdown a')]
    .filter(e => !e.classList.contains('jp-InternalAnchorLink')).map(e => e.href)"""
HEADINGS = """() => [...document.querySelectorAll('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook :is(h1, h2, h3, h4, h5, h6)')]
    .map(e => e.getAttribute('data-jupyter-id') || e.id)"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the notebooks, as JupyterLab saves what it has run."""
    folder = tmp_path_factory.mktemp("looks") / "course"
    shutil.copytree(conftest.ROOT / "notebooks", folder)
    return folder


@pytest.fixture(scope="module")
def server(course, artifacts, jupyter_environment):
    settings = pathlib.Path(os.environ["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(SETTINGS)
    server = driver.Server(course, artifacts / "jupyterlab-looks.log")
    try:
        server.wait()
        yield server
    finally:
        server.close()
        settings.unlink()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with driver.browser_page(driver.require_chromium(), tmp_path_factory.mktemp("profile")) as page:
        yield page


def set_theme(page, theme: str) -> None:
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.wait_for_function(f"() => document.body.dataset.jpThemeName === '{theme}'", timeout=30_000)
    page.wait_for_function("() => !document.querySelector('#jupyterlab-splash')", timeout=30_000)
    page.wait_for_function(DRAWN, timeout=60_000)


def pictures(page, folder: pathlib.Path, name: str) -> None:
    """Saves the whole notebook as pictures, one below the other."""
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-WindowedPanel-outer")
    height, full = panel.evaluate("e => [e.clientHeight, e.scrollHeight]")
    box = panel.bounding_box()
    for number, top in enumerate(range(0, full, height), start=1):
        at = panel.evaluate("(e, top) => { e.scrollTop = top; return e.scrollTop; }", top)
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.screenshot(
            path=folder / f"{name}-{number:02}.png",
            clip={"x": box["x"], "y": box["y"] + top - at, "width": box["width"], "height": height - (top - at)},
        )


def link_problems(course: pathlib.Path, notebook: pathlib.Path, links: list[str], headings: set[str]) -> list[str]:
    """Returns a line for each link of a page to a file of the course that is not there, or to a heading that it has not."""
    problems = []
    for link in links:
        parts = urllib.parse.urlsplit(link)
        if parts.hostname != "localhost":
            continue
        target = course / urllib.parse.unquote(re.sub(r"^/(lab/tree|files|tree)/", "", parts.path))
        if not target.is_file():
            problems.append(f"link leads nowhere: {link}")
        elif target == notebook and parts.fragment and urllib.parse.unquote(parts.fragment) not in headings:
            problems.append(f"no heading has the name of the link: {link}")
    return problems


def look(page, scheme: str) -> list[str]:
    """Returns what is wrong with the open notebook in a colour scheme."""
    set_theme(page, SCHEMES[scheme])
    return [f"{scheme}: {problem}" for problem in page.evaluate(LOOK, [TALLEST, CONTRAST])]


# A text with each fault that a program can see, and what is to be said of it.
FAULTS = {
    "![nothing](attachment:nothing.png)": "light: picture is missing",
    r"$\frac{1}$": "light: formula is wrong",
    "&lt;b>bold&lt;/b>": "light: raw HTML",
    r"\*\*bold\*\*": "light: raw Markdown or LaTeX",
    '<font color="#dddddd">pale</font>': "light: text has a contrast of 1.4",
    '<font color="#222222">black</font>': "dark: text has a contrast of",
    "    " + "long " * 60: "light: lines of code in a text are too long",
    "[a lesson](../1-basics/nothing.ipynb)": "link leads nowhere",
    "[a heading](#nothing)": "no heading has the name of the link",
}


def test_faults_are_found(page, server, course):
    notebook = course / "solutions" / "1-basics" / "faults.ipynb"
    source = "for i := range 200 {\n\tfmt.Println(i)\n}\nfmt.Println(strings.Repeat(`cell  `, 60)) // " + "wide " * 60
    cells = [nbformat.v4.new_markdown_cell(text) for text in FAULTS] + [nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "gopherwarp", "display_name": "Go (gopherwarp)"}}), notebook)
    cells = driver.run_all(page, server, "solutions/1-basics/faults.ipynb", RUN_SECONDS)
    driver.check(cells, {1}, ["199", "cell  cell"])
    problems = look(page, "light") + look(page, "dark") + link_problems(course, notebook, page.evaluate(LINKS), set(page.evaluate(HEADINGS)))
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    said = "\n".join(problems)
    for part in [*FAULTS.values(), "light: lines of code are too long", "pixels high", "rows of a table are broken"]:
        assert part in said, f"nothing says {part!r}:\n{said}"
    assert "lines are broken within words" not in said, "JupyterLab's extension breaks lines between words"
    assert len(set(problems)) <= 2 * len(FAULTS) + 4, said


@pytest.mark.skipif(not CHOSEN, reason="SKIPPED: takes half an hour; GOPHERWARP_LOOKS=all, or names of lessons, runs it")
@pytest.mark.parametrize("path", LESSONS)
def test_lesson(page, server, course, artifacts, path):
    folder = artifacts / "looks" / path.split("/")[1]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    page.set_viewport_size({"width": 1280, "height": 1600})
    try:
        cells = driver.run_all(page, server, f"solutions/{path}.ipynb", RUN_SECONDS)
        problems = []
        for name in SCHEMES:
            problems += look(page, name)
            pictures(page, folder, name)
        problems += link_problems(course, course / "solutions" / f"{path}.ipynb", page.evaluate(LINKS), set(page.evaluate(HEADINGS)))
    finally:
        page.evaluate("() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.shutdown()")
    driver.check(cells, set(), [])
    assert not problems, "\n".join(problems)
