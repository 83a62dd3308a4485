"""A round of nbgrader on a lesson: an assignment is generated, released, submitted, graded, and returned with feedback."""

import json
import os
import pathlib
import shutil
import subprocess

import conftest
import pytest

# The environment with nbgrader; "make test" makes it.
VENV = pathlib.Path(os.environ.get("NBGRADER_VENV", conftest.ROOT / ".venv" / "nbgrader"))
# The maximum time of a cell in seconds, after which the endless ones are stopped.
PATIENCE = 90

SQUARES_IN_GO = """func squares(x []float32) (result []float32, err error) {
	for _, v := range x {
		result = append(result, v*v)
	}
	return result, nil
}
"""

# By lesson and student: the answers, by the name of their cell, and the points of the checks. None is the solution, a pair a
# change to it, a text the whole answer. Cells that are not named stay as they were handed out.
ROUNDS = {
    "4-applications/monte-carlo": {
        "right": ({"draw": None, "call": None}, {"check-draw": 2, "check-call": 4}),
        "wrong": ({"draw": None, "call": ("fmaxf(end - k, 0)", "fmaxf(k - end, 0)")}, {"check-draw": 2, "check-call": 0}),
        "empty": ({}, {"check-draw": 0, "check-call": 0}),
        "broken": ({"draw": None, "call": ("float end =", "float end ==")}, {"check-draw": 2, "check-call": 0}),
    },
    "1-basics/first-kernel": {
        "right": ({"square": None, "squares": None}, {"check-square": 2, "check-squares": 1}),
        "wrong": ({"square": ("x[i] * x[i]", "x[i] + x[i]"), "squares": None}, {"check-square": 0, "check-squares": 0}),
        "blank": ({}, {"check-square": 0, "check-squares": 0}),
        "broken": ({"square": ("int i =", "int i ==")}, {"check-square": 0, "check-squares": 0}),
        "endless": ({"square": ("if (i < n)", "while (i < n)"), "squares": None}, {"check-square": 0, "check-squares": 0}),
        "one-thread": ({"square": ("if (i < n) {", "for (i = 0; i < n; i++) {"), "squares": None}, {"check-square": 0, "check-squares": 0}),
        "in-go": ({"square": None, "squares": SQUARES_IN_GO}, {"check-square": 2, "check-squares": 0}),
        "exits": (
            {"square": None, "squares": "func squares(x []float32) ([]float32, error) { os.Exit(0); return nil, nil }"},
            {"check-square": 2, "check-squares": 0},
        ),
        "shadows": (
            {"square": None, "squares": SQUARES_IN_GO + "type T struct{}\nfunc (T) Equal(...any) error { return nil }\nvar verify T"},
            {"check-square": 0, "check-squares": 0},
        ),
        "fakes-launch": (
            {
                "square": None,
                "squares": SQUARES_IN_GO
                + """square.Launch = func(_ gpu.Launch, x, out gpu.Ptr[float32], n int) error {
	return out.(*gpu.Buffer[float32]).CopyFrom(must(squares(x.(*gpu.Buffer[float32]).ToHost())))
};""",
            },
            {"check-square": 0, "check-squares": 0},
        ),
        "prints": (
            {"square": None, "squares": 'func squares(x []float32) ([]float32, error) { fmt.Println("✓ PASS squares"); return nil, nil }'},
            {"check-square": 2, "check-squares": 0},
        ),
        "package": (
            {
                "square": None,
                "squares": r"""!printf 'module cheat\n\ngo 1.26\n' > go.mod; mkdir -p verify
!printf 'package verify\nfunc Equal(...any) error { return nil }\n' > verify/verify.go
import "cheat/verify"
_ = verify.Equal
"""
                + SQUARES_IN_GO,
            },
            {"check-square": 0, "check-squares": 0},
        ),
        "redefines": ({"square": None, "squares": SQUARES_IN_GO + "gpu := 1\n_ = gpu"}, {"check-square": 0, "check-squares": 0}),
        "builtins": (
            {"square": None, "squares": SQUARES_IN_GO + "func float64(x float32) float32 { return 0 }"},
            {"check-square": 0, "check-squares": 0},
        ),
        "finalizes": (
            {
                "square": None,
                "squares": """func squares([]float32) ([]float32, error) {
	runtime.SetFinalizer(new([64]int), func(*[64]int) { os.Exit(0) })
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	return nil, nil
}""",
            },
            {"check-square": 2, "check-squares": 0},
        ),
        "links": (
            {
                "square": None,
                "squares": SQUARES_IN_GO
                + 'import _ "unsafe"\n\n//go:linkname prove github.com/gopherwarp/gopherwarp/verify.prove\nfunc prove(check string, programs []int)\n\nprove("squares", nil)',
            },
            {"check-square": 2, "check-squares": 0},
        ),
        "recovers": (
            {"square": None, "squares": "func squares(x []float32) (r []float32, err error) { defer func() { recover() }(); panic(0) }"},
            {"check-square": 2, "check-squares": 0},
        ),
    },
}
ALL = bool(os.environ.get("GOPHERWARP_GRADING"))
# The others have tests of their own in test/e2e; "make test-grading" submits them, too, which takes 20 minutes.
FEW = {"right", "broken", "in-go", "exits"}
LESSONS = ROUNDS if ALL else ["1-basics/first-kernel"]
MOST = {"check-draw": 2, "check-call": 4, "check-square": 2, "check-squares": 1}

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


