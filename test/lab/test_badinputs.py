"""What goes wrong, as a person sees it in JupyterLab: floods, panics, closed handles, late output, values that are no numbers, a page that is reloaded."""

import re

import driver
import pytest
from playwright.sync_api import expect

CELLS = [
    # 0: as many updates as a loop makes, of a display, of a widget, and of a line of text
    """live, bar := display.Live(display.HTML("")), widget.NewIntProgress(0, 20000, 0)
Display(bar)
for i := range 20_001 {
	live.Update(display.HTML(fmt.Sprint("round ", i)))
	bar.Set(i)
	fmt.Print("\\rline ", i)
}""",
    # 1: a function that panics, one that blocks, and one that works
    """panics, blocks, works := widget.NewButton("panics"), widget.NewButton("blocks"), widget.NewButton("works")
counted := widget.NewLabel("0")
count := 0
panics.OnClick(func() { panic("out of order") })
blocks.OnClick(func() { select {} })
works.OnClick(func() { count++; counted.Set(fmt.Sprint(count)) })
widget.NewVBox(panics, blocks, works, counted)""",
    # 2: output of a goroutine after its cell
    """release := make(chan bool)
area := display.Live(display.Markdown("waiting"))
go func() {
	time.Sleep(300 * time.Millisecond)
	fmt.Println("a little late")
	<-release
	fmt.Println("very late")
	display.Show(display.HTML("<b class=late>shown late</b>"))
	area.Update(display.Markdown("its own area"))
}()
fmt.Println("early")""",
    "release <- true",
    # 4: series without numbers
    """display.Show(plot.Lines("Gaps", plot.Axis{}, plot.Axis{}, plot.Line("a", []float64{0, 1, 2, 3}, []float64{1, math.NaN(), math.Inf(1), 2})))
display.Show(plot.Lines("Empty", plot.Axis{}, plot.Axis{}, plot.Line("a", []int{}, []int{})))
display.Show(plot.Bars("Nothing", "", nil, []int{}))
display.Show(plot.Heat("NaN", plot.Axis{}, plot.Axis{}, [][]float64{{math.NaN(), math.NaN()}}))
display.Table([]float64{math.NaN(), math.Inf(-1)})""",
    # 5 … 8: what is refused
    "image.NewAlpha(image.Rect(0, 0, 20_000, 10_000))",
    "display.MIME(display.MIMEMap{`html`: `<b>`}, nil)",
    "closed := gpu.Zeros[int32](4)\nclosed.Free()\nclosed.ToHost()",
    "gone := widget.NewIntSlider(0, 10, 1)\nDisplay(gone)\ngone.Close()\nfmt.Println(gone.Set(3))",
    # 9: a slider that is there after a reload
    'kept := widget.NewIntSlider(0, 10, 3)\necho := widget.NewLabel("")\nkept.OnChange(func(n int) { echo.Set(fmt.Sprint("is ", n)) })\nwidget.NewVBox(kept, echo)',
    # 10: runs during the reload
    'for kept.Value() != 8 {\n\ttime.Sleep(time.Millisecond)\n}\nfmt.Println("seen")',
    # 11: more messages than JupyterLab's server takes within three seconds
    "for i := range 3500 {\n\tdisplay.Show(display.HTML(fmt.Sprint(i)))\n}",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("badinputs", CELLS, tmp_path_factory.mktemp("badinputs"), artifacts) as page:
        page.set_default_timeout(60_000)
        yield page


def run(page, number):
    driver.run_cell(page, number)
    driver.wait_for_count(page, number, 120_000)
    return output(page, number)


def output(page, number):
    page.evaluate(
        """number => {
          const notebook = window.jupyterapp.shell.currentWidget.content;
          notebook.widgets[number].node.dataset.shown = number;
          return notebook.scrollToCell(notebook.widgets[number], 'start');
        }""",
        number,
    )
    return page.locator(f"[data-shown='{number}'] .jp-Cell-outputArea")


def test_floods(page):
    """All that is seen at the end is the last of each; nothing is lost and the page answers."""
    found = run(page, 0)
    expect(found).to_contain_text("round 20000")
    expect(found).to_contain_text("line 20000")
    expect(found).not_to_contain_text("round 19999")
    expect(found.locator(".progress-bar, .jupyter-widgets [role=progressbar]").first).to_have_attribute("style", re.compile("width: 100%"))


def test_many_messages(page):
    """A cell that makes more messages than JupyterLab's server takes in a second loses none."""
    run(page, 11)
    shown = "() => window.jupyterapp.shell.currentWidget.content.widgets[11].model.sharedModel.getOutputs().map(o => Number(o.data?.['text/html']))"
    page.wait_for_function(f"() => ({shown})().at(-1) === 3499", polling=500)
    assert page.evaluate(shown) == list(range(3500))


def test_callbacks(page):
    found = run(page, 1)
    found.get_by_role("button", name="panics").click()
    expect(found).to_contain_text("OnClick failed")
    expect(found).to_contain_text("out of order")
    found.get_by_role("button", name="blocks").click()
    for n in range(1, 4):
        found.get_by_role("button", name="works").click()
        expect(found.locator(".widget-label").last).to_have_text(str(n))


def test_late_output(page):
    """What a goroutine prints after its cell belongs to the cell that has run last, and a live area to the cell that has made it."""
    first = found = run(page, 2)
    expect(found).to_contain_text("early")
    expect(found).to_contain_text("a little late")
    found = run(page, 3)
    expect(found).to_contain_text("very late")
    expect(found.locator("b.late")).to_have_count(1)
    expect(first).to_contain_text("its own area")
    expect(found).not_to_contain_text("its own area")


def test_no_numbers(page):
    found = run(page, 4)
    expect(found.locator(".gw-chart svg")).to_have_count(4)
    assert "NaN" not in " ".join(found.locator(".gw-chart svg").first.locator("polyline").evaluate_all("all => all.map(e => e.getAttribute('points'))"))
    expect(found.locator(".gw-chart").nth(1)).to_contain_text("no numbers")
    expect(found.locator("td").filter(has_text="NaN")).to_have_count(1)


@pytest.mark.parametrize(
    ("number", "want"),
    [
        (5, "a picture of 20000 × 10000 pixels (800 MB) is larger than browsers show"),
        (6, '"html" is no MIME type, such as text/html'),
        (7, "freed"),
        (8, "set IntSlider: the widget is closed: make a new one"),
    ],
)
def test_refused(page, number, want):
    expect(run(page, number)).to_contain_text(want)


def test_reload(page):
    """A page that is reloaded while a cell runs has the widgets with their values, and the cell goes on."""
    run(page, 9)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    driver.run_cell(page, 10)
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})().kernel === 'busy'")
    page.reload()
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.cells.length === {len(CELLS)}", timeout=60_000)
    handle = output(page, 9).locator(".noUi-handle")
    expect(handle).to_have_attribute("aria-valuenow", re.compile(r"^3"))
    handle.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(output(page, 9)).to_contain_text("is 8")
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})().kernel === 'idle'", timeout=60_000)
