"""Widgets in a real JupyterLab: moving a slider launches a kernel again and redraws its picture; the notebook is saved with them."""

import json

import driver
import pytest
from playwright.sync_api import expect

CELLS = [
    """%%cuda
__global__ void wave(unsigned char *p, int side, int phase) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < side * side)
        p[i] = (i % side) * (i / side) / 64 + 4 * phase;
}""",
    """const side = 512
pixels := gpu.Zeros[uint8](side * side)
display.Interact(func(phase int) any {
	wave.Launch(gpu.For(side*side, 256), pixels, side, phase)
	return &image.Gray{Pix: pixels.ToHost(), Stride: side, Rect: image.Rect(0, 0, side, side)}
}, widget.Range("phase", 0, 1000))""",
    """clicks := 0
press := widget.NewButton("press")
said := widget.NewLabel("nothing")
press.OnClick(func() { clicks++; said.Set(fmt.Sprintf("pressed %d times", clicks)) })
widget.NewVBox(press, said)""",
    """mine := widget.NewModule(`export default { render({ model, el }) {
	const b = document.createElement("button");
	b.className = "own-module";
	const show = () => { b.textContent = "count " + model.get("count"); };
	b.onclick = () => { model.set("count", model.get("count") + 1); model.save_changes(); };
	model.on("change:count", show);
	show();
	el.append(b);
} };`, "", map[string]any{"count": 3})
mine.OnChange(func(name string, v any) { if v == 4.0 { mine.SetTrait("count", 100) } })
mine""",
]

@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("widgets", CELLS, tmp_path_factory.mktemp("widgets"), artifacts) as page:
        driver.command(page, "notebook:run-all-cells")
        driver.wait_for_count(page, len(CELLS) - 1, 240_000)
        yield page


def test_button(page):
    for times in (1, 2):
        page.get_by_role("button", name="press", exact=True).click()
        expect(page.locator(".widget-label", has_text=f"pressed {times} times")).to_be_visible()


def test_own_module(page):
    button = page.locator("button.own-module")
    expect(button).to_have_text("count 3")
    button.click()
    expect(button).to_have_text("count 100")


def test_reconnect(page, tmp_path_factory):
    """Reloads the page in the middle: the widgets are drawn again, and answer."""
    driver.command(page, "docmanager:save")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty", timeout=30_000)
    saved = page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.toJSON().metadata")
    states = saved["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    assert "ImageModel" in [s["model_name"] for s in states.values()], json.dumps(states)[:2000]
    page.reload()
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
    page.get_by_role("button", name="press", exact=True).click(timeout=30_000)
    expect(page.locator(".widget-label", has_text="pressed 3 times")).to_be_visible(timeout=30_000)
