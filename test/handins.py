"""Answers that students hand in to the lessons, the points that they should get, and what their feedback should say."""

import dataclasses
import html
import json
import pathlib
import re

LESSONS = pathlib.Path(__file__).resolve().parent.parent / "course" / "lessons"

SQUARES_IN_GO = """func squares(x []float32) (result []float32, err error) {
	for _, v := range x {
		result = append(result, v*v)
	}
	return result, nil
}
"""

# By lesson and student: the answers, by the name of their cell, and the points of the checks. None is the solution, a pair a
# change to it, a text the whole answer. Cells that are not named stay as they were handed out. These are the students of one
# lesson only; round_of has those of all.
ROUNDS = {
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
# Prints the points of an assignment in the gradebook of the working directory, by student and check: each with its maximum.
SCORES = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    scores = {}
    for s in book.assignment_submissions(sys.argv[1]):
        scores[s.student.id] = {g.name: [g.score, g.max_score] for n in s.notebooks for g in n.grades}
json.dump(scores, sys.stdout)
"""

# Parts of the feedback.
SAID = {
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


# Exercises that launch the kernel of another one: they fail with it, and for its reason.
DEPENDS = {"squares": "square", "simulate": "heat"}

# In a cell of its own before all others, it replaces the checks by a function that finds nothing.
SHADOWS = "type T struct{}\nfunc (T) Equal(...any) error { return nil }\nfunc (T) Run(...any) error { return nil }\nvar verify T"


@dataclasses.dataclass
class Exercise:
    """An exercise of a lesson."""

    name: str
    language: str
    # The checks with their points.
    checks: dict[str, int]
    # The first wrong answer of the lesson that ends, and a part of the message that refuses it.
    wrong: str
    refused: str


def changed(solution: str, diff: str) -> str:
    """Returns a solution, changed by the lines of a wrong answer that begin with - and +."""
    if not re.search("^-", diff, re.M):
        whole = "\n".join(line[2:] for line in diff.split("\n"))
        return re.sub(r"(BEGIN SOLUTION\n).*(\n[^\n]*END SOLUTION)", lambda m: m[1] + whole + m[2], solution, flags=re.S)
    lines = solution.split("\n")
    for hunk in re.findall(r"(?:^-.*\n?)+(?:^\+.*\n?)*", diff, re.M):
        old = [line[2:].strip() for line in hunk.splitlines() if line[0] == "-"]
        new = [line[2:] for line in hunk.splitlines() if line[0] == "+"]
        at = [i for i in range(len(lines)) if [line.strip() for line in lines[i : i + len(old)]] == old]
        assert len(at) == 1, f"{old} is in the solution {len(at)} times"
        lines[at[0] : at[0] + len(old)] = new
    return "\n".join(lines)


def source_of(path: str) -> str:
    """Returns the source of a lesson, with the first value of each constant that varies between students."""
    text = (LESSONS / path / "lesson.md").read_text()
    for name, value in re.findall(r"^vary: (\w+) = (\S+)", text, re.M):
        text = text.replace("{{" + name + "}}", value)
    return text


def exercises(path: str) -> list[Exercise]:
    """Returns the exercises of a lesson, from its source."""
    text = source_of(path)
    found = []
    for language, name, solution in re.findall(r"^```(\w+) #(\S+) exercise[^\n]*\n(.*?)^```$", text, re.M | re.S):
        checks = re.findall(rf"^```go #(\S+) check for=(?:\S+,)?{re.escape(name)}(?:,\S+)? points=(\d+)$", text, re.M)
        wrong = re.findall(rf"^```wrong #{re.escape(name)}: [^\n]*\nrefused: ([^\n]*)\n(?:on a GPU: [^\n]*\n)?(.*?)\n```$", text, re.M | re.S)
        refused, diff = next((refused, diff) for refused, diff in wrong if "does not end" not in refused)
        found.append(Exercise(name, language, {check: int(n) for check, n in checks}, changed(solution.strip("\n"), diff), refused))
    return found


def in_words(path: str) -> dict[str, int]:
    """Returns the answers in words that a person grades, with their points."""
    text = source_of(path)
    return {name: int(n) for name, n in re.findall(r"^```answer #(\S+) points=(\d+)$", text, re.M)}


@dataclasses.dataclass
class HandIn:
    """What a student hands in."""

    # The answers, by the name of their cell: changes to the solution. Cells that are not named stay as they were handed out.
    answers: dict
    # The exercises whose checks give all points. Each of the others loses some; with nothing, each loses all.
    right: list[str]
    nothing: bool = True
    # Parts of the feedback, and a cell before all others.
    said: list[str] = dataclasses.field(default_factory=list)
    before: str = ""


# A loop without end, by the language of the exercise.
ENDLESS = {"cuda": "for (volatile int forever = 1; forever;) {}\n", "go": "for forever := true; forever; {\n}\n"}


def round_of(path: str) -> dict[str, HandIn]:
    """Returns by student what is handed in to a lesson: right, wrong in all exercises, blank, not compiling, endless, cheating."""
    tasks = exercises(path)
    names = [e.name for e in tasks]
    students = {
        "right": HandIn({n: None for n in names}, names),
        "wrong": HandIn({e.name: e.wrong for e in tasks}, [], nothing=False, said=[e.refused for e in tasks if e.name not in DEPENDS]),
        "blank": HandIn({}, []),
        "broken": HandIn({n: ("BEGIN SOLUTION\n", "BEGIN SOLUTION\nthis does not compile\n") for n in names}, [], said=["CompileError"]),
        "cheat": HandIn({}, [], said=["verify means something else"], before=SHADOWS),
    }
    language, endless = next(((e.language, e.name) for e in reversed(tasks) if e.language in ENDLESS), (None, None))
    if endless:
        students["endless"] = HandIn(
            {n: None for n in names} | {endless: ("BEGIN SOLUTION\n", "BEGIN SOLUTION\n" + ENDLESS[language])},
            [n for n in names if endless not in (n, DEPENDS.get(n))],
        )
    return students


def wrong_points(path: str, student: HandIn, scores: dict[str, list[float]]) -> list[str]:
    """Returns a line for each check that has other points than the hand-in of a student should get."""
    problems = []
    expected = dict(in_words(path))
    for e in exercises(path):
        expected |= e.checks
        got = sum(scores.get(check, [0])[0] for check in e.checks)
        most = sum(e.checks.values())
        if e.name in student.right and got != most:
            problems.append(f"{e.name}: {got} of {most} points for the solution")
        elif e.name not in student.right and (got >= most or student.nothing and got):
            problems.append(f"{e.name}: {got} of {most} points")
    if {check: s[1] for check, s in scores.items() if s[1]} != expected:  # checks of speed give no points
        problems.append(f"the gradebook has {scores}, want the maxima {expected}")
    problems += [f"{name}: {scores[name][0]} points, but nobody has graded it" for name in in_words(path) if scores.get(name, [0])[0]]
    return problems


def text_of(feedback: str) -> str:
    """Returns the text of a page of feedback, with single spaces between words."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", feedback)).split())


