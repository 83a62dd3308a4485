"""Breakpoints in a %%cuda cell in a real JupyterLab: hit in the recording, stepped forwards and backwards by its buttons and ours."""

import re

import driver
import pytest
from playwright.sync_api import expect
from test_debugger import PATIENCE, insist

KERNEL = """%%cuda
__global__ void fill(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = 2 * x[i];
        x[i] = v + 1;
    }
}"""
LAUNCH = "fill.Launch(gpu.For(6, 4).StopIn(gpu.Dim3{X: 1}, gpu.Dim3{X: 1}), x, 6)\nx.ToHost()"


@pytest.fixture
def page(tmp_path, artifacts):
    cells = ["%gpu sim\nx := gpu.ToDevice([]float32{1, 2, 3, 4, 5, 6})", KERNEL, LAUNCH]
    with driver.notebook_page("kerneldebug", cells, tmp_path, artifacts) as page:
        yield page


def test_kernel(page, artifacts):
    panel = page.locator(".jp-DebuggerVariables")

    def attached():
        expect(panel).to_be_visible(timeout=15_000)
        title = page.locator("#jp-debugger-sidebar, .jp-DebuggerSidebar").locator(".jp-SidePanel-header").first
        expect(title).to_contain_text("kerneldebug.ipynb", timeout=5_000)

    insist(lambda: page.locator(".jp-DebuggerBugButton").click(), attached)
    for number in range(2):
        driver.run_cell(page, number)
        driver.wait_for_count(page, number, PATIENCE)
    cell = page.locator(".jp-Notebook-cell").nth(1)
    gutter = cell.locator(".cm-gutter.cm-breakpoint-gutter")

    def click():
        expect(gutter).to_be_visible(timeout=PATIENCE)
        line = cell.locator(".cm-line").nth(5).bounding_box()
        box = gutter.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, line["y"] + line["height"] / 2)

    insist(click, lambda: expect(page.locator(".jp-DebuggerBreakpoints")).to_contain_text("6", timeout=6_000))

    driver.run_cell(page, 2)
    stack = page.locator(".jp-DebuggerCallstack")
    expect(stack).to_contain_text("fill", timeout=PATIENCE)
    expect(stack).to_contain_text("cell[3]", timeout=PATIENCE)
    expect(panel).to_contain_text(re.compile(r"v\W*12"), timeout=PATIENCE)
    expect(panel).to_contain_text(re.compile(r"threadIdx\W*1, 0, 0"), timeout=PATIENCE)
    # The stop stands in the cell of the kernel.
    expect(cell.locator(".jp-DebuggerEditor-highlight")).to_contain_text("x[i] = v + 1", timeout=PATIENCE)
    page.screenshot(path=artifacts / "kernel-breakpoint.png")

    page.locator('.jp-DebuggerSidebar [data-command="gopherwarp:step-back"]').click()
    expect(cell.locator(".jp-DebuggerEditor-highlight")).to_contain_text("float v", timeout=PATIENCE)
    expect(panel).not_to_contain_text(re.compile(r"v\W*12"), timeout=PATIENCE)
    expect(panel).to_contain_text(re.compile(r"i\W*5"), timeout=PATIENCE)
    page.locator('.jp-DebuggerSidebar [data-command="gopherwarp:reverse-continue"]').click()
    expect(cell.locator(".jp-DebuggerEditor-highlight")).to_contain_text("int i", timeout=PATIENCE)
    driver.command(page, "debugger:next")
    expect(cell.locator(".jp-DebuggerEditor-highlight")).to_contain_text("if (i < n)", timeout=PATIENCE)
    driver.command(page, "debugger:continue")
    expect(cell.locator(".jp-DebuggerEditor-highlight")).to_contain_text("x[i] = v + 1", timeout=PATIENCE)
    driver.command(page, "debugger:continue")
    driver.wait_for_count(page, 2, PATIENCE)
    outputs = page.evaluate(driver.READ_NOTEBOOK)["cells"][2]["outputs"]
    assert "13" in str(outputs), outputs
    expect(page.locator(".jp-DebuggerEditor-highlight")).to_have_count(0, timeout=PATIENCE)
