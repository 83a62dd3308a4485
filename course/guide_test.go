package course

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/progress"
)

// twoLessons are lessons that both have an exercise "add" and a cell with the same text.
func twoLessons(t *testing.T) (*Guide, *progress.Store, []*Lesson) {
	t.Helper()
	body := "# One\n\n```go #device\n%gpu\n```\n\n```cuda #add exercise\n%%cuda\n// BEGIN SOLUTION\nx\n// END SOLUTION\n```\n\n" +
		"```go #check-add check for=add points=2\nverify.Equal(NAME)\n// BEGIN HIDDEN TESTS\nhidden()\n// END HIDDEN TESTS\n```\n\n" +
		"```hint #add\nFirst NAME.\n```\n```hint #add\nSecond NAME.\n```\n\n```question #q\n" + choice + "\n```\n```question #guess predict\n" + number + "\n```\n"
	fsys := fstest.MapFS{"order.txt": {Data: []byte("1-basics/two\n1-basics/one\n")}}
	for _, name := range []string{"one", "two"} {
		text := "---\ntitle: Lesson " + name + "\nmodule: 1\ntime: 5 min\nneeds: x\n---\n" + strings.ReplaceAll(body, "NAME", name)
		fsys["lessons/1-basics/"+name+"/lesson.md"] = &fstest.MapFile{Data: []byte(text)}
	}
	store := progress.Open(filepath.Join(t.TempDir(), "progress.jsonl"))
	lessons, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return NewGuide(func(seed string) ([]*Lesson, error) { return LoadVariant(fsys, seed) }, store), store, lessons
}

var begun = time.Unix(1000, 0)

