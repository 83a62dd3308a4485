"""Hints, questions and the learner's progress, by Jupyter's own client, which sends cell ids as JupyterLab does."""

import json
import os
import re
import subprocess

import conftest
import jupyter_client.manager
import nbformat
import pytest

LESSON = conftest.ROOT / "notebooks" / "1-basics" / "first-kernel.ipynb"
SOLUTION = conftest.ROOT / "notebooks" / "solutions" / "1-basics" / "first-kernel.ipynb"


class Learner:
    """A kernel with a file of progress."""

    def __init__(self, progress):
        self.env = dict(os.environ, GOPHERWARP_PROGRESS=str(progress), GOPHERWARP_DEVICE="sim")
        self.manager, self.client = jupyter_client.manager.start_new_kernel(kernel_name="gopherwarp", env=self.env)

    def run(self, code, cell=None):
        """Runs a cell, whose id is sent if it has one, and returns the status and all of its text."""
        shown = []

        def hook(m):
            content = m["content"]
            shown.append(content.get("text", "") or content.get("data", {}).get("text/plain", "") or content.get("evalue", ""))

        message = self.client.session.msg("execute_request", {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False})
        if cell:
            message["metadata"]["cellId"] = cell
        self.client.shell_channel.send(message)
        waiting = True
        while waiting:
            m = self.client.get_iopub_msg(timeout=120)
            if m["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            waiting = m["content"].get("execution_state") != "idle"
            hook(m)
        reply = self.client.get_shell_msg(timeout=120)
        return reply["content"]["status"], "\n".join(filter(None, shown))

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture
def progress(tmp_path):
    return tmp_path / "progress.jsonl"


@pytest.fixture
def learner(progress, gopherwarp):
    one = Learner(progress)
    yield one
    one.close()


def status(gopherwarp, env):
    said = subprocess.run([gopherwarp, "course", "status", "--format", "json"], env=env, capture_output=True, text=True, check=True)
    return json.loads(said.stdout)


def cells(path):
    return {c["id"]: c["source"] for c in nbformat.read(path, as_version=4)["cells"]}


def test_progress(learner, progress, gopherwarp):
    handed_out, solved = cells(LESSON), cells(SOLUTION)
    learner.run(handed_out["square"], "1")
    ok, _ = learner.run(handed_out["check-square"], "2")
    assert ok == "error"
    state = status(gopherwarp, learner.env)
    check = next(c for lesson in state["lessons"] for c in lesson["checks"] if c["check"] == "check-square")
    assert check["tries"] == 1 and not check["passed"] and "square" in check["reason"]
    learner.run(solved["square"], "1")
    ok, _ = learner.run(handed_out["check-square"], "2")
    assert ok == "ok"
    assert status(gopherwarp, learner.env)["points"] == check["of"]
    before = progress.read_text()
    learner.run(handed_out["check-square"])  # a program that runs notebooks sends no id
    assert progress.read_text() == before
    ok, said = learner.run("%progress")
    assert ok == "ok" and f"**{check['of']} of" in said and "Next:" in said


def test_two_notebooks(learner, progress):
    other = Learner(progress)
    try:
        for one in (learner, other):
            one.run("%answer first-kernel/blocks a")
    finally:
        other.close()
    lines = [json.loads(line) for line in progress.read_text().splitlines() if line]
    assert [(e["lesson"], e["kind"], e["text"]) for e in lines] == [("1-basics/first-kernel", "answer", "a")] * 2


def test_hints_and_answers(learner):
    _, first = learner.run("%hint first-kernel/square")
    _, second = learner.run("%hint first-kernel/square")
    assert "Hint 1 of" in first and "Hint 2 of" not in first and "Hint 2 of" in second
    ok, said = learner.run("%answer first-kernel/blocks ?")
    assert ok == "ok" and "Not answered yet" in said
    ok, said = learner.run("%answer first-kernel/no-such-question a")
    assert ok == "error" and "no question" in re.sub(r"\s+", " ", said)
