"""Answers that students hand in to the lessons, the points that they should get, and what their feedback should say."""

import json

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
    "1-basics/start-here": {
        "right": ({"combine": None}, {"check-combine": 2}),
        "wrong": ({"combine": ("- y[i]", "+ y[i]")}, {"check-combine": 0}),
        "blank": ({}, {"check-combine": 0}),
        "broken": ({"combine": ("int i =", "int i ==")}, {"check-combine": 0}),
        "endless": ({"combine": ("if (i < n)", "while (i < n)")}, {"check-combine": 0}),
    },
    "1-basics/histogram": {
        "right": ({"count": None, "private": None}, {"check-count": 2, "check-private": 3, "check-private-cost": 1}),
        "wrong": (
            {"count": ("atomicAdd(&bins[text[i]], 1u);", "bins[text[i]]++;"), "private": ("    mine[threadIdx.x] = 0;\n", "")},
            {"check-count": 0, "check-private": 0, "check-private-cost": 0},
        ),
        "blank": ({}, {"check-count": 0, "check-private": 0, "check-private-cost": 0}),
        "broken": ({"count": None, "private": ("int threads =", "int threads ==")}, {"check-count": 2, "check-private": 0, "check-private-cost": 0}),
    },
    "3-kernels/three-ways": {
        "right": ({"smooth": None}, {"check-smooth": 3, "check-smooth-run": 1}),
        "wrong": ({"smooth": ("gpu.SyncThreads()", "")}, {"check-smooth": 0, "check-smooth-run": 0}),
        "empty": ({}, {"check-smooth": 0, "check-smooth-run": 0}),
        "broken": ({"smooth": ("gpu.SyncThreads()", "gpu.SyncThread()")}, {"check-smooth": 0, "check-smooth-run": 0}),
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
# The points of each check.
MOST = {"check-draw": 2, "check-call": 4, "check-square": 2, "check-squares": 1, "check-smooth": 3, "check-smooth-run": 1, "check-combine": 2, "check-count": 2, "check-private": 3, "check-private-cost": 1}

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
    "monte-carlo": {
        "wrong": "that is a put",
        "empty": "nothing is paid",
        "broken": "CompileError",
    },
    "start-here": {
        "wrong": "wrong values",
        "blank": "nothing was written",
        "endless": "the kernel does not end",
    },
    "histogram": {
        "wrong": "threads race",
        "broken": "CompileError",
    },
    "three-ways": {
        "wrong": "threads race",
        "empty": "nothing was written",
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


def hand_in(released: dict, solved: dict[str, str], answers: dict) -> dict:
    """Returns a released notebook with answers of ROUNDS in their cells."""
    notebook = json.loads(json.dumps(released))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell["source"] = answer(solved[name], answers[name])
    return notebook


def points(path: str, student: str) -> dict[str, list[float]]:
    """Returns the points that a student should get for the lesson at that path, each with its maximum."""
    return {check: [n, MOST[check]] for check, n in ROUNDS[path][student][1].items()}
