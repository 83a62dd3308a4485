"""The picture of %lens in a real JupyterLab: it steps, answers to keys, and can be read in both themes."""

import driver
import pytest
from playwright.sync_api import expect

KERNELS = """%%cuda
__global__ void sum(const float *x, float *out) {
    __shared__ float part[64];
    int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    for (int n = 32; n > 0; n /= 2) {
        if (t < n)
            part[t] += part[t + n];
        __syncthreads();
    }
    if (t == 0)
        out[0] = part[0];
}
__global__ void turn(float *x) {
    __shared__ float s[64];
    s[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void branch(float *x) {
    if (threadIdx.x % 4 == 0)
        x[threadIdx.x] = 1;
    else
        x[threadIdx.x] = 2;
}
__global__ void columns(const float *x, float *y) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    y[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void beyond(float *x, int n) {
    int i = threadIdx.x;
    if (i <= n)
        x[i] = 2;
}"""

CELLS = [
    KERNELS,
    "x, out := gpu.ToDevice(make([]float32, 64)), gpu.Zeros[float32](1)\nx.Fill(2)\n%lens sum.Launch(gpu.For(64, 64), x, out)",
    "%lens turn.Launch(gpu.For(64, 64), x)",
    "%lens branch.Launch(gpu.For(64, 64), x)",
    "a, b := gpu.Zeros[float32](1024), gpu.Zeros[float32](1024)\n"
    "%lens columns.Launch(gpu.Launch{Grid: gpu.Dim(1), Block: gpu.Dim(32, 32)}, a, b)",
    "short := gpu.Zeros[float32](5)\n%lens beyond.Launch(gpu.For(8, 8), short, 5)",
    # An error would stop the run of all cells.
    """fmt.Println(verify.Run("blockSum", 64, func(c *verify.Case) error {
	x := c.Float32s(64)
	total := float32(0)
	for _, v := range x {
		total += v
	}
	out := verify.Output[float32](c, 1, func(int) float64 { return float64(total) + 1 })
	return sum.Launch(gpu.For(64, 64), verify.Input(c, x), out)
}, verify.Sizes(1)))""",
    "verify.Lens()",
]

# The least contrast of texts in a picture, by WCAG's formula, with the text that has it.
LEAST_CONTRAST = """picture => {
    const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const over = (colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
    let worst = [99, ''];
    for (const e of picture.querySelectorAll('.gw-view *')) {
        const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
        if (!text || e.tagName === 'OPTION') continue;
        const behind = [];
        for (let p = e; p; p = p.parentElement) behind.unshift(getComputedStyle(p).backgroundColor);
        const back = light(over(['white', ...behind])), fore = light(over(['white', ...behind, getComputedStyle(e).color]));
        const contrast = (Math.max(back, fore) + 0.05) / (Math.min(back, fore) + 0.05);
        if (contrast < worst[0]) worst = [contrast, text];
    }
    return worst;
}"""


