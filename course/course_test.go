package course

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestNotebooksAreBuilt compares the notebooks in the repository with those built
// from the sources.
func TestNotebooksAreBuilt(t *testing.T) {
	lessons, err := Load(Source())
	if err != nil {
		t.Fatal(err)
	}
	items, err := Inventory(Source())
	if err != nil {
		t.Fatal(err)
	}
	files, err := Build(lessons, Options{})
	if err != nil {
		t.Fatal(err)
	}
	built := map[string][]byte{"../docs/coverage.md": Coverage(items, lessons)}
	for name, data := range files {
		built["../notebooks/"+name] = data
	}
	pages := References()
	pages["lessons.md"] = Overview(lessons)
	for name, data := range pages {
		built["../docs/reference/"+name] = data
	}
	for name, want := range built {
		got, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Error(err)
		} else if string(got) != string(want) {
			t.Errorf("%s is not what its source gives: run make notebooks", name)
		}
	}
}

func TestLessonsLint(t *testing.T) {
	lessons, err := Load(Source())
	if err != nil {
		t.Fatal(err)
	}
	items, err := Inventory(Source())
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if References()[item.Page+".md"] == nil && item.Page != "" {
			t.Errorf("%s is on the page %s, which is not there", item.ID, item.Page)
		}
		if i := slices.IndexFunc(lessons, func(l *Lesson) bool { return slices.Contains(l.Covers, item.ID) }); i >= 0 && item.Dropped != "" {
			t.Errorf("%s is dropped, and %s covers it", item.ID, lessons[i].Path)
		}
	}
	asked := map[string]string{} // the lesson of a question: %answer finds it by its name alone
	for _, l := range lessons {
		for _, q := range l.Questions() {
			if other := asked[q.ID]; other != "" {
				t.Errorf("%s and %s have the question %q", other, l.Path, q.ID)
			}
			asked[q.ID] = l.Path
		}
		problems, style := l.Lint(items)
		for _, problem := range append(problems, style...) {
			t.Error(problem)
		}
		if len(l.Exercises()) == 0 {
			t.Errorf("%s has no exercise", l.Path)
		}
	}
}

const head = "---\ntitle: A lesson\nmodule: 1 Basics\ntime: 5 min\nneeds: nothing\ncovers: A1\nfiles: data.csv\n---\n"

// whole is a lesson in which Lint finds nothing.
var whole = head + `# A lesson

**Aim.** To show. **You need** nothing. **Time.** None. ![Nothing, x[2] left out.](nothing.svg)

` + "```sh\n# no heading\n```" + `

## Predict

` + "```cuda #add exercise\n%%cuda\n__global__ void add(int *x) {\n    // BEGIN SOLUTION\n    if (true)\n        x[0]++;\n    // END SOLUTION\n}\n```" + `

` + wrongOnes + `
` + "```go #check-add check for=add points=2\nverify.Equal(1, 1)\n// BEGIN HIDDEN TESTS\nsecret()\n// END HIDDEN TESTS\n```" + `

## Remember

All.
`

const stop = "```stop\nHalf is done.\n```\n\n## Predict"

var wrongOnes = firstWrong + strings.Repeat("```wrong #add: again\nrefused: differs\n+     x[0] += 3;\n```\n", minWrong-4) +
	"```right #add: one more\non a GPU: too slow\n- x[0]++;\n+ x[0]++; // right\n```\n" +
	strings.Repeat("```right #add: in one line\n+     if (true) x[0]++;\n```\n", minRight-1)

const firstWrong = "```wrong #add: nothing\nrefused: differs\n- x[0]++;\n```\n" +
	"```wrong #add: two\nrefused: differs\n- x[0]++;\n+ x[0] += 2;\n+ x[0] += 0;\n```\n" +
	"```wrong #add: another\nrefused: differs\non a GPU: nothing\n-     if (true)\n-         x[0]++;\n+     x[1]++;\n```\n" +
	"```wrong #add: both\nrefused: other\n- if (true)\n+ if (false)\n- x[0]++;\n+ x[0]--;\n```\n"

