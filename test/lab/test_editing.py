"""Completion and help in a real JupyterLab, by Tab and Shift-Tab."""

import driver
import pytest
from playwright.sync_api import expect

SCALE = """%%cuda
// scale multiplies each of n elements.
__global__ void scale(float *x, float by, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) x[i] *= by;
}"""


PATIENCE = 120_000  # ms
RUN = "notebook:run-cell-and-select-next"


@pytest.fixture
def page(tmp_path, artifacts):
    cells = ["type point struct{ left, right int }\nprices := point{1, 2}", SCALE, "for {\n}", ""]
    with driver.notebook_page("editing", cells, tmp_path, artifacts) as page:
        yield page


def test_tab_and_tooltip_while_a_cell_runs(page, artifacts):
    driver.run_cell(page, 0, RUN)
    driver.run_cell(page, 1, RUN)
    driver.wait_for_count(page, 1, PATIENCE)
    driver.run_cell(page, 2, RUN)  # runs until it is interrupted
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'busy'", timeout=60_000)

    driver.command(page, "notebook:enter-edit-mode")
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

    # The requests meanwhile did not make the kernel appear idle.
    assert page.evaluate(driver.READ_NOTEBOOK)["kernel"] == "busy"
    driver.command(page, "notebook:interrupt-kernel")
    driver.wait_for_count(page, 2, PATIENCE)