# The contrast of the frame of a word that is read with the word's background.
FRAME_CONTRAST = """picture => {
    const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
    const style = getComputedStyle(picture.querySelector('.gw-word.gw-r:not(.gw-wr)'));
    const all = [light(style.boxShadow.match(/rgba?\\([^)]*\\)/)[0]), light(style.backgroundColor)];
    return (Math.max(...all) + 0.05) / (Math.min(...all) + 0.05);
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("lens", CELLS, tmp_path_factory.mktemp("lens"), artifacts) as page:
        driver.command(page, "notebook:run-all-cells")
        driver.wait_for_count(page, len(CELLS) - 1, 240_000)
        yield page


def picture(page, number):
    """The picture of a launch, from 0, with its texts."""
    found = page.locator(".gopherwarp-lens").nth(number)
    found.scroll_into_view_if_needed()
    found.locator(".gw-view .gw-code").wait_for(timeout=30_000)
    return found


def step(found, times):
    for _ in range(times):
        found.get_by_role("button", name="step forward").click()


def test_steps(page):
    found = picture(page, 0)
    expect(found.locator(".gw-text")).to_be_hidden()
    expect(found.locator(".gw-tick")).to_contain_text("step 1 of 24")
    expect(found.locator(".gw-note").first).to_contain_text("64 of 64 threads run, line 4")
    step(found, 4)
    expect(found.locator(".gw-note").first).to_contain_text("32 of 64 threads run, line 9")
    expect(found.locator(".gw-lane.gw-wait")).to_have_count(32)
    expect(found.locator("tr.gw-now .gw-c")).to_have_text("part[t] += part[t + n];")
    # 32 words are read and written, 32 are read only; all have their values.
    expect(found.locator(".gw-word.gw-wr")).to_have_count(32)
    expect(found.locator(".gw-word.gw-r")).to_have_count(64)
    assert found.locator(".gw-word.gw-wr").first.inner_text() == "4"
    assert "no bank conflict" in found.inner_text()
    # Back again, by a key.
    found.locator(".gw-view").focus()
    page.keyboard.press("ArrowLeft")
    expect(found.locator(".gw-tick")).to_contain_text("step 4 of 24")
    expect(found.locator(".gw-word.gw-wr")).to_have_count(0)
    page.keyboard.press("End")
    expect(found.locator(".gw-word", has_text="128"), "the sum, in part[0] and out[0]").to_have_count(2)
    # A click on a line goes to a step that runs it.
    found.locator("tr", has_text="part[t] = x[t];").click()
    expect(found.locator(".gw-note").first).to_contain_text("line 5")


def test_race(page):
    found = picture(page, 1)
    step(found, 1)
    expect(found.locator(".gw-word.gw-race")).to_have_count(64)
    title = found.locator(".gw-word.gw-race").first.get_attribute("title")
    assert "a race of thread (0,0,0) in line 17 and thread (63,0,0) in line 18" in title
    expect(found.locator(".gw-finding")).to_have_count(2)


def test_divergence(page):
    found = picture(page, 2)
    step(found, 1)
    expect(found.locator(".gw-note").first).to_contain_text("16 of 64 threads run, line 22")
    step(found, 1)
    expect(found.locator(".gw-note").first).to_contain_text("48 of 64 threads run, line 24")


def test_conflicts(page):
    found = picture(page, 3)
    step(found, 1)
    assert "32-way bank conflict" in found.inner_text()
    assert "4 sectors of 32 bytes" in found.inner_text()


def test_out_of_bounds(page):
    found = picture(page, 4)
    step(found, 2)
    expect(found.locator(".gw-lane.gw-mark")).to_have_count(1)
    assert "thread (5,0,0)" in found.locator(".gw-lane.gw-mark").get_attribute("title")
    assert "out of bounds" in found.locator(".gw-finding").inner_text()


def test_failed_check(page):
    found = picture(page, 5)
    # Thread 0 owns the wrong element, and writes it in the last line.
    expect(found.locator("tr.gw-now .gw-c", has_text="out[0] = part[0];")).to_have_count(1)
    expect(found.locator(".gw-word.gw-wr")).to_have_count(1)
    assert "warp 0: 1 lane, writes 1 word" in found.inner_text()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_contrast(page, artifacts, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    dark = "false" if theme.endswith("Dark") else "true"
    page.wait_for_selector(f"body[data-jp-theme-light='{dark}']", state="attached")
    for number in range(6):
        found = picture(page, number)
        contrast, text = found.evaluate(LEAST_CONTRAST)
        assert contrast >= 4.5, f"{text!r} of picture {number} in {theme}"
        if number == 3:
            assert found.evaluate(FRAME_CONTRAST) >= 3, theme
        found.screenshot(path=artifacts / f"lens-{number}-{theme.split()[-1].lower()}.png")


@pytest.mark.parametrize("width", [900, 1280, 1800])
def test_threads_fit(page, width):
    """No number or name in the table of threads is cut."""
    page.set_viewport_size({"width": width, "height": 900})
    for number in (1, 3):
        found = picture(page, number)
        step(found, 1)
        cut = found.locator(".gw-threads span").evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight + 1).map(e => e.textContent)")
        assert not cut, f"picture {number}: {cut[:5]} of {len(cut)}"
