"""Controls a real JupyterLab in headless Chromium: opens a notebook, runs it by the menu, reads its output."""

import contextlib
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass

import nbformat
import pytest
from playwright.sync_api import Page, expect, sync_playwright

# On a busy machine JupyterLab needs more than the five seconds that Playwright gives an expectation.
expect.set_options(timeout=30_000)

# These flags let Chromium run as root, without a GPU, and without contacting its maker.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# Reads the open notebook from JupyterLab's own model. The page itself contains only the
# cells near the visible part.
READ_NOTEBOOK = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  const model = panel?.content?.model;
  if (!model || !panel.context.isReady || !panel.sessionContext.isReady) { return null; }
  const cells = [];
  for (let i = 0; i < model.cells.length; i++) {
    const cell = model.cells.get(i);
    if (cell.type !== 'code') { continue; }
    const json = cell.toJSON();
    const source = Array.isArray(json.source) ? json.source.join('') : json.source;
    const raises = (json.metadata.tags ?? []).includes('raises-exception');
    cells.push({source, count: cell.executionCount, state: cell.executionState, outputs: json.outputs, raises});
  }
  return {kernel: panel.sessionContext.session?.kernel?.status ?? 'none', cells};
}"""


def find_chromium() -> str | None:
    """The browser to use: $CHROMIUM, or the first of the usual names in PATH."""
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    for name in ("chromium", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    return None


def require_chromium() -> str:
    """The browser to use. Without one the test is skipped, except in CI, where it fails."""
    chromium = find_chromium()
    if chromium is None:
        reason = "no Chromium or Chrome is on this machine; set CHROMIUM to one"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return chromium


class Server:
    """A new JupyterLab on a free port, serving one folder."""

    def __init__(self, folder: pathlib.Path, log: pathlib.Path):
        self.token = secrets.token_hex(16)
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            self.port = probe.getsockname()[1]
        self._log_path = log
        self._log = log.open("w")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
                *("--expose-app-in-browser", f"--port={self.port}", "--ServerApp.port_retries=0"),
                *("--ServerApp.ip=localhost", f"--ServerApp.root_dir={folder}"),
                f"--IdentityProvider.token={self.token}",
                "--LabApp.extension_manager=readonly",  # no request to a registry
            ],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )

    def url(self, path: str) -> str:
        return f"http://localhost:{self.port}/{path}?token={self.token}"

    def wait(self, seconds: float = 60) -> None:
        """Returns when the server answers."""
        end = time.monotonic() + seconds
        while True:
            try:
                urllib.request.urlopen(self.url("api/status"), timeout=5).close()
                return
            except (urllib.error.URLError, OSError) as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    raise AssertionError(
                        f"JupyterLab did not start ({error}):\n{self._log_path.read_text()}"
                    ) from error
            time.sleep(0.2)

    def close(self) -> None:
        """Stops the server and the kernels that it started."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@dataclass
class Cell:
    """A code cell in JupyterLab's model after a run."""

    number: int  # 1 for the notebook's first code cell
    source: str
    count: int | None
    outputs: list[dict]
    raises: bool = False  # it is marked as one that is to fail

    def text(self) -> str:
        """The output of the cell as plain text."""
        parts = []
        for output in self.outputs:
            text = output.get("text") or output.get("data", {}).get("text/plain") or ""
            parts.append("".join(text) if isinstance(text, list) else text)
        return "\n".join(parts)

    def errors(self) -> list[str]:
        return [f"{o['ename']}: {o['evalue']}" for o in self.outputs if o["output_type"] == "error"]