func says(t *testing.T, text string, err error, parts ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func ran(t *testing.T, g *Guide, code, failure string) {
	t.Helper()
	if err := g.Ran(code, failure); err != nil {
		t.Fatal(err)
	}
}

func TestHint(t *testing.T) {
	g, _, _ := twoLessons(t)
	if _, err := g.Hint("add"); err == nil || !strings.Contains(err.Error(), "two/add or one/add") {
		t.Errorf("a name of two lessons: %v", err)
	}
	text, err := g.Hint("one/add")
	says(t, text, err, "Hint 1 of 2", "First one.")
	if strings.Contains(text, "Second") {
		t.Errorf("both hints at once:\n%s", text)
	}
	text, err = g.Hint("")
	says(t, text, err, "Run a cell of a lesson first")
	ran(t, g, "verify.Equal(two)\n", "wrong values")
	text, err = g.Hint("add")
	says(t, text, err, "First two.")
	text, err = g.Hint("add")
	says(t, text, err, "First two.", "Second two.")
	text, err = g.Hint("add")
	says(t, text, err, "Second two.", "These are all")
	text, err = g.Hint("")
	says(t, text, err, "`%hint add`: 2")
	for _, name := range []string{"sub", "three/add", "one/check-add"} {
		if _, err := g.Hint(name); err == nil {
			t.Errorf("a hint for %s", name)
		}
	}
}

func TestAnswer(t *testing.T) {
	g, store, _ := twoLessons(t)
	ran(t, g, "verify.Equal(one)", "")
	for _, c := range []struct{ args, want string }{
		{"q ?", "Not answered yet"},
		{"q", "Not answered yet"},
		{"q a", "✗ Not a – 3. Rounded down."},
		{"q b", "✓ Right: b – 4. Rounded up."},
		{"guess 7", "Recorded: 7. Now see"},
	} {
		text, err := g.Answer(c.args)
		says(t, text, err, c.want)
	}
	text, err := g.Answer("")
	says(t, text, err, "| ✓ | How many? | b – 4 | b – 4 | Rounded up. |", "| ✗ | How many? | 7 | 192 | It is more. |", "2 of 2 answered, 1 right")
	if _, err := g.Answer("q x"); err == nil {
		t.Error("x is an answer")
	}
	events, err := store.Events()
	if err != nil || len(events) != 5 {
		t.Errorf("%d events, %v, want the beginning, a check, and three answers", len(events), err)
	}
}

// TestRan checks which cells are recorded.
func TestRan(t *testing.T) {
	g, store, lessons := twoLessons(t)
	ran(t, g, "fmt.Println()", "")              // of no lesson
	ran(t, g, "%gpu", "")                       // of two
	ran(t, g, "verify.Equal(one)", "nothing")   // as it was handed out
	ran(t, g, "verify.Equal(one) // mine", "")  // changed
	ran(t, g, lessons[1].cell("q").Source, "?") // the solution
	s, err := Status(lessons, store)
	if err != nil {
		t.Fatal(err)
	}
	if s.Lessons[0].Path != "1-basics/two" || s.NextLesson != "1-basics/two" || !strings.Contains(s.Next, "begin") {
		t.Errorf("the first lesson is %s, and next is %s in %s", s.Lessons[0].Path, s.Next, s.NextLesson)
	}
	if c := s.Lessons[1].Checks[0]; c.Tries != 1 || c.Passed || c.Reason != "nothing" {
		t.Errorf("got %+v", c)
	}
	ran(t, g, "\n"+lessons[1].cell("check-add").Source+"\n", "")
	ran(t, g, "verify.Equal(two)", "")
	ran(t, g, "verify.Equal(two)", "broken again")
	text, err := g.Progress("")
	says(t, text, err, "**4 of 4 points.** All lessons are done.", "| done | Lesson two | 2 of 2 | 0 of 2, 0 right | 0 |")
	text, err = g.Progress("two")
	says(t, text, err, "**Lesson two: 2 of 2 points.**", "| ✓ | check-add | 2 of 2 | 2 |  |", "0 of 2 questions answered")
	if strings.Contains(text, "Lesson one") {
		t.Errorf("the progress in one lesson is\n%s", text)
	}
	if _, err = g.Progress("three"); err == nil || !strings.Contains(err.Error(), `"three" is no lesson`) {
		t.Errorf("the progress in a lesson that is not there: %v", err)
	}
	if s, err = Status(lessons, store); err != nil || s.Points != 4 || s.Lessons[0].Checks[0].Reason != "" {
		t.Errorf("got %+v, %v", s, err)
	}
	var table bytes.Buffer
	if err := s.CSV(&table); err != nil {
		t.Fatal(err)
	}
	if rows, err := csv.NewReader(&table).ReadAll(); err != nil || len(rows) != 3 || strings.Join(rows[1], ",") != "1-basics/two,check-add,2,2,2,true," {
		t.Errorf("got %q, %v", rows, err)
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		state LessonState
		want  string
	}{
		{"not begun", LessonState{Title: "T", Time: "5 min"}, "begin “T” (5 min)"},
		{"not tried", LessonState{Last: &begun, Checks: []CheckState{{Name: "a", Passed: true}, {Name: "b"}}}, "the exercise before the check b"},
		{"failed", LessonState{Last: &begun, Checks: []CheckState{{Name: "a", Tries: 2, Reason: "square: wrong values"}}}, "a failed last with “square: wrong values”"},
		{"questions", LessonState{Title: "T", Last: &begun, Questions: 2}, "answer the questions of “T”"},
	} {
		if got := next(c.state); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestSeeds(t *testing.T) {
	text, err := Template("1-mine/dot-product")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{"lessons/1-mine/dot-product/lesson.md": {Data: text}}
	g := NewGuide(func(seed string) ([]*Lesson, error) { return LoadVariant(fsys, seed) }, progress.Open(""))
	values := map[string]bool{}
	for _, seed := range []string{"ana", "bob", "cleo", "dora", "emil", "fay"} {
		said, err := g.Progress("--seed=" + seed)
		says(t, said, err, seed)
		values[g.lessons[0].Varies[0].Value] = true
		files, err := Build(g.lessons, Options{Seed: seed, Only: Students})
		if err != nil || !strings.Contains(string(files["1-mine/dot-product.ipynb"]), "%progress --seed="+seed) || len(files) != 5 {
			t.Errorf("%d files, %v, or the notebook does not say its seed", len(files), err)
		}
		ran(t, g, g.lessons[0].cell("check-scale").Source, "")
	}
	if len(values) < 2 {
		t.Errorf("six seeds give the values %v", values)
	}
	if problems, style := g.lessons[0].Lint(nil); len(problems) > 0 || len(style) != 4 {
		t.Errorf("the template has the problems %q and departs from the style by %q", problems, style)
	}
	for _, bad := range []string{"dot", "1-mine/Dot", "1-mine/../x", "/x", "1/2/3"} {
		if _, err := Template(bad); err == nil {
			t.Errorf("%s is a path", bad)
		}
	}
}
