"""A round of nbgrader on a lesson: an assignment is generated, released, submitted, graded, and returned with feedback."""

import json
import os
import pathlib
import shutil
import subprocess
import time

import conftest
import handins
import pytest

# The environment with nbgrader; "make test" makes it.
VENV = pathlib.Path(os.environ.get("NBGRADER_VENV", conftest.ROOT / ".venv" / "nbgrader"))
# The maximum time of a cell in seconds, after which the endless ones are stopped.
PATIENCE = 90
# "all", or names of lessons with commas between: the round that "make test-grading" does. Without, the lessons and students of FEW.
CHOSEN = os.environ.get("GOPHERWARP_GRADING", "")
ALL = [p for p in (conftest.ROOT / "course" / "order.txt").read_text().split() if handins.exercises(p)]
# The cheating hand-ins have tests of their own in test/e2e, and wrong answers have "gopherwarp course check".
FEW = {"1-basics/first-kernel": {"right", "broken", "in-go", "exits"}, "3-kernels/coalescing": {"right", "wrong"}}
LESSONS = [p for p in ALL if CHOSEN == "all" or p.split("/")[1] in CHOSEN.split(",")] if CHOSEN else list(FEW)


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


def students_of(path: str) -> dict[str, handins.HandIn]:
    """Returns what is handed in to a lesson: that of every lesson, and what ROUNDS has for this one."""
    students = handins.round_of(path)
    for name, (answers, _) in handins.ROUNDS.get(path, {}).items():
        students[name] = handins.HandIn(answers, [])
    return {name: s for name, s in students.items() if CHOSEN or name in FEW[path]}


@pytest.mark.parametrize("path", LESSONS)
def test_round(course, path):
    lesson = path.split("/")[1]
    students = students_of(path)
    course.nbgrader("db", "assignment", "add", lesson)
    course.nbgrader("generate_assignment", lesson)
    released = json.loads((course.folder / "release" / lesson / f"{lesson}.ipynb").read_text())
    ours = sources(json.loads((conftest.ROOT / "notebooks" / f"{path}.ipynb").read_text()))
    del ours["review"]  # learners' notebooks end with the tutor's questions, assignments do not
    assert [s.rstrip() for s in sources(released).values()] == [s.rstrip() for s in ours.values()], "nbgrader's stubs are ours, and hidden tests gone"

    solved = handins.solutions(json.loads((course.folder / "source" / lesson / f"{lesson}.ipynb").read_text()))
    for name, s in students.items():
        course.submit(name, lesson, handins.hand_in(released, solved, s.answers, s.before))
    begin = time.monotonic()
    course.nbgrader("autograde", lesson, "--create")
    took = time.monotonic() - begin
    course.nbgrader("generate_feedback", lesson)
    feedback = {s: (course.folder / "feedback" / s / lesson / f"{lesson}.html").read_text() for s in students}

    scores = json.loads(course.run(str(VENV / "bin" / "python"), "-c", handins.SCORES, lesson))
    problems = []
    for name, s in students.items():
        if name in handins.ROUNDS.get(path, {}):
            if scores[name] != (want := handins.points(path, name)):
                problems.append(f"{name}: {scores[name]}, want {want}")
        else:
            problems += [f"{name}: {p}" for p in handins.wrong_points(path, s, scores[name])]
        said = handins.text_of(feedback[name])
        for part in s.said + [part for who, part in handins.SAID.get(lesson, {}).items() if who == name]:
            if part not in said:
                problems.append(f"{name}: the feedback does not say {part!r}")
    assert "PASS" in feedback["right"] and "CheckFailed" not in feedback["right"]
    record(lesson, took, scores, len(problems))
    assert not problems, "\n".join(problems)


def record(lesson: str, took: float, scores: dict, problems: int) -> None:
    """Writes a line of a table to the file that GOPHERWARP_GRADING_RECORD names."""
    if path := os.environ.get("GOPHERWARP_GRADING_RECORD"):
        points = ", ".join(f"{name} {sum(n for n, _ in s.values()):g}" for name, s in sorted(scores.items()))
        most = sum(most for _, most in next(iter(scores.values())).values())
        with pathlib.Path(path).open("a") as file:
            file.write(f"| {lesson} | {len(scores)} | {most:g} | {points} | {problems} | {took:.0f} s |\n")
