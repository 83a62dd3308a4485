"""Breakpoints in a real JupyterLab: set in the gutter, hit, inspected and continued."""

import re

import driver
import pytest
from playwright.sync_api import expect

DECLARE = """factor := 3

func weigh(a, b int) int {
	sum := a + b
	return sum * factor
}"""
PATIENCE = 240_000  # ms, on a busy machine

CALL = "total := 0\nfor i := range 2 {\n\ttotal += weigh(i, 1)\n}\ntotal"


@pytest.fixture
def page(tmp_path, artifacts):
    with driver.notebook_page("debugger", [DECLARE, CALL], tmp_path, artifacts) as page:
        yield page


def insist(do, seen):
    """Repeats an action until it has an effect: JupyterLab may show elements before they handle clicks."""
    for attempt in range(20):
        do()
        try:
            seen()
            return
        except AssertionError:
            if attempt == 19:
                raise


def test_breakpoint(page, artifacts):
    panel = page.locator(".jp-DebuggerVariables")

    # If it is clicked too early, the button starts a debugger without a notebook: its
    # panel is headed "-".
    def bug():
        page.locator(".jp-DebuggerBugButton").click()

    def attached():
        expect(panel).to_be_visible(timeout=15_000)
        title = page.locator("#jp-debugger-sidebar, .jp-DebuggerSidebar").locator(".jp-SidePanel-header").first
        expect(title).to_contain_text("debugger.ipynb", timeout=5_000)

    insist(bug, attached)
    driver.run_cell(page, 0)
    driver.wait_for_count(page, 0, PATIENCE)

    # Click beside the line that returns.
    gutter = page.locator(".jp-Notebook-cell").first.locator(".cm-gutter.cm-breakpoint-gutter")
    listed = page.locator(".jp-DebuggerBreakpoints")

    def click():
        expect(gutter).to_be_visible(timeout=PATIENCE)
        line = page.locator(".jp-Notebook-cell").first.locator(".cm-line").nth(4).bounding_box()
        box = gutter.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, line["y"] + line["height"] / 2)

    insist(click, lambda: expect(listed).to_contain_text("5", timeout=6_000))

    driver.run_cell(page, 1)
    stack = page.locator(".jp-DebuggerCallstack")
    # The first time, delve may have to be built.
    page.wait_for_function(
        "() => document.querySelector('.jp-DebuggerCallstack')?.textContent.includes('weigh') "
        f"|| ({driver.READ_NOTEBOOK})()?.cells[1].count",
        timeout=PATIENCE,
    )
    if "operation not permitted" in str(page.evaluate(driver.READ_NOTEBOOK)["cells"][1]["outputs"]):
        pytest.skip("NO BREAKPOINTS TESTED: this system lets no debugger attach")
    expect(stack).to_contain_text("weigh", timeout=PATIENCE)
    expect(stack).to_contain_text("cell[2]", timeout=PATIENCE)
    expect(panel).to_contain_text(re.compile(r"sum\W*1"), timeout=PATIENCE)
    expect(page.locator(".jp-DebuggerEditor-highlight")).to_have_count(1, timeout=PATIENCE)
    # After a request that JupyterLab sent meanwhile, it may show for a moment that the kernel is idle.
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'busy'", timeout=PATIENCE)
    page.screenshot(path=artifacts / "breakpoint.png")

    driver.command(page, "debugger:continue")
    expect(panel).to_contain_text(re.compile(r"sum\W*2"), timeout=PATIENCE)  # the second call
    driver.command(page, "debugger:continue")
    driver.wait_for_count(page, 1, PATIENCE)
    outcome = page.evaluate(driver.READ_NOTEBOOK)["cells"][1]["outputs"]
    # The cell also prints that delve is built, if it was.
    assert [o["data"]["text/plain"] for o in outcome if o["output_type"] != "stream"] == ["9"]
