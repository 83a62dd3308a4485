"""Formatting of cells in JupyterLab: by commands, by the magic %fmt, and, as an option, when a cell runs."""

import os
import pathlib
import stat

import driver
import pytest
from playwright.sync_api import expect

GO = 'import "fmt"\nfunc twice( n int ) int {\nreturn 2*n\n}\n%gpu   sim\nfmt.Println( twice(3) )'
FORMATTED = 'import "fmt"\n\nfunc twice(n int) int {\n\treturn 2 * n\n}\n%gpu   sim\nfmt.Println(twice(3))'
CUDA = "%%cuda\n__global__ void f( int *x ){x[0]=1;}"
CELLS = [GO, CUDA, "%%bash\nls   -l", "%fmt\nx:=1\nif x>0{\nx++\n}", "for i:=range 3{\nfmt.Println(i)\n}"]


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """A directory on PATH, in which a test may put a clang-format. JupyterLab and its kernels start with it."""
    folder = tmp_path_factory.mktemp("tools")
    old = os.environ["PATH"]
    os.environ["PATH"] = f"{folder}:{old}"
    yield folder
    os.environ["PATH"] = old


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts, tools):
    with driver.notebook_page("format", CELLS, tmp_path_factory.mktemp("format"), artifacts) as page:
        yield page


def source(page, number):
    return page.evaluate("number => window.jupyterapp.shell.currentWidget.content.model.cells.get(number).sharedModel.getSource()", number)


def wait_for_source(page, number, want):
    try:
        page.wait_for_function(
            "([number, want]) => window.jupyterapp.shell.currentWidget.content.model.cells.get(number).sharedModel.getSource() === want",
            arg=[number, want],
            timeout=30_000,
        )
    except Exception as error:
        raise AssertionError(f"cell {number} is {source(page, number)!r}, want {want!r}") from error


def test_command(page):
    # The cursor is before the 3 of the last line, and stays there.
    page.evaluate(
        """() => { const cell = window.jupyterapp.shell.currentWidget.content.widgets[0];
                   window.jupyterapp.shell.currentWidget.content.activeCellIndex = 0;
                   cell.editor.setCursorPosition({ line: 5, column: 19 }); }"""
    )
    driver.command(page, "gopherwarp:format")
    wait_for_source(page, 0, FORMATTED)
    assert page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets[0].editor.getCursorPosition()") == {"line": 6, "column": 18}
    assert page.evaluate("() => window.jupyterapp.shell.currentWidget.content.widgets[0].editor.editor.state.doc.toString()") == FORMATTED


def test_command_for_all(page, tools):
    """What cannot be formatted is said in one message, and stays."""
    driver.command(page, "gopherwarp:format-all")
    dialog = page.locator(".jp-Dialog")
    expect(dialog).to_contain_text("not %%bash", timeout=30_000)
    if driver.shutil.which("clang-format") is None:
        expect(dialog).to_contain_text("pip install clang-format")
        assert source(page, 1) == CUDA
    dialog.locator("button").last.click()
    assert source(page, 2) == CELLS[2]
    wait_for_source(page, 4, "for i := range 3 {\n\tfmt.Println(i)\n}")
    # A program of this name that stands for clang-format: what it prints is the cell.
    fake = pathlib.Path(tools) / "clang-format"
    fake.write_text("#!/bin/sh\nsed 's/( int/(int/; s/ )/)/'\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    page.evaluate("() => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
    driver.command(page, "gopherwarp:format")
    wait_for_source(page, 1, "%%cuda\n__global__ void f(int *x){x[0]=1;}")


def test_magic(page):
    """The magic formats the cell instead of running it."""
    driver.run_cell(page, 3)
    wait_for_source(page, 3, "x := 1\nif x > 0 {\n\tx++\n}")
    page.evaluate("text => window.jupyterapp.shell.currentWidget.content.model.cells.get(3).sharedModel.setSource(text)", "x")
    driver.run_cell(page, 3)
    page.wait_for_function(f"() => JSON.stringify(({driver.READ_NOTEBOOK})().cells[3].outputs).includes('undefined: x')", timeout=60_000)


def test_when_a_cell_runs(page):
    def set_option(on):
        page.evaluate(
            "on => window.jupyterapp.serviceManager.settings.save('gopherwarp:formatting', JSON.stringify({ formatOnRun: on }))", on
        )
        page.reload()
        page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)

    def run(text):
        page.evaluate("text => window.jupyterapp.shell.currentWidget.content.model.cells.get(4).sharedModel.setSource(text)", text)
        before = page.evaluate(driver.READ_NOTEBOOK)["cells"][4]["count"]
        driver.run_cell(page, 4)
        page.wait_for_function(
            f"before => {{ const c = ({driver.READ_NOTEBOOK})().cells[4].count; return c && c !== before; }}", arg=before, timeout=60_000
        )

    run("a:=1")
    assert source(page, 4) == "a:=1", "without the option"
    set_option(True)
    run("if a>0{\nfmt.Println( a )\n}")
    wait_for_source(page, 4, "if a > 0 {\n\tfmt.Println(a)\n}")
    # The marks of errors are beside their lines after it, too.
    run("if a>0 {\n\n\n\nb:=1+\"\"}")
    wait_for_source(page, 4, 'if a > 0 {\n\n\tb := 1 + ""\n}')
    mark = page.locator(".jp-Notebook .jp-CodeCell").nth(4).locator(".gopherwarp-mark")
    expect(mark).to_have_count(1)
    line = page.locator(".jp-Notebook .jp-CodeCell").nth(4).locator(".cm-line").nth(2)
    assert abs(mark.bounding_box()["y"] - line.bounding_box()["y"]) < 12