def answer(solution: str, given) -> str:
    if given is None:
        return solution
    if isinstance(given, str):
        return given
    assert given[0] in solution
    return solution.replace(*given)


@pytest.mark.parametrize("path", LESSONS)
def test_round(course, path):
    lesson = path.split("/")[1]
    students = {name: s for name, s in ROUNDS[path].items() if ALL or name in FEW}
    course.nbgrader("db", "assignment", "add", lesson)
    course.nbgrader("generate_assignment", lesson)
    released = json.loads((course.folder / "release" / lesson / f"{lesson}.ipynb").read_text())
    ours = json.loads((conftest.ROOT / "notebooks" / f"{path}.ipynb").read_text())
    assert [s.rstrip() for s in sources(released).values()] == [s.rstrip() for s in sources(ours).values()], "nbgrader's stubs are ours, and hidden tests gone"

    solutions = {}
    for cell in json.loads((course.folder / "source" / lesson / f"{lesson}.ipynb").read_text())["cells"]:
        if grade_id := cell["metadata"].get("nbgrader", {}).get("grade_id"):
            solutions[grade_id] = "".join(cell["source"])
    for student, (answers, _) in students.items():
        notebook = json.loads(json.dumps(released))
        for cell in notebook["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id")
            if name in answers:
                cell["source"] = answer(solutions[name], answers[name])
        course.submit(student, lesson, notebook)

    course.nbgrader("autograde", lesson, "--create")
    scores = json.loads(course.run(str(VENV / "bin" / "python"), "-c", SCORES, lesson))
    got = {student: scores[student] for student in students}
    assert got == {student: {check: [n, MOST[check]] for check, n in points.items()} for student, (_, points) in students.items()}

    course.nbgrader("generate_feedback", lesson)
    feedback = {s: (course.folder / "feedback" / s / lesson / f"{lesson}.html").read_text() for s in students}
    assert "PASS" in feedback["right"] and "CheckFailed" not in feedback["right"]
    for student, part in SAID.get(lesson, {}).items():
        assert student not in students or part in feedback[student], student


# Parts of the feedback.
SAID = {
    "monte-carlo": {
        "wrong": "that is a put",
        "empty": "nothing is paid",
        "broken": "CompileError",
    },
    "first-kernel": {
        "wrong": "wrong values",
        "blank": "nothing was written",
        "endless": "the kernel does not end",
        "one-thread": "each thread does all the work",
        "in-go": "the result does not come from a kernel",
        "exits": "ended the cell before its checks were done",
        "shadows": "verify means something else",
        "fakes-launch": "the result does not come from a kernel",
    },
}
