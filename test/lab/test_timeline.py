"""The timeline of %prof in a real JupyterLab: it zooms, shows what is under the pointer, and can be read in both themes."""

import driver
import pytest
from playwright.sync_api import expect
from test_lens import LEAST_CONTRAST

# Texts of SVG have their colour in fill. Names in bars have fixed colours: white on #0072b2 is 5.2 : 1, black on #d55e00 5.5 : 1.
LEAST_CONTRAST = LEAST_CONTRAST.replace("getComputedStyle(e).color", "(getComputedStyle(e)[e.namespaceURI.endsWith('svg') ? 'fill' : 'color'])").replace(
    "if (!text", "if (!text || /gw-in-/.test(e.className.baseVal)"
)

CELLS = [
    """%%cuda
__global__ void step(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) for (int k = 0; k < 20; k++) x[i] = x[i] * 1.5f + 1;
}""",
    """%%prof --timeline
streams := []*gpu.Stream{gpu.NewStream(), gpu.NewStream()}
host := make([]float32, 1<<16)
x := gpu.ToDevice(host)
for k := range 6 {
	end := prof.Range("step <" + fmt.Sprint(k) + ">")
	l := gpu.For(len(host), 256)
	l.Stream = streams[k%2]
	step.Launch(l, x, len(host))
	gpu.Sync()
	end()
}
x.CopyTo(host)""",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("timeline", CELLS, tmp_path_factory.mktemp("timeline"), artifacts) as page:
        driver.command(page, "notebook:run-all-cells")
        driver.wait_for_count(page, len(CELLS) - 1, 240_000)
        yield page


@pytest.fixture
def picture(page):
    found = page.locator(".gw-timeline")
    found.scroll_into_view_if_needed()
    found.locator("svg rect").first.wait_for(timeout=30_000)
    found.get_by_role("button", name="show all").click()
    return found


def test_rows(picture):
    expect(picture.locator(".gw-text")).to_be_hidden()
    for label in ("ranges", "default stream", "stream 1", "stream 2"):
        expect(picture.locator("svg text", has_text=label).first).to_be_visible()
    expect(picture.locator("rect.gw-kernel")).to_have_count(6)
    expect(picture.locator("rect.gw-range")).to_have_count(6)


def test_pointer(picture):
    picture.locator("rect.gw-kernel").nth(2).hover()
    expect(picture.locator(".gw-note")).to_contain_text("step: ")
    expect(picture.locator(".gw-note")).to_contain_text("256 × 256")
    picture.locator("rect.gw-range").nth(2).hover()
    expect(picture.locator(".gw-note")).to_contain_text("step <2>: ")


def test_zoom(page, picture):
    bar = picture.locator("rect.gw-kernel").nth(2)
    before = bar.bounding_box()
    # Drag over the kernel: it then fills the picture.
    y = before["y"] + before["height"] / 2
    page.mouse.move(before["x"] - 2, y)
    page.mouse.down()
    page.mouse.move(before["x"] + before["width"] / 2, y, steps=3)
    page.mouse.move(before["x"] + before["width"] + 2, y, steps=3)
    page.mouse.up()
    size = picture.locator("svg").bounding_box()["width"]
    widest = max(b["width"] for b in (r.bounding_box() for r in picture.locator("rect.gw-kernel").all()))
    assert widest > before["width"] and widest > size / 3, f"{before} became {widest} of {size}"
    picture.locator("svg").focus()
    page.keyboard.press("0")
    expect(picture.locator("rect.gw-kernel")).to_have_count(6)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_contrast(page, picture, artifacts, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    dark = "false" if theme.endswith("Dark") else "true"
    page.wait_for_selector(f"body[data-jp-theme-light='{dark}']", state="attached")
    expect(page.locator("#jupyterlab-splash")).to_have_count(0)
    picture.screenshot(path=artifacts / f"timeline-{theme.split()[-1].lower()}.png")
    contrast, text = picture.evaluate(LEAST_CONTRAST)
    assert contrast >= 4.5, f"{text!r} in {theme}"