def answer(solution: str, given) -> str:
    """Returns the text of a cell for an answer of ROUNDS."""
    if given is None:
        return solution
    if isinstance(given, str):
        return given
    assert given[0] in solution
    return solution.replace(*given)


def solutions(source: dict) -> dict[str, str]:
    """Returns the solutions in the source of an assignment, by the name of their cell."""
    cells = ((cell["metadata"].get("nbgrader", {}).get("grade_id"), "".join(cell["source"])) for cell in source["cells"])
    return {name: text for name, text in cells if name}


def hand_in(released: dict, solved: dict[str, str], answers: dict, before: str = "") -> dict:
    """Returns a released notebook with answers in their cells, and a cell before all others if there is a text for it."""
    notebook = json.loads(json.dumps(released))
    if before:
        cell = {"cell_type": "code", "id": "before", "metadata": {}, "source": before, "outputs": [], "execution_count": None}
        notebook["cells"].insert(0, cell)
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answer(solved[name], answers[name])
    return notebook


def points(path: str, student: str) -> dict[str, list[float]]:
    """Returns the points that a student of ROUNDS should get for the lesson at that path, each with its maximum."""
    most = {check: n for e in exercises(path) for check, n in e.checks.items()}
    return {check: [n, most[check]] for check, n in ROUNDS[path][student][1].items()}
