"""What JupyterLab says of a notebook and its kernel: unchanged when opened, idle after a kill."""

import json
import os
import shutil
import signal

import driver
import pytest
from conftest import ROOT

DIRTY = "() => window.jupyterapp.shell.currentWidget.context.model.dirty"
KERNEL = "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"


@pytest.fixture(scope="module")
def page(tmp_path_factory, lesson, artifacts):
    folder = tmp_path_factory.mktemp("state")
    shutil.copy(lesson, folder / "lesson.ipynb")
    bare = json.loads(lesson.read_text())
    bare["metadata"]["language_info"] = {"name": "go"}
    (folder / "bare.ipynb").write_text(json.dumps(bare))
    server = driver.Server(folder, artifacts / "jupyterlab-state.log")
    try:
        server.wait()
        with driver.browser_page(driver.require_chromium(), folder / "profile") as page:
            page.server = server
            yield page
    finally:
        server.close()


def open_notebook(page, name):
    page.goto(page.server.url(f"lab/tree/{name}") + "&reset")
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
    page.wait_for_function(
        "() => window.jupyterapp.shell.currentWidget.context.model.getMetadata('language_info')?.file_extension === '.go'", timeout=30_000
    )


def test_opening_changes_nothing(page):
    open_notebook(page, "lesson.ipynb")
    assert not page.evaluate(DIRTY)
    # The check can fail: JupyterLab adds what this notebook lacks.
    open_notebook(page, "bare.ipynb")
    assert page.evaluate(DIRTY)


def test_status_after_a_kill(page):
    open_notebook(page, "lesson.ipynb")
    ours = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if is_kernel_of(pid, page.server)]
    assert len(ours) >= 1
    for pid in ours:
        os.kill(pid, signal.SIGKILL)
    page.locator(".jp-Dialog").wait_for(timeout=60_000)
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.wait_for_function(f"() => ({KERNEL})().status === 'idle'", timeout=60_000)


def is_kernel_of(pid, server):
    """Whether a process is a kernel that the server has started."""
    try:
        command = open(f"/proc/{pid}/cmdline").read().split("\0")
        parent = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1]
    except OSError:
        return False
    return command[:2] == [str(ROOT / "bin" / "gopherwarp"), "kernel"] and int(parent) == server._process.pid
