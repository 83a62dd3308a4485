"""A round of nbgrader on a lesson: an assignment is made and released, handed in by four students, graded, and answered."""

import json
import os
import pathlib
import shutil
import subprocess

import conftest
import pytest

LESSON = "monte-carlo"
MODULE = "4-applications"
# Where nbgrader is; "make test" makes it.
VENV = pathlib.Path(os.environ.get("NBGRADER_VENV", conftest.ROOT / ".venv" / "nbgrader"))

# What each student's exercises say, by the name of their cell, and the points of the checks. Cells that are not named stay as
# they were handed out.
STUDENTS = {
    "right": ({"draw": None, "call": None}, {"check-draw": 2, "check-call": 4}),
    "wrong": ({"draw": None, "call": ("fmaxf(end - k, 0)", "fmaxf(k - end, 0)")}, {"check-draw": 2, "check-call": 0}),
    "empty": ({}, {"check-draw": 0, "check-call": 0}),
    "broken": ({"draw": None, "call": ("float end =", "float end ==")}, {"check-draw": 2, "check-call": 0}),
}

SCORES = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    scores = {}
    for s in book.assignment_submissions(sys.argv[1]):
        scores[s.student.id] = {g.name: [g.score, g.max_score] for n in s.notebooks for g in n.grades}
json.dump(scores, sys.stdout)
"""


class Course:
    """A teacher's folder, with the kernel installed for nbgrader alone."""

    def __init__(self, folder: pathlib.Path, gopherwarp: pathlib.Path):
        self.folder = folder / "course"
        shutil.copytree(conftest.ROOT / "notebooks" / "nbgrader", self.folder)
        subprocess.run([gopherwarp, "install", "--prefix", folder / "prefix"], check=True, capture_output=True, timeout=300)
        self.env = dict(
            os.environ,
            PATH=f"{VENV / 'bin'}:{os.environ['PATH']}",
            JUPYTER_PATH=str(folder / "prefix" / "share" / "jupyter"),
            GOPHERWARP_DEVICE="sim",
        )

    def run(self, *arguments: str) -> str:
        p = subprocess.run(arguments, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=600, check=False)
        assert p.returncode == 0, p.stdout[-4000:] + p.stderr[-8000:]
        return p.stdout

    def nbgrader(self, *arguments: str) -> str:
        return self.run(str(VENV / "bin" / "nbgrader"), *arguments)

    def submit(self, student: str, notebook: dict) -> None:
        folder = self.folder / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / f"{LESSON}.ipynb").write_text(json.dumps(notebook))


@pytest.fixture(scope="module")
def course(tmp_path_factory, gopherwarp):
    if not (VENV / "bin" / "nbgrader").exists():
        reason = f"nbgrader is not in {VENV}: make test-notebooks puts it there"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return Course(tmp_path_factory.mktemp("nbgrader"), gopherwarp)


def sources(notebook: dict) -> dict[str, str]:
    return {c["id"]: "".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"}


def test_round(course):
    root = conftest.ROOT / "notebooks"
    course.nbgrader("db", "assignment", "add", LESSON)
    course.nbgrader("generate_assignment", LESSON)
    released = json.loads((course.folder / "release" / LESSON / f"{LESSON}.ipynb").read_text())
    ours = json.loads((root / MODULE / f"{LESSON}.ipynb").read_text())
    assert [s.rstrip() for s in sources(released).values()] == [s.rstrip() for s in sources(ours).values()], "nbgrader's stubs are ours, and hidden tests gone"

    solutions = {}
    for cell in json.loads((course.folder / "source" / LESSON / f"{LESSON}.ipynb").read_text())["cells"]:
        if grade_id := cell["metadata"].get("nbgrader", {}).get("grade_id"):
            solutions[grade_id] = "".join(cell["source"])
    for student, (answers, _) in STUDENTS.items():
        notebook = json.loads(json.dumps(released))
        for cell in notebook["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in answers:
                source, change = solutions[name], answers[name]
                if change:
                    assert change[0] in source
                    source = source.replace(*change)
                cell["source"] = source
        course.submit(student, notebook)

    course.nbgrader("autograde", LESSON, "--create")
    scores = json.loads(course.run(str(VENV / "bin" / "python"), "-c", SCORES, LESSON))
    for student, (_, points) in STUDENTS.items():
        assert scores[student] == {"check-draw": [points["check-draw"], 2], "check-call": [points["check-call"], 4]}, student

    course.nbgrader("generate_feedback", LESSON)
    feedback = {s: (course.folder / "feedback" / s / LESSON / f"{LESSON}.html").read_text() for s in STUDENTS}
    assert "PASS" in feedback["right"] and "CheckFailed" not in feedback["right"]
    assert "CheckFailed" in feedback["wrong"] and "at the money: got" in feedback["wrong"]
    assert "nothing was written" in feedback["empty"] or "wrong values" in feedback["empty"]
    assert "CompileError" in feedback["broken"]