@contextlib.contextmanager
def browser_page(chromium: str, profile: pathlib.Path):
    """A page of a Chromium with an empty profile."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(profile),
            executable_path=chromium,
            headless=True,
            args=CHROMIUM_FLAGS,
            viewport={"width": 1280, "height": 900},
        )
        try:
            yield context.pages[0] if context.pages else context.new_page()
        finally:
            context.close()


@contextlib.contextmanager
def notebook_page(name: str, cells: list[str], folder: pathlib.Path, artifacts: pathlib.Path, kernel: str = "gopherwarp"):
    """A page with a new notebook of these code cells, in a new JupyterLab, with an idle kernel."""
    chromium = require_chromium()
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text) for text in cells],
        metadata={"kernelspec": {"name": kernel, "display_name": "Go (gopherwarp)" if kernel == "gopherwarp" else kernel}},
    )
    nbformat.write(notebook, notebooks / f"{name}.ipynb")
    server = Server(notebooks, artifacts / f"jupyterlab-{name}.log")
    try:
        server.wait()
        with browser_page(chromium, folder / "profile") as page:
            page.goto(server.url(f"lab/tree/{name}.ipynb") + "&reset")
            page.wait_for_function(f"() => ({READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
            yield page
    finally:
        server.close()


def command(page: Page, name: str) -> None:
    """Starts a command of JupyterLab without waiting: one that runs a cell ends with the cell."""
    page.evaluate(f"() => {{ window.jupyterapp.commands.execute('{name}'); }}")


def run_cell(page: Page, number: int, how: str = "notebook:run-cell") -> None:
    """Starts a code cell, from 0, without waiting for it."""
    page.evaluate(f"() => {{ window.jupyterapp.shell.currentWidget.content.activeCellIndex = {number}; }}")
    command(page, how)


def wait_for_count(page: Page, number: int, timeout: float) -> None:
    """Waits until a code cell, from 0, has run. The timeout is in milliseconds."""
    page.wait_for_function(f"() => ({READ_NOTEBOOK})()?.cells[{number}].count", timeout=timeout)


def run_all(page: Page, server: Server, notebook: str, seconds: float) -> list[Cell]:
    """Opens a notebook, picks Run → Run All Cells, and returns its code cells when the run has ended.

    A run has ended when every cell with code has a number, or one has failed (which stops
    the run), and nothing is running.
    """
    # The reset prevents that the layout of an earlier notebook is restored.
    page.goto(server.url(f"lab/tree/{notebook}") + "&reset")
    page.wait_for_function(READ_NOTEBOOK, timeout=60_000)
    page.wait_for_function(f"() => ({READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)

    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()

    end = time.monotonic() + seconds
    while True:
        state = page.evaluate(READ_NOTEBOOK)
        cells = [
            Cell(number, c["source"], c["count"], c["outputs"], c["raises"])
            for number, c in enumerate(state["cells"], start=1)
        ]
        quiet = state["kernel"] == "idle" and all(c["state"] in ("idle", None) for c in state["cells"])
        failed = any(cell.errors() and not cell.raises for cell in cells)
        complete = all(cell.count for cell in cells if cell.source.strip())
        if quiet and (failed or complete):
            return cells
        if time.monotonic() > end:
            waiting = [cell.number for cell in cells if cell.source.strip() and not cell.count]
            raise AssertionError(
                f"{notebook} still runs after {seconds} s: kernel {state['kernel']}, waiting for code cells {waiting}"
            )
        page.wait_for_timeout(250)


def check(cells: list[Cell], with_output: set[int], texts: list[str]) -> None:
    """Raises AssertionError unless the run had the expected output.

    with_output has the numbers of the code cells that must have output, texts the texts that must be in some output.
    """
    problems = []
    for cell in cells:
        for error in cell.errors():
            if not cell.raises:
                problems.append(f"code cell {cell.number} failed: {error}")
        if cell.raises and cell.count and not cell.errors():
            problems.append(f"code cell {cell.number} is to fail and did not")
        if cell.source.strip() and not cell.count:
            problems.append(f"code cell {cell.number} did not run")
        if cell.number in with_output and not cell.outputs:
            problems.append(f"code cell {cell.number} shows nothing")
    shown = "\n".join(cell.text() for cell in cells)
    problems += [f"nothing shows {text!r}" for text in texts if text not in shown]
    assert not problems, "\n".join(problems)


def kernel_shown(page: Page) -> str:
    """The kernel's name in the notebook's tool bar."""
    return page.locator(".jp-NotebookPanel-toolbar .jp-KernelName").inner_text().strip()


def screenshots(page: Page, folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """Saves screenshots: one for each screenful of the notebook, and one of the whole notebook."""
    made = []
    panel = page.locator(".jp-WindowedPanel-outer").first
    height, full = panel.evaluate("e => [e.clientHeight, e.scrollHeight]")
    for index, top in enumerate(range(0, max(full, 1), max(height - 40, 1)), start=1):
        panel.evaluate("(e, top) => { e.scrollTop = top; }", top)
        page.wait_for_timeout(400)  # JupyterLab renders cells when they become visible
        made.append(folder / f"{name}-{index:02}.png")
        page.screenshot(path=made[-1])
    viewport = page.viewport_size
    # Chromium's maximum height of a picture is 16384.
    page.set_viewport_size({"width": viewport["width"], "height": min(full + 200, 16000)})
    panel.evaluate("e => { e.scrollTop = 0; }")
    page.wait_for_timeout(800)
    made.append(folder / f"{name}-full.png")
    page.screenshot(path=made[-1])
    page.set_viewport_size(viewport)
    return made