func lesson(t *testing.T, source string) (*Lesson, error) {
	t.Helper()
	list, err := Load(fstest.MapFS{
		"lessons/1-basics/one/lesson.md":    {Data: []byte(source)},
		"lessons/1-basics/one/nothing.svg":  {Data: []byte("<svg/>")},
		"lessons/1-basics/one/data.csv":     {Data: []byte("1,2")},
		"lessons/1-basics/one/nothing.png":  {Data: []byte("PNG")},
		"lessons/1-basics/one/pictures.sum": {Data: []byte("d4dc56669143034f31aa309635d4113d9ad76a02b1739da22c965ed2049be9e6  nothing.svg\n")},
	})
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

func TestParse(t *testing.T) {
	l, err := lesson(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range l.Cells {
		ids = append(ids, c.ID)
	}
	if got, want := strings.Join(ids, " "), "text-a-lesson text-predict add check-add text-remember"; got != want {
		t.Errorf("cells %s, want %s", got, want)
	}
	for _, c := range []struct{ name, source, want string }{
		{"no head", "# A", "lesson.md:1: a source begins with"},
		{"unknown field", "---\nauthor: me\n---\n", `lesson.md:2: there is no field "author"`},
		{"no end of the head", "---\ntitle: x", "lesson.md:1: the fields do not end"},
		{"no end of a fence", head + "```go #a\n1\n", "lesson.md:9: the fence has no end"},
		{"language", head + "```python #a\n1\n```\n", `in go or cuda, not in "python"`},
		{"name", head + "```go #ä\n1\n```\n", "other characters"},
		{"twice", head + "```go #a\n1\n```\n```go #a\n1\n```\n", "lesson.md:12: there is another cell #a"},
		{"attribute", head + "```go #a exercize\n1\n```\n", `"exercize" means nothing`},
		{"points", head + "```go #a points=x\n1\n```\n", "points=x is no number"},
		{"no name of a wrong answer", head + "```wrong #add\n- 1\n```\n", "write: wrong #exercise"},
		{"no reason", head + "```wrong #add: x\n- 1\n```\n", "needs a line refused:"},
		{"an empty stop", head + "```stop\n```\n", "what has been done, and what comes"},
		{"two stops", head + "```stop\na\n```\n```stop\nb\n```\n", "there is another cell #text-stop"},
		{"no change", head + "```wrong #add: x\nrefused: y\n```\n", "lines with - and +"},
		{"a right answer that is refused", head + "```right #add: x\nrefused: y\n- 1\n```\n", "a right answer is not refused"},
		{"a line without a sign", head + "```wrong #add: x\nrefused: y\n- 1\n2\n```\n", `lesson.md:12: "2"`},
		{"no picture", head + "![A](gone.svg)\n", "gone.svg"},
		{"no file", strings.Replace(head, "data.csv", "gone.csv", 1), "gone.csv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := lesson(t, c.source); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestCellsOfText checks where a cell of text ends.
func TestCellsOfText(t *testing.T) {
	l, err := lesson(t, head+"# A\n\nOne.\n\n<details>\n\nTwo.\n\n</details>\n\nThree.\n\n```stop\nHalf is done.\n```\n\nFour.\n")
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, c := range l.Cells {
		cells = append(cells, c.ID+": "+c.Source)
	}
	want := []string{
		"text-a: # A\n\nOne.\n\n<details>\n\nTwo.\n\n</details>", "after-text-a: Three.",
		"text-stop: ## A good place to stop\n\nHalf is done.\n\n" + comeBack, "so-far: %progress one", "after-so-far: Four.",
	}
	if !slices.Equal(cells, want) {
		t.Errorf("got %q, want %q", cells, want)
	}
}

func TestWrongAnswers(t *testing.T) {
	l, err := lesson(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"    if (true)\n    // END",
		"    if (true)\n        x[0] += 2;\n        x[0] += 0;\n    // END",
		"SOLUTION\n    x[1]++;\n    // END",
		"    if (false)\n        x[0]--;\n    // END",
		"SOLUTION\n    x[0] += 3;\n    // END",
	}
	for i, w := range l.Wrong[:len(want)] {
		got, err := w.apply(l.cell("add").Source)
		if err != nil || !strings.Contains(got, want[i]) {
			t.Errorf("%s: %v\n%s\nwithout\n%s", w.Name, err, got, want[i])
		}
	}
}

func TestLint(t *testing.T) {
	items := []Item{{ID: "A1", Text: "something"}}
	for _, c := range []struct{ name, old, new, want string }{
		{"whole", "", "", ""},
		{"field", "time: 5 min\n", "", "the field time is missing"},
		{"inventory", "covers: A1", "covers: A1 A99", "covers A99"},
		{"section", "## Remember", "## Forget", "there is no ## Remember"},
		{"no picture", "![Nothing, x[2] left out.](nothing.svg)", "", "there is no picture"},
		{"region", "    // END SOLUTION\n", "", "BEGIN SOLUTION without END SOLUTION"},
		{"no region", "    // BEGIN SOLUTION\n    if (true)\n        x[0]++;\n    // END SOLUTION\n", "    if (true)\n        x[0]++;\n", "an exercise has a region"},
		{"magic", "#add exercise\n%%cuda", "#add exercise\n//%%cuda", "begins with %%cuda"},
		{"no check", "check for=add points=2\nverify.Equal(1, 1)\n// BEGIN HIDDEN TESTS\nsecret()\n// END HIDDEN TESTS", "\n1", "no check is for this exercise"},
		{"check of nothing", "for=add", "for=sub", "it is for #sub, which is no exercise"},
		{"points", " points=2", "", "a check needs for= and points="},
		{"all hidden", "verify.Equal(1, 1)\n", "", "a learner sees an empty cell"},
		{"a check by a function of another cell", "verify.Equal(1, 1)\n", "check(1)\n", "a check must name package verify"},
		{"long line", "secret()", "secret(" + strings.Repeat("1, ", 40) + ")", "of which JupyterLab shows"},
		{"wide table", "All.", "| a | b |\n|---|---|\n| `" + strings.Repeat("x", 60) + "` | " + strings.Repeat("y", 50) + " |", "a table that needs 116 characters"},
		{"long text in a table", "All.", "| a | b |\n|---|---|\n| " + strings.Repeat("word ", 60) + " | b |", ""},
		{"too few wrong answers", "```wrong #add: nothing\nrefused: differs\n- x[0]++;\n```\n", "", "11 wrong answers, want at least 12"},
		{"too few right answers", "```right #add: one more\non a GPU: too slow\n- x[0]++;\n+ x[0]++; // right\n```\n", "", "2 right answers beside the solution, want at least 3"},
		{"points for speed", "verify.Equal(1, 1)\n", "verify.Speed(1)\n", "the clock gives no points"},
		{"wrong answer of nothing", "wrong #add: nothing", "wrong #sub: nothing", "an answer to #sub"},
		{"wrong answer of another text", "- if (true)\n+", "- if (1)\n+", `"if (1)" is not in the solution`},
		{"too long for a sitting", "5 min", "110 min", "nobody should sit longer than 105 min"},
		{"a time in words", "5 min", "an hour", `the field time is "an hour": write 75 min`},
		{"two times without a stop", "5 min", "5 + 5 min", `the lesson has 0 places to stop`},
		{"a stop without two times", "## Predict", stop, `the lesson has 1 places to stop`},
		{"a wrong time after the stop", "5 min\nneeds: nothing\ncovers: A1\nfiles: data.csv\n---\n# A lesson", "0 + 50 min\nneeds: nothing\ncovers: A1\nfiles: data.csv\n---\n" + stop, "says 50 min of"},
		{"wrong answer of two places", "        x[0]++;\n    // END", "        x[0]++;\n        x[0]++;\n    // END", "more than once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(whole, c.old) {
				t.Fatalf("the lesson has no %q", c.old)
			}
			l, err := lesson(t, strings.Replace(whole, c.old, c.new, 1))
			if err != nil {
				t.Fatal(err)
			}
			problems, style := l.Lint(items)
			found := strings.Join(append(problems, style...), "\n")
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("got\n%s\nwant %q", found, c.want)
			}
		})
	}
	l, err := lesson(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	l.pictures["nothing.svg"].svg = []byte("<svg></svg>")
	if problems, _ := l.Lint(items); !strings.Contains(strings.Join(problems, "\n"), "nothing.png was not made of this nothing.svg") {
		t.Errorf("a picture that is older than its drawing: %s", problems)
	}
}

// TestBuild checks the differences of the three notebooks.
func TestBuild(t *testing.T) {
	l, err := lesson(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Build([]*Lesson{l}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		with, without []string
	}{
		{"1-basics/one.ipynb", []string{Stub, "verify.Equal", "attachment:nothing.png", `"image/png"`}, []string{"x[0]++", "secret", "wrong", "nbgrader", "SOLUTION"}},
		{"solutions/1-basics/one.ipynb", []string{"x[0]++", "secret", "%%cuda"}, []string{Stub, "nbgrader"}},
		{"nbgrader/source/one/one.ipynb", []string{"x[0]++", "secret", `"grade_id": "check-add"`, `"points": 2`, `"language": "go"`}, []string{Stub}},
		{"nbgrader/nbgrader_config.py", []string{`"go": "` + Stub + `"`}, nil},
		{"1-basics/data.csv", []string{"1,2"}, nil},
		{"solutions/1-basics/data.csv", []string{"1,2"}, nil},
		{"nbgrader/source/one/data.csv", []string{"1,2"}, nil},
		{"README.md", []string{"[A lesson](1-basics/one.ipynb)"}, nil},
	} {
		text := string(files[c.name])
		for _, part := range c.with {
			if !strings.Contains(text, part) {
				t.Errorf("%s has no %q:\n%s", c.name, part, text)
			}
		}
		for _, part := range c.without {
			if strings.Contains(text, part) {
				t.Errorf("%s has %q", c.name, part)
			}
		}
	}
	overview := string(Overview([]*Lesson{l}))
	for _, part := range []string{"1 lessons of 0.1 hours in all, with 1 exercises of 2 lines and 2 points", "| A lesson | add | 2 | `check-add` 2 | 0 |  |"} {
		if !strings.Contains(overview, part) {
			t.Errorf("no %q in\n%s", part, overview)
		}
	}
	page := string(Coverage([]Item{{ID: "A1", Text: "some|thing"}, {ID: "A2", Text: "else"}, {ID: "A3", Text: "history", Dropped: "nothing to do"}}, []*Lesson{l}))
	for _, part := range []string{"1 of 3 items are covered, 1 are dropped", "1 are to come", `| A1 | some\|thing | [A lesson](../notebooks/1-basics/one.ipynb) |  |`, "| A2 | else | to come |  |", "| A3 | history | dropped | nothing to do |"} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in\n%s", part, page)
		}
	}
}

// script is a kernel that answers each cell according to its code.
type script func(code string) (status, kind, message string)

func (s script) Execute(_ context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error) {
	status, kind, message := s(q.Code)
	return kernel.ExecuteReply{Status: status, Name: kind, Value: message}, nil
}

// TestCheck checks that Check finds each kind of problem.
func TestCheck(t *testing.T) {
	l, err := lesson(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	good := func(answer string) (string, string, string) {
		switch {
		case strings.Contains(answer, "true") && strings.Contains(answer, "x[0]++"):
			return "ok", "", ""
		case strings.Contains(answer, "this does not compile"):
			return "error", "CheckFailed", "not graded here"
		case strings.Contains(answer, "x[0]--"):
			return "error", "CheckFailed", "another reason"
		}
		return "error", "CheckFailed", "it differs"
	}
	for _, c := range []struct {
		name   string
		checks func(answer string) (status, kind, message string)
		want   string
	}{
		{"as it should be", good, ""},
		{"the solution fails", func(string) (string, string, string) { return "error", "CheckFailed", "it differs" }, "cell #check-add fails"},
		{"all passes", func(string) (string, string, string) { return "ok", "", "" }, "#check-add gives 2 points to #add without a solution"},
		{"the version before is checked", func(answer string) (string, string, string) {
			if strings.Contains(answer, "this does not compile") {
				return "ok", "", ""
			}
			return good(answer)
		}, "#check-add gives 2 points to #add with text that does not compile"},
		{"a right answer is refused", func(answer string) (string, string, string) {
			if strings.Contains(answer, "// right") {
				return "error", "CheckFailed", "it differs"
			}
			return good(answer)
		}, `the right answer "one more" fails`},
		{"a wrong answer passes", func(answer string) (string, string, string) {
			if strings.Contains(answer, "x[1]++") {
				return "ok", "", ""
			}
			return good(answer)
		}, `the wrong answer "another" passes all checks`},
		{"for another reason", func(answer string) (string, string, string) {
			if strings.Contains(answer, "x[0] += 2") {
				return "error", "CheckFailed", "not your day"
			}
			return good(answer)
		}, `the wrong answer "two" is refused without saying "differs"`},
		{"unsolved it ends in a panic", func(answer string) (string, string, string) {
			if strings.Contains(answer, Stub) {
				return "error", "GoPanic", "index out of range"
			}
			return good(answer)
		}, "is not refused by a check"},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := ""
			k := script(func(code string) (string, string, string) {
				switch {
				case strings.HasPrefix(code, "%%cuda"):
					if last = code; strings.Contains(code, "this does not compile") {
						return "error", "CompileError", "syntax"
					}
				case strings.Contains(code, "verify"):
					return c.checks(last)
				}
				return "ok", "", ""
			})
			r, err := Check(t.Context(), k, l, time.Minute, nil)
			if err != nil {
				t.Fatal(err)
			}
			found := strings.Join(r.Problems, "\n")
			if c.want == "" && (found != "" || r.Refused != 2+minWrong || r.Passed != minRight || r.Cells != 2) || !strings.Contains(found, c.want) {
				t.Errorf("%d cells, %d refused\n%s\nwant %q", r.Cells, r.Refused, found, c.want)
			}
		})
	}
}
