"""%tutor's card in a real JupyterLab: questions are answered by clicks, and go on where they were after a restart of the kernel."""

import json

import driver
import pytest
from playwright.sync_api import expect

# An answer to the question guard-6-fix that writes one element past the end.
CODE = """%%tutor answer
__global__ void scale(const float *x, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 2 * x[i];
}"""
CELLS = ["%tutor start --seed 11", "%tutor map", CODE]


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    return tmp_path_factory.mktemp("tutor-state") / "learner.json"


@pytest.fixture(scope="module")
def page(tmp_path_factory, artifacts, state):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOPHERWARP_TUTOR", str(state))
        with driver.notebook_page("tutor", CELLS, tmp_path_factory.mktemp("tutor"), artifacts) as page:
            driver.run_cell(page, 0)
            driver.wait_for_count(page, 0, 120_000)
            yield page


def click(page, name):
    page.locator(".jp-OutputArea").get_by_role("button", name=name, exact=True).click(timeout=60_000)


def test_clicks(page, state, artifacts):
    card = page.locator(".jp-OutputArea .widget-html")
    expect(card).to_contain_text("what describes you best?")
    click(page, "D")
    expect(card).to_contain_text("Thank you.")
    assert json.loads(state.read_text())["ability"] == 1.5
    click(page, "Next")
    expect(card).to_contain_text("Question 2:")
    expect(page.locator(".jp-OutputArea").get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    card.screenshot(path=artifacts / "tutor-card.png")
    # The questions of the placement are skipped, or answered with a number, by clicks alone.
    for number in range(2, 9):
        expect(card).to_contain_text(f"Question {number}:")
        field = page.locator(".jp-OutputArea .widget-text input")
        answer = page.locator(".jp-OutputArea").get_by_role("button", name="A", exact=True)
        expect(answer.or_(field).first).to_be_visible(timeout=60_000)  # they come after the text
        if field.count():
            field.fill("123")
            click(page, "Answer")
        else:
            click(page, "A")
        expect(page.locator(".jp-OutputArea").get_by_role("button", name="Next", exact=True)).to_be_visible(timeout=60_000)
        events = json.loads(state.read_text())["events"]
        assert len(events) == number, events
        click(page, "Next")
    expect(card).to_contain_text("Question 9:")
    click(page, "Skip")
    expect(card).to_contain_text("Skipped, and it will come back")


def test_map(page, artifacts):
    driver.run_cell(page, 1)
    driver.wait_for_count(page, 1, 60_000)
    picture = page.locator(".jp-OutputArea .gw-tutor svg")
    expect(picture).to_be_visible()
    assert picture.get_attribute("aria-label").startswith("progress of ")
    picture.screenshot(path=artifacts / "tutor-map.png")


def test_reload(page, state):
    """After a reload of the page the card is there, and its buttons answer."""
    before = len(json.loads(state.read_text())["events"])
    page.locator(".jp-OutputArea .widget-html").scroll_into_view_if_needed()
    click(page, "Next")
    expect(page.locator(".jp-OutputArea .widget-html")).to_contain_text("Question 10:")
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0, timeout=60_000)  # until it is saved
    page.reload()
    page.wait_for_function(f"() => ({driver.READ_NOTEBOOK})()?.kernel === 'idle'", timeout=60_000)
    card = page.locator(".jp-OutputArea .widget-html")
    expect(card).to_contain_text("Question 10:", timeout=60_000)
    click(page, "Skip")
    expect(card).to_contain_text("Skipped, and it will come back")
    assert len(json.loads(state.read_text())["events"]) == before + 1
    driver.run_cell(page, 0)
    card = page.locator(".jp-OutputArea .gw-tutor").first
    expect(card).to_contain_text("Welcome back", timeout=60_000)


def test_lens(page, state):
    """Below the feedback on code is a picture of the smallest case that failed."""
    learner = json.loads(state.read_text())
    learner.pop("placement", None)
    learner["pending"] = {"item": "guard-6-fix", "purpose": "learning"}
    state.write_text(json.dumps(learner))
    driver.run_cell(page, 2)
    picture = page.locator(".gopherwarp-lens")
    picture.locator(".gw-view .gw-code").wait_for(timeout=120_000)
    expect(picture.locator(".gw-tick")).to_contain_text("step ")
    expect(page.locator(".jp-OutputArea .widget-html").last).to_contain_text("The picture shows what the threads do")
