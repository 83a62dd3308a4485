"""All tables, reports and errors in a real JupyterLab share one look: type, alignment, no broken quantities, nothing wider than the page."""

import json
import pathlib

import driver
import pytest

TABLES = pathlib.Path(__file__).parent.parent / "notebooks" / "tables.ipynb"
CELLS = ["".join(c["source"]) for c in json.loads(TABLES.read_text())["cells"]]

# What the tables of a page are like.
LOOK = """() => [...document.querySelectorAll('.jp-OutputArea-output table')].map(table => {
    const cells = [...table.querySelectorAll('th, td')];
    const set = f => [...new Set(cells.map(f))];
    const lines = e => { const r = document.createRange(); r.selectNodeContents(e); return new Set([...r.getClientRects()].map(b => Math.round(b.bottom / 6))).size; };
    const quantity = /^[-+]?\\d[\\d.,]*( ?[%µ\\p{L}/]+)?$/u;
    const rows = [...table.querySelectorAll('tbody tr')].map(r => [...r.children]);
    return {
        head: table.innerText.split('\\n')[0],
        fonts: set(e => getComputedStyle(e).fontFamily), sizes: set(e => getComputedStyle(e).fontSize),
        broken: cells.filter(e => (e.tagName === 'TH' || quantity.test(e.innerText)) && lines(e) > 1).map(e => e.innerText),
        left: rows.flatMap(r => r.filter((e, i) => e.tagName === 'TD' && quantity.test(e.innerText) && rows.every(o => !o[i] || quantity.test(o[i].innerText)) && getComputedStyle(e).textAlign !== 'right')).map(e => e.innerText),
        wide: table.getBoundingClientRect().right > table.closest('.jp-OutputArea-output').getBoundingClientRect().right + 1,
    };
})"""


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("look", CELLS, tmp_path_factory.mktemp("look"), artifacts) as page:
        for number in range(len(CELLS)):
            driver.run_cell(page, number)
            driver.wait_for_count(page, number, 120_000)
        # All cells are drawn only if all are visible.
        page.set_viewport_size({"width": 1280, "height": 4600})
        page.wait_for_function(f"() => document.querySelectorAll('.jp-Notebook .jp-CodeCell .cm-editor').length === {len(CELLS)}", timeout=30_000)
        yield page


def test_tables(page):
    tables = page.evaluate(LOOK)
    assert len(tables) >= 6, tables
    for table in tables:
        assert table["broken"] == [], table
        assert not table["wide"], table
    fonts = {(font, size) for table in tables for font in table["fonts"] for size in table["sizes"]}
    assert len(fonts) == 1, fonts
    # %gpu has a name and a value in each row, not columns of numbers.
    assert [t for t in tables if t["left"] and not t["head"].startswith("compute")] == []


def test_listing_is_not_wrapped(page):
    listing = page.locator(".jp-OutputArea-output pre", has_text="sectors/request").first
    style, lines, text = listing.evaluate(
        "e => [getComputedStyle(e).whiteSpace, Math.round(e.clientHeight / parseFloat(getComputedStyle(e).lineHeight)), e.textContent.trimEnd().split('\\n').length]"
    )
    assert style == "pre" and abs(lines - text) <= 1, f"{style}: {text} lines are shown in {lines}"
    assert listing.locator("span", has_text="__global__").count() == 1


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_picture(page, artifacts, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.wait_for_function(f"() => document.body.dataset.jpThemeName === '{theme}'", timeout=30_000)
    page.wait_for_function("() => !document.querySelector('#jupyterlab-splash')", timeout=30_000)
    page.locator(".jp-WindowedPanel-outer").first.evaluate("e => { e.scrollTop = 0; }")
    page.wait_for_function("() => document.querySelector('.jp-WindowedPanel-outer').scrollTop === 0", timeout=30_000)
    panel = page.locator(".jp-WindowedPanel-outer").first.bounding_box()
    bottom = page.locator(".jp-Notebook .jp-CodeCell").last.bounding_box()
    picture = artifacts / f"tables-{theme.split()[-1].lower()}.png"
    page.screenshot(path=picture, clip={"x": panel["x"], "y": panel["y"], "width": panel["width"], "height": bottom["y"] + bottom["height"] - panel["y"] + 8})
    assert picture.stat().st_size > 50_000
