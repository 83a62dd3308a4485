"""Completion and help in a real JupyterLab, by Tab and Shift-Tab."""

import os

import driver
import nbformat
import pytest
from playwright.sync_api import expect

SCALE = """%%cuda
// scale multiplies each of n elements.
__global__ void scale(float *x, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= by;
}"""


@pytest.fixture
def page(tmp_path, artifacts):
    chromium = driver.find_chromium()
    if chromium is None:
        reason = "no Chromium or Chrome is on this machine; set CHROMIUM to one"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path / "notebooks"
    folder.mkdir()
    cells = ["type point struct{ left, right int }\nprices := point{1, 2}", SCALE, "for {\n}", ""]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text) for text in cells],
        metadata={"kernelspec": {"name": "gopherwarp", "display_name": "Go (gopherwarp)"}},
    )
    nbformat.write(notebook, folder / "editing.ipynb")
    server = driver.Server(folder, artifacts / "jupyterlab-editing.log")
    try:
        server.wait()
        with driver.browser_page(chromium, tmp_path / "profile") as page:
            page.goto(server.url("lab/tree/editing.ipynb") + "&reset")
            page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
            yield page
    finally:
        server.close()


def run_cell(page, number):
    """Runs a code cell, from 0, and selects the next one."""
    page.evaluate(f"() => {{ window.jupyterapp.shell.currentWidget.content.activeCellIndex = {number}; }}")
    command(page, "notebook:run-cell-and-select-next")


def command(page, name):
    # It is not waited for: the one that runs a cell ends with it.
    page.evaluate(f"() => {{ window.jupyterapp.commands.execute('{name}'); }}")


def wait_for_count(page, number):
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.cells[{number}].count", timeout=120_000)


def test_tab_and_tooltip_while_a_cell_runs(page, artifacts):
    run_cell(page, 0)
    run_cell(page, 1)
    wait_for_count(page, 1)
    run_cell(page, 2)  # runs until it is interrupted
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'busy'", timeout=60_000)

    command(page, "notebook:enter-edit-mode")
    page.keyboard.type("prices.")
    page.keyboard.press("Tab")
    items = page.locator(".jp-Completer-item")
    expect(items.filter(has_text="left")).to_be_visible()
    expect(items.filter(has_text="right")).to_be_visible()
    page.screenshot(path=artifacts / "completion.png")
    page.keyboard.press("Enter")
    assert "prices.left" in page.locator(".jp-Notebook-cell .cm-content").last.inner_text()

    page.keyboard.press("Control+A")
    page.keyboard.type("scale.Launch(")
    page.keyboard.press("Shift+Tab")
    tooltip = page.locator(".jp-Tooltip")
    expect(tooltip).to_contain_text("__global__ void scale(float *x, float by, int n)")
    expect(tooltip).to_contain_text("scale multiplies each of n elements.")
    page.screenshot(path=artifacts / "tooltip.png")

    # What was asked meanwhile has not made the kernel look idle.
    assert page.evaluate(driver.READ_NOTEBOOK)["kernel"] == "busy"
    command(page, "notebook:interrupt-kernel")
    wait_for_count(page, 2)
