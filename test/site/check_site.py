"""The built site in headless Chromium: it loads nothing from elsewhere, and its search, diagrams and colour schemes work.

`make test-docs` runs this; its name keeps it out of `make test-notebooks`, which does not build the site.
"""

import functools
import html.parser
import http.server
import pathlib
import re
import threading

import pytest
from driver import CHROMIUM_FLAGS, require_chromium
from playwright.sync_api import expect, sync_playwright

SITE = pathlib.Path(__file__).resolve().parents[2] / "dist" / "site"
PAGES = sorted(p.relative_to(SITE).as_posix() for p in SITE.rglob("*.html"))
# By tag, the attribute with what a browser loads. A link is loaded unless it only names a page.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "link": "href", "use": "href"}
NAMED = {"canonical", "next", "prev", "edit"}


class Loads(html.parser.HTMLParser):
    """Collects what a page loads by an address with a host."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        address = attributes.get(LOADED.get(tag, ""), "") or ""
        if re.match(r"(https?:)?//", address) and attributes.get("rel") not in NAMED:
            self.found.append(f"<{tag}> {address}")
        self.found += re.findall(r"url\(['\"]?(?:https?:)?//[^)]*\)", attributes.get("style") or "")


def loads(text: str) -> list[str]:
    parser = Loads()
    parser.feed(text)
    return parser.found


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    assert PAGES, f"{SITE} has no pages: run make docs"
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def page():
    chromium = require_chromium()
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser.new_page()
        browser.close()


def test_finder_of_loads():
    assert loads('<script src="https://a.b/c.js"></script><img src="//a.b/c.png">') == ["<script> https://a.b/c.js", "<img> //a.b/c.png"]
    assert loads('<link rel="stylesheet" href="https://a.b/c.css"><p style="background: url(\'http://a.b\')">') != []
    assert loads('<a href="https://a.b"><link rel="canonical" href="https://a.b"><img src="c.png">') == []


def test_nothing_comes_from_elsewhere():
    found = {name: loads((SITE / name).read_text()) for name in PAGES}
    assert {name: what for name, what in found.items() if what} == {}
    for sheet in SITE.rglob("*.css"):
        text = sheet.read_text()
        assert not re.findall(r"@import[^;]*//|url\(['\"]?(?:https?:)?//", text), sheet


def test_pages_open_without_requests_elsewhere(address, page):
    elsewhere, errors = [], []
    page.on("request", lambda r: None if r.url.startswith((address, "data:", "blob:")) else elsewhere.append(r.url))
    page.on("pageerror", lambda e: errors.append(f"{page.url}: {e}"))
    for name in PAGES:
        page.goto(address + name, wait_until="load")
        expect(page.locator("h1").first).to_be_attached()
    assert (elsewhere, errors) == ([], [])


def test_diagrams_are_drawn(address, page):
    page.goto(address + "ARCHITECTURE.html")
    # Material draws them into closed shadow roots, whose elements have a size.
    diagram = page.locator("div.mermaid").first
    expect(diagram).to_be_visible(timeout=30_000)
    assert diagram.bounding_box()["height"] > 100


def test_search(address, page):
    page.goto(address + "index.html")
    page.locator("input.md-search__input").click()
    page.locator("input.md-search__input").press_sequentially("occupancy")  # the site listens to keys
    result = page.locator(".md-search-result__item a").first
    expect(result).to_be_visible(timeout=30_000)
    expect(page.locator(".md-search-result__list")).to_contain_text(re.compile("occupancy", re.I))


def test_light_and_dark(address, page):
    # A page of its own, as the choice is kept in the browser.
    page = page.context.browser.new_page(color_scheme="dark")
    page.goto(address + "start.html")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("label[title=Light]:visible").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")


def test_lessons_have_outputs():
    lessons = [name for name in PAGES if name.startswith("lessons/")]
    assert len(lessons) == len(list((SITE.parents[1] / "notebooks" / "solutions").glob("*/*.ipynb")))
    for name in lessons:
        text = (SITE / name).read_text()
        assert "✓ PASS" in text, name
        assert "\x1b" not in text and "attachment:" not in text, name


def test_formulas(address, page):
    """Formulas are drawn in the colour of the text, and none is left as its source."""
    errors = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    seen = 0
    for name in PAGES:
        count = (SITE / name).read_text().count('class="arithmatex"')
        if not count:
            continue
        page.goto(address + name, wait_until="load")
        expect(page.locator(".arithmatex math")).to_have_count(count)
        broken = page.locator(".arithmatex").evaluate_all(
            "all => all.filter(f => f.querySelector('.katex-error, merror') || getComputedStyle(f.querySelector('math')).color !== getComputedStyle(f.parentElement).color).map(f => f.textContent)"
        )
        assert not broken, f"{name}: {broken}"
        seen += count
    assert seen > 20 and not errors, (seen, errors)
