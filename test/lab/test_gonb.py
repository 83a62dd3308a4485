"""Widgets of GoNB's own package gonbui in JupyterLab: buttons, sliders, lists and the DOM answer to cells that run."""

import driver
import pytest
from playwright.sync_api import expect

CELLS = [
    "%get github.com/janpfeifer/gonb@v0.11.4",
    """import (
	"github.com/janpfeifer/gonb/gonbui/comms"
	"github.com/janpfeifer/gonb/gonbui/dom"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)
%widgets
button := widgets.Button("press me").Done()
clicks := button.Listen()
go func() {
	for n := range clicks.C {
		fmt.Println("clicked", n)
	}
}()""",
    """slider := widgets.Slider(0, 100, 50).Done()
moved := slider.Listen()
for v := range moved.C {
	if fmt.Println("moved", v); v == 77 {
		break
	}
}
slider.SetValue(12)
fmt.Println("set")""",
    'list := widgets.Select([]string{"one", "two", "three"}).Done()\nchosen := list.Listen()\nfmt.Println("chosen", <-chosen.C)',
    """root := dom.CreateTransientDiv()
dom.Append(root, "<b>added</b>")
fmt.Println("inside", dom.GetInnerHtml(root))""",
    """numbers := comms.Listen[[]float64]("/numbers")
dom.TransientJavascript(`globalThis.gonb_comm.send("/numbers", [1, 2.5])`)
fmt.Println("numbers", <-numbers.C)""",
    """%%writefile main.go
package main

import (
	"fmt"

	"github.com/janpfeifer/gonb/gonbui/widgets"
)

func main() {
	fmt.Println("counted", <-widgets.Button("count").Done().Listen().C)
}""",
    "!go mod init asks >/dev/null 2>&1 && go get github.com/janpfeifer/gonb@v0.11.4 2>/dev/null && go run .",
]


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts):
    with driver.notebook_page("gonb", CELLS, tmp_path_factory.mktemp("gonb"), artifacts) as page:
        page.set_default_timeout(60_000)
        driver.run_cell(page, 0)
        driver.wait_for_count(page, 0, 200_000)
        if any(o["output_type"] == "error" for o in page.evaluate(driver.READ_NOTEBOOK)["cells"][0]["outputs"]):
            pytest.skip("SKIPPED: GoNB's package can't be fetched")
        yield page


def cell(page, number):
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number)


def test_button(page):
    driver.run_cell(page, 1)
    driver.wait_for_count(page, 1, 200_000)
    for n in (1, 2):
        cell(page, 1).get_by_role("button", name="press me").click()
        expect(cell(page, 1)).to_contain_text(f"clicked {n}", timeout=30_000)


def test_slider(page):
    """A cell that runs gets the values, and sets one."""
    driver.run_cell(page, 2)
    slider = cell(page, 2).locator("input[type=range]")
    slider.wait_for()
    for value in (60, 77):
        slider.evaluate("(e, value) => { e.value = value; e.dispatchEvent(new Event('input')); }", str(value))
        expect(cell(page, 2)).to_contain_text(f"moved {value}", timeout=60_000)
    expect(cell(page, 2)).to_contain_text("set", timeout=30_000)
    expect(slider).to_have_value("12", timeout=30_000)


def test_list(page):
    driver.run_cell(page, 3)
    cell(page, 3).locator("select").select_option("two")
    expect(cell(page, 3)).to_contain_text("chosen 1", timeout=60_000)


def test_dom(page):
    driver.run_cell(page, 4)
    expect(cell(page, 4)).to_contain_text("inside <b>added</b>", timeout=60_000)
    expect(cell(page, 4).locator("b", has_text="added")).to_have_count(1)


def test_lists_of_numbers(page):
    driver.run_cell(page, 5)
    expect(cell(page, 5)).to_contain_text("numbers [1 2.5]", timeout=60_000)


def test_program(page):
    """A program that a cell runs has widgets of its own."""
    for number in (6, 7):
        driver.run_cell(page, number)
    cell(page, 7).get_by_role("button", name="count").click()
    expect(cell(page, 7)).to_contain_text("counted 1", timeout=60_000)
