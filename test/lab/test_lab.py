"""The notebooks in a real JupyterLab, as learners use it."""

import shutil

import conftest
import driver
import pytest

# The name under which the kernel is installed.
KERNEL = "Go (gopherwarp)"

# The maximum time of a run in the browser, with the session's start, on a slow machine.
RUN_SECONDS = 240


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with driver.browser_page(driver.require_chromium(), tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture(scope="module")
def server(tmp_path_factory, lesson, failing, variables, artifacts):
    # A copy, as JupyterLab saves the notebook; of the whole course, as lessons
    # share drawings.
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(lesson.parent.parent, folder, dirs_exist_ok=True)
    shutil.copy(failing, folder)
    shutil.copy(variables, folder)
    server = driver.Server(folder, artifacts / "jupyterlab.log")
    try:
        server.wait()
        yield server
    finally:
        server.close()


def test_lesson(page, server, lesson, artifacts, executed_lesson):
    code = [c for c in executed_lesson.cells if c.cell_type == "code"]
    try:
        cells = driver.run_all(page, server, f"{lesson.parent.name}/{lesson.name}", RUN_SECONDS)
    finally:
        driver.screenshots(page, artifacts, "first-kernel")
    assert driver.kernel_shown(page) == KERNEL
    # Cells with output in the stored notebook must have output here.
    driver.check(cells, {n for n, c in enumerate(code, start=1) if c.outputs}, ["PASS vecAdd", "PASS square", "Right: b"])


def test_failures_are_found(page, server, failing, artifacts):
    """The checks above can fail: each finds the errors in a notebook with errors."""
    cells = driver.run_all(page, server, failing.name, RUN_SECONDS)
    driver.screenshots(page, artifacts, "failing-check")
    with pytest.raises(AssertionError) as failure:
        driver.check(cells, {1, 3}, ["text that no cell shows"])
    found = str(failure.value).splitlines()
    assert len(found) == 4, found
    assert "code cell 2 failed" in found[0] and conftest.FAILING_TEXT in found[0]
    assert found[1:] == [
        "code cell 3 did not run",
        "code cell 3 shows nothing",
        "nothing shows 'text that no cell shows'",
    ]


def test_variables_panel(page, server):
    """The panel of JupyterLab's debugger shows the values of variables."""
    cells = driver.run_all(page, server, "variables.ipynb", RUN_SECONDS)
    driver.check(cells, set(), [])
    page.locator(".jp-DebuggerBugButton").click()
    panel = page.locator(".jp-DebuggerVariables")
    panel.get_by_text("answer").wait_for(timeout=30_000)
    assert "42" in panel.inner_text()
    panel.get_by_text("list").click()
    panel.get_by_text("[2]").wait_for(timeout=30_000)
    assert "17" in panel.inner_text()
