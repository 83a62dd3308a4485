"""Charts, animations and progress in a real JupyterLab: they have the colours of the theme, answer the pointer, and stay pictures where scripts do not run."""

import re

import driver
import pytest
from playwright.sync_api import expect

CELLS = [
    'plot.Lines("Two lines", plot.Axis{Label: "n"}, plot.Axis{Label: "ms"}, plot.Line("one", []int{0, 5, 10}, []float64{0, 2.5, 10}), plot.Area("two", []int{0, 10}, []int{1, 3}))',
    'plot.Heat("Map", plot.Axis{}, plot.Axis{}, [][]float64{{1, 2}, {3, 4.25}})',
    'plot.Bars("Bars", "GB/s", []string{"a", "b"}, []float64{3, 5})',
    'plot.Contour("Levels", plot.Axis{}, plot.Axis{}, [][]int{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}})',
    'plot.Surface("Surface", plot.Axis{Label: "x"}, plot.Axis{Label: "y"}, plot.Axis{Label: "z"}, [][]int{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}})',
    'plot.Boxes("Boxes", plot.Axis{}, []string{"a"}, [][]int{{1, 2, 3, 4, 20}})',
    "display.Animate(4, 10, func(i int) any { return display.Gray([]int{i, 3 - i}, 2) })",
    'for range display.Progress(3, "steps") {}',
]
CHARTS = 6

# The least contrast of the texts, and of the colours of lines and areas, of a chart with the page, by WCAG's formula.
CONTRASTS = """box => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const pixel = (...colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const c of colours) { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const channel = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const light = c => 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]);
    const behind = ['white'];
    for (let p = box; p; p = p.parentElement) behind.splice(1, 0, getComputedStyle(p).backgroundColor);
    const back = light(pixel(...behind));
    const contrast = colour => { const l = light(pixel(...behind, colour)); return (Math.max(back, l) + 0.05) / (Math.min(back, l) + 0.05); };
    const of = (selector, property) => [...box.querySelectorAll(selector)].map(e => contrast(getComputedStyle(e)[property]));
    return [Math.min(...of('svg text', 'fill')), Math.min(99, ...of('polyline', 'stroke'), ...of('circle[fill^=var]', 'fill'), ...of('rect[data-tip]', 'fill'))];
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("charts", CELLS, tmp_path_factory.mktemp("charts"), artifacts) as page:
        driver.command(page, "notebook:run-all-cells")
        driver.wait_for_count(page, len(CELLS) - 1, 240_000)
        yield page


def chart(page, number):
    """A chart, from 0, after its script has run."""
    found = page.locator(".jp-OutputArea-output .gw-chart").nth(number)
    found.scroll_into_view_if_needed()
    found.locator("svg").wait_for(timeout=30_000)
    return found


def point(found, x, y):
    """The position in the page of a point of a drawing."""
    box = found.locator("svg").bounding_box()
    size = found.evaluate("box => { const b = box.querySelector('svg').viewBox.baseVal; return [b.width, b.height]; }")
    return box["x"] + x * box["width"] / size[0], box["y"] + y * box["height"] / size[1]


def numbers(found):
    return found.locator("g.axes text").all_text_contents()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_contrast(page, artifacts, theme):
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    dark = "false" if theme.endswith("Dark") else "true"
    page.wait_for_selector(f"body[data-jp-theme-light='{dark}']", state="attached")
    for number in range(CHARTS):
        found = chart(page, number)
        text, shapes = found.evaluate(CONTRASTS)
        assert text >= 4.5, f"text of chart {number} in {theme}"
        assert shapes >= 3, f"shapes of chart {number} in {theme}"
        found.screenshot(path=artifacts / f"chart-{number}-{theme.split()[-1].lower()}.png")


def test_values_under_the_pointer(page):
    found = chart(page, 0)
    dot = found.locator("circle").nth(1)  # of the first line
    page.mouse.move(*point(found, float(dot.get_attribute("cx")) + 3, float(dot.get_attribute("cy")) + 3))
    expect(found.locator(".gw-tip")).to_have_text("one\nx  5\ny  2.5")
    found = chart(page, 1)
    image = found.locator("g.field image")
    at = [float(image.get_attribute(n)) for n in ("x", "y", "width", "height")]
    page.mouse.move(*point(found, at[0] + 0.75 * at[2], at[1] + 0.75 * at[3]))
    expect(found.locator(".gw-tip")).to_have_text("column 1, row 1\n4.25")
    found = chart(page, 2)
    found.locator("rect[data-tip]").nth(1).hover()
    expect(found.locator(".gw-tip")).to_have_text("b: 5 GB/s")


def test_zoom(page):
    found = chart(page, 0)
    before = numbers(found)
    assert "10" in before
    left, top, right, bottom = found.evaluate("box => JSON.parse(box.querySelector('svg').dataset.gw).frame")
    page.mouse.move(*point(found, left + 5, bottom - 5))
    page.mouse.down()
    page.mouse.move(*point(found, (left + right) / 2, (top + bottom) / 2), steps=4)
    page.mouse.up()
    # The numbers along x end at about half of those before.
    along = [float(n) for n in numbers(found) if re.fullmatch(r"[\d.]+", n)]
    assert max(along) <= 5.2, along
    page.mouse.dblclick(*point(found, (left + right) / 2, (top + bottom) / 2))
    assert numbers(found) == before


def test_animation(page):
    player = page.locator(".jp-OutputArea-output .gw-player")
    player.scroll_into_view_if_needed()
    place = player.locator("output")
    expect(place).to_have_text("3 of 3", timeout=20_000)  # it plays
    player.get_by_role("button").click()
    player.get_by_role("slider").fill("1")
    expect(place).to_have_text("1 of 3")
    expect(player.get_by_role("button")).to_have_text("Play")
    assert "picture 3:" in player.locator("img").get_attribute("alt")


def test_progress(page):
    bar = page.get_by_role("progressbar", name="steps")
    expect(bar).to_contain_text("100 %, 3 of 3")


def test_notebook_that_is_not_trusted(page):
    """Outputs of another person's notebook: no script runs, and the chart is a picture with a description."""
    page.evaluate(
        """async read => {
        const app = window.jupyterapp;
        const { source, outputs } = eval(read)().cells[0];
        const cell = { cell_type: 'code', id: 'a', metadata: {}, execution_count: 1, source, outputs };
        const content = { cells: [cell], metadata: { kernelspec: { name: 'gopherwarp', display_name: 'Go' } }, nbformat: 4, nbformat_minor: 5 };
        await app.serviceManager.contents.save('stranger.ipynb', { type: 'notebook', format: 'json', content });
        await app.commands.execute('docmanager:open', { path: 'stranger.ipynb' });
    }""",
        driver.READ_NOTEBOOK,
    )
    output = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output")
    picture = output.locator("img")
    picture.wait_for(timeout=60_000)
    assert "Two lines" in picture.get_attribute("alt")
    assert picture.evaluate("img => img.complete && img.naturalWidth") == 640
    assert output.locator("svg").count() == 0
