"""The marks of JupyterLab's extension beside the lines of cells: errors of compilers, warnings of %vet, findings of check mode."""

import driver
import pytest
from playwright.sync_api import expect

CELLS = [
    'x := 1\ny := x + "a"\nfmt.Println(nowhere)',
    "%%cuda --check\n__global__ void out(int *p)\n{\n    p[7] = 1;\n}",
    "out.Launch(gpu.For(1, 1), gpu.Zeros[int32](4))",
    'func greet() {\n\tfmt.Printf("%d\\n", "text")\n}',
    "%vet",
    "%%cuda\n__global__ void broken(int *p)\n{\n    p[0] = 1 +;\n}",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("marks", CELLS, tmp_path_factory.mktemp("marks"), artifacts) as page:
        yield page


def run(page, number):
    """Runs a cell, from 0, until it has a new number."""
    before = page.evaluate(driver.READ_NOTEBOOK)["cells"][number]["count"]
    driver.run_cell(page, number)
    page.wait_for_function(
        f"([number, before]) => {{ const s = ({driver.READ_NOTEBOOK})(); const c = s?.cells[number].count; return c && c !== before && s.kernel === 'idle'; }}",
        arg=[number, before],
        timeout=120_000,
    )


def marks(page, number):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".gopherwarp-mark")


def lines(page, number):
    """The lines of a cell, from 1, that have marks, by what is beside them."""
    return page.evaluate(
        """number => {
          const cell = document.querySelectorAll('.jp-Notebook .jp-CodeCell')[number];
          const middle = e => { const b = e.getBoundingClientRect(); return (b.top + b.bottom) / 2; };
          const lines = [...cell.querySelectorAll('.cm-line')].map(middle);
          return [...cell.querySelectorAll('.gopherwarp-mark')].map(m => 1 + lines.findIndex(y => Math.abs(y - middle(m)) < 6));
        }""",
        number,
    )


def set_source(page, number, text):
    page.evaluate(
        "([number, text]) => window.jupyterapp.shell.currentWidget.content.model.cells.get(number).sharedModel.setSource(text)", [number, text]
    )


def test_compile_errors(page, artifacts):
    run(page, 0)
    expect(marks(page, 0)).to_have_count(2)
    assert lines(page, 0) == [2, 3]
    assert "mismatched types" in marks(page, 0).first.get_attribute("title")
    assert marks(page, 0).nth(1).get_attribute("aria-label").startswith("error: undefined: nowhere")
    page.locator(".jp-Notebook .jp-CodeCell").first.screenshot(path=artifacts / "marks.png")
    # A changed text has no marks; if the change is undone, it has them again.
    set_source(page, 0, CELLS[0] + "\nz := 2")
    expect(marks(page, 0)).to_have_count(0)
    assert page.locator(".gopherwarp-marks").count() == 0
    set_source(page, 0, CELLS[0])
    expect(marks(page, 0)).to_have_count(2)
    # Other blanks move them.
    set_source(page, 0, "\n\n" + CELLS[0].replace(":=", " :="))
    expect(marks(page, 0)).to_have_count(2)
    assert lines(page, 0) == [4, 5]
    set_source(page, 0, "x := 1")
    run(page, 0)
    set_source(page, 0, CELLS[0])
    expect(marks(page, 0)).to_have_count(0)


def test_finding_of_check_mode(page):
    run(page, 1)
    expect(marks(page, 1)).to_have_count(0)
    run(page, 2)
    # The defect is in the cell of the kernel.
    expect(marks(page, 1)).to_have_count(1)
    expect(marks(page, 2)).to_have_count(0)
    assert lines(page, 1) == [4]
    assert "out of bounds" in marks(page, 1).get_attribute("title")
    set_source(page, 2, "out.Launch(gpu.For(1, 1), gpu.Zeros[int32](8))")
    run(page, 2)
    expect(marks(page, 1)).to_have_count(0)


def test_vet(page):
    run(page, 3)
    run(page, 4)
    expect(marks(page, 3)).to_have_count(1)
    assert lines(page, 3) == [2]
    assert marks(page, 3).get_attribute("aria-label").startswith("warning: ")


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_cuda(page, artifacts, theme):
    run(page, 5)
    expect(marks(page, 5)).to_have_count(1)
    assert lines(page, 5) == [4]
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    page.wait_for_function(f"() => document.body.dataset.jpThemeName === '{theme}'", timeout=30_000)
    colours = page.evaluate(
        """() => {
          const of = c => c.match(/[\\d.]+/g).slice(0, 3).map(Number);
          const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
          const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
          return [...document.querySelectorAll('.gopherwarp-mark')].map(m => {
            let back = m;
            while (/, 0\\)$|transparent/.test(getComputedStyle(back).backgroundColor)) { back = back.parentElement; }
            const [a, b] = [light(of(getComputedStyle(m).color)), light(of(getComputedStyle(back).backgroundColor))];
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          });
        }"""
    )
    assert len(colours) >= 2 and min(colours) >= 3, colours
    expect(page.locator("#jupyterlab-splash")).to_have_count(0)
    page.screenshot(path=artifacts / f"marks-{theme.split()[-1].lower()}.png")


def test_restart(page):
    expect(marks(page, 5)).to_have_count(1)
    page.evaluate("() => { window.jupyterapp.shell.currentWidget.sessionContext.restartKernel(); }")
    expect(marks(page, 5)).to_have_count(0, timeout=60_000)


def test_reload(page):
    """The marks are there again after the page was loaded again, as long as the kernel is the same."""
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=120_000)
    set_source(page, 0, CELLS[0])
    run(page, 0)
    expect(marks(page, 0)).to_have_count(2)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page.reload()
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=120_000)
    expect(marks(page, 0)).to_have_count(2, timeout=60_000)
    assert lines(page, 0) == [2, 3]
