"""The device in JupyterLab's status bar: shown while a cell runs, picked by a click, and harmless without a kernel of gopherwarp."""

import driver
import nbformat
import pytest
from playwright.sync_api import expect

CELLS = [
    "%gpu sim",
    """%%cuda
__global__ void busy(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) for (int k = 0; k < 200000; k++) x[i] = x[i] * 1.0001f + 1;
}""",
    "x := gpu.Zeros[float32](1 << 22)\nfor end := time.Now().Add(6 * time.Second); time.Now().Before(end); {\n\tbusy.Launch(gpu.For(1024, 256), x, 1024)\n\tgpu.Sync()\n}",
    "",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    folder = tmp_path_factory.mktemp("device")
    with driver.notebook_page("device", CELLS, folder, artifacts) as page:
        other = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
        nbformat.write(other, folder / "notebooks" / "other.ipynb")
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        yield page


def item(page):
    return page.locator("button.gopherwarp-device")


def test_while_a_cell_runs(page, artifacts):
    expect(item(page)).to_be_visible()
    driver.run_cell(page, 0)
    driver.wait_for_count(page, 0, 120_000)
    expect(item(page)).to_contain_text("sim · ", timeout=30_000)
    driver.run_cell(page, 1)
    driver.wait_for_count(page, 1, 120_000)
    driver.run_cell(page, 2)
    # 16 MiB, and processors that are busy, while the cell runs.
    page.wait_for_function(
        r"""() => { const m = /^sim · (\d+) MiB of [\d.]+ GiB · (\d+) %$/.exec(document.querySelector('.gopherwarp-device').textContent);
                    return m && +m[1] >= 16 && +m[2] >= 10; }""",
        timeout=60_000,
    )
    assert page.evaluate(f"() => ({driver.READ_NOTEBOOK})().cells[2].count") is None, "the cell has ended"
    assert "this notebook has" in item(page).get_attribute("title")
    page.screenshot(path=artifacts / "device-item.png")
    driver.wait_for_count(page, 2, 120_000)


def test_pick(page, artifacts):
    item(page).click()
    dialog = page.locator(".jp-Dialog")
    expect(dialog.locator("pre")).to_contain_text("compute capability", timeout=60_000)
    assert "chosen because" not in dialog.inner_text(), "the notebook has chosen sim"
    page.screenshot(path=artifacts / "device-dialog.png")
    dialog.locator("select").select_option("sim:t4")
    dialog.locator(".jp-mod-accept").click()
    expect(item(page)).to_contain_text("sim:t4 · ", timeout=60_000)
    # Cells run on it.
    page.evaluate(
        "text => window.jupyterapp.shell.currentWidget.content.model.cells.get(3).sharedModel.setSource(text)", "must(gpu.Current()).Name()"
    )
    driver.run_cell(page, 3)
    driver.wait_for_count(page, 3, 120_000)
    assert "sim:t4" in str(page.evaluate(driver.READ_NOTEBOOK)["cells"][3]["outputs"])


def test_restart(page):
    page.evaluate("() => { window.jupyterapp.shell.currentWidget.sessionContext.restartKernel(); }")
    expect(item(page)).to_have_text("no device used yet", timeout=60_000)


def test_other_kernel(page):
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:open', { path: 'other.ipynb' })")
    expect(item(page)).to_be_hidden(timeout=60_000)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:open', { path: 'device.ipynb' })")
    expect(item(page)).to_be_visible(timeout=60_000)
    page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    expect(item(page)).to_be_hidden(timeout=60_000)
    assert page.problems == []
