"""A round of nbgrader on a lesson: an assignment is generated, released, submitted, graded, and returned with feedback."""

import json
import os
import pathlib
import shutil
import subprocess

import conftest
import handins
import pytest

# The environment with nbgrader; "make test" makes it.
VENV = pathlib.Path(os.environ.get("NBGRADER_VENV", conftest.ROOT / ".venv" / "nbgrader"))
# The maximum time of a cell in seconds, after which the endless ones are stopped.
PATIENCE = 90
ALL = bool(os.environ.get("GOPHERWARP_GRADING"))
# The others have tests of their own in test/e2e; "make test-grading" submits them, too, which takes 20 minutes.
FEW = {"right", "broken", "in-go", "exits"}
LESSONS = handins.ROUNDS if ALL else ["1-basics/first-kernel", "1-basics/histogram"]


class Course:
    """A teacher's directory, with the kernel installed for nbgrader only."""

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
        with (self.folder / "nbgrader_config.py").open("a") as config:
            config.write(f"c.ExecutePreprocessor.timeout = {PATIENCE}\nc.Execute.timeout = {PATIENCE}\n")

    def run(self, *arguments: str) -> str:
        p = subprocess.run(arguments, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=1800, check=False)
        assert p.returncode == 0, p.stdout[-4000:] + p.stderr[-8000:]
        return p.stdout

    def nbgrader(self, *arguments: str) -> str:
        return self.run(str(VENV / "bin" / "nbgrader"), *arguments)

    def submit(self, student: str, lesson: str, notebook: dict) -> None:
        folder = self.folder / "submitted" / student / lesson
        folder.mkdir(parents=True)
        (folder / f"{lesson}.ipynb").write_text(json.dumps(notebook))


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


@pytest.mark.parametrize("path", LESSONS)
def test_round(course, path):
    lesson = path.split("/")[1]
    students = {name: s for name, s in handins.ROUNDS[path].items() if ALL or name in FEW}
    course.nbgrader("db", "assignment", "add", lesson)
    course.nbgrader("generate_assignment", lesson)
    released = json.loads((course.folder / "release" / lesson / f"{lesson}.ipynb").read_text())
    ours = json.loads((conftest.ROOT / "notebooks" / f"{path}.ipynb").read_text())
    assert [s.rstrip() for s in sources(released).values()] == [s.rstrip() for s in sources(ours).values()], "nbgrader's stubs are ours, and hidden tests gone"

    solved = handins.solutions(json.loads((course.folder / "source" / lesson / f"{lesson}.ipynb").read_text()))
    for student, (answers, _) in students.items():
        course.submit(student, lesson, handins.hand_in(released, solved, answers))

    course.nbgrader("autograde", lesson, "--create")
    scores = json.loads(course.run(str(VENV / "bin" / "python"), "-c", handins.SCORES, lesson))
    got = {student: scores[student] for student in students}
    assert got == {student: handins.points(path, student) for student in students}

    course.nbgrader("generate_feedback", lesson)
    feedback = {s: (course.folder / "feedback" / s / lesson / f"{lesson}.html").read_text() for s in students}
    assert "PASS" in feedback["right"] and "CheckFailed" not in feedback["right"]
    for student, part in handins.SAID.get(lesson, {}).items():
        assert student not in students or part in feedback[student], student


