"""A slider in a real JupyterLab that launches a kernel again and redraws its picture: how many pictures a second."""

import time

import driver
import pytest
from test_interact import CELLS

# The picture of the first two cells by NumPy and ipywidgets, as a PNG of the same size.
PEER = """import ipywidgets, numpy, struct, zlib
x = numpy.arange(512)
product = x[:, None] * x[None, :] // 64
def chunk(name, data): return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
def png(pixels):
    rows = numpy.zeros((512, 513), numpy.uint8)
    rows[:, 0], rows[:, 1], rows[:, 2:] = 1, pixels[:, 0], pixels[:, 1:] - pixels[:, :-1]
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 512, 512, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 1)) + chunk(b"IEND", b"")
draw = lambda phase: png((product + 4 * phase).astype(numpy.uint8))
picture = ipywidgets.Image(value=draw(500), layout=ipywidgets.Layout(align_self="flex-start"))
slider = ipywidgets.IntSlider(500, 0, 1000, description="phase")
def change(c): picture.value = draw(c["new"])
slider.observe(change, "value")
ipywidgets.VBox([slider, picture])"""

# Counts the pictures that the page has loaded.
COUNT = """picture => {
    window.frames_shown = 0;
    picture.addEventListener('load', () => { window.frames_shown++; });
}"""


def drag(page):
    """Drags the slider for five seconds, and returns the pictures that the page has loaded in a second and the moves of the mouse."""
    picture = page.locator(".jp-OutputArea img.widget-image")
    picture.wait_for(timeout=30_000)
    page.set_viewport_size({"width": 1280, "height": 1100})  # the slider and all of the picture
    handle = page.locator(".jp-OutputArea .noUi-handle")
    handle.hover()
    assert picture.evaluate("p => [p.naturalWidth, p.naturalHeight]") == [512, 512]
    box = page.locator(".jp-OutputArea .noUi-target").bounding_box()
    picture.evaluate(COUNT)
    y = box["y"] + box["height"] / 2
    page.mouse.down()
    start, turn = time.monotonic(), 0
    while time.monotonic() - start < 5:
        turn += 1
        page.mouse.move(box["x"] + turn * 3 % box["width"], y)
    page.mouse.up()
    seconds = time.monotonic() - start
    return page.evaluate("window.frames_shown") / seconds, turn / seconds


@pytest.mark.parametrize("kernel", ["gopherwarp", "python3"])
def test_frames(kernel, tmp_path, artifacts):
    """Python with NumPy and ipywidgets is the peer."""
    cells = CELLS[:2] if kernel == "gopherwarp" else [PEER]
    with driver.notebook_page(f"frames-{kernel}", cells, tmp_path, artifacts, kernel) as page:
        driver.command(page, "notebook:run-all-cells")
        driver.wait_for_count(page, len(cells) - 1, 240_000)
        frames, moves = drag(page)
        print(f"{kernel}: {frames:.1f} pictures of 512 × 512 a second, for {moves:.0f} moves of the mouse")
        (artifacts / f"widget-frames-{kernel}.txt").write_text(f"{frames:.1f}\n")
        page.locator(".jp-OutputArea img.widget-image").screenshot(path=artifacts / f"widgets-picture-{kernel}.png")
        assert frames > 0.4  # how many is for bench/results, since it depends on the machine
