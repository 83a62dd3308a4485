"""Waits for the JupyterLab of a fresh system, runs a first kernel and then a lesson in it in Chromium, and ends it.

    browser.py ROOT    the system's root; PORT and JUPYTER_TOKEN are in the environment
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "lab"))
import driver

HERE = pathlib.Path(__file__).parent
LIMIT = 1800  # seconds until JupyterLab must answer on a busy machine


class Server:
    """The JupyterLab of the fresh system."""

    def url(self, path: str) -> str:
        return f"http://localhost:{os.environ['PORT']}/{path}?token={os.environ['JUPYTER_TOKEN']}"

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(self.url("api/status"), timeout=5).close()
            return True
        except OSError:
            return False


def main(root: pathlib.Path) -> None:
    server, end = Server(), time.monotonic() + LIMIT
    while not server.answers():
        if time.monotonic() > end:
            raise SystemExit(f"JupyterLab did not answer after {LIMIT} s")
        time.sleep(0.2)
    started = float((root / "tmp/started").read_text())

    def say(text: str) -> None:
        print(f"    [{time.time() - started:.0f} s] {text}", flush=True)

    say("JupyterLab answers")
    course = root / "home/learner/course"
    shutil.copy(HERE.parent / "wheel/first.ipynb", course / "first.ipynb")
    (course / "first.ipynb").chmod(0o666)
    try:
        with tempfile.TemporaryDirectory() as profile, driver.browser_page(driver.require_chromium(), pathlib.Path(profile)) as page:
            cells = driver.run_all(page, server, "first.ipynb", 600)
            driver.check(cells, {3}, ["[11 22 33]"])
            say("the first kernel has run")
            cells = driver.run_all(page, server, "solutions/1-basics/first-kernel.ipynb", 600)
            driver.check(cells, set(), ["PASS vecAdd", "PASS square"])
            say("the first lesson has run")
    finally:
        urllib.request.urlopen(urllib.request.Request(server.url("api/shutdown"), method="POST")).close()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
