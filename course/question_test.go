package course

import (
	"strings"
	"testing"
)

func question(t *testing.T, body string) (*Question, error) {
	t.Helper()
	l, err := lesson(t, head+"# A\n\n```question #q\n"+body+"\n```\n")
	if err != nil {
		return nil, err
	}
	return l.Questions()[0], nil
}

const (
	choice = "How many?\n- 3 => Rounded down.\n+ 4 => Rounded up.\n- 1000 => One for each."
	number = "How many?\n= 192 ± 1 => That is 3907 · 256 less a million.\n- 64 => That is the remainder."
	order  = "In which order?\n1. copy\n2. launch\n3. wait\n4. copy back\n=> The device comes between."
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name, question, answer string
		right                  bool
		why                    string
	}{
		{"the right option", choice, "b", true, "Rounded up."},
		{"a wrong one", choice, "a", false, "Rounded down."},
		{"the number", number, "192", true, "That is 3907"},
		{"within the tolerance", number, "191.5", true, ""},
		{"with a comma", number, "192,0", true, ""},
		{"a known mistake", number, "64", false, "the remainder"},
		{"too much", number, "500", false, "It is less."},
		{"too little", number, "-1e9", false, "It is more."},
		{"not a number in the sense of IEEE 754", number, "NaN", false, "It is more."},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := question(t, c.question)
			if err != nil {
				t.Fatal(err)
			}
			right, why, err := q.judge(c.answer)
			if err != nil || right != c.right || !strings.Contains(why, c.why) {
				t.Errorf("right %v, %q, %v, want %v, %q", right, why, err, c.right, c.why)
			}
		})
	}
}

func TestJudgeOrder(t *testing.T) {
	q, err := question(t, order)
	if err != nil {
		t.Fatal(err)
	}
	letters := strings.Fields(q.answer())
	if strings.Join(letters, " ") == "a b c d" {
		t.Error("the steps are displayed in the right order")
	}
	if right, why, err := q.judge(q.answer()); !right || err != nil || why != "The device comes between." {
		t.Errorf("the right order: %v, %q, %v", right, why, err)
	}
	last := strings.Join([]string{letters[0], letters[1], letters[3], letters[2]}, " ")
	if right, why, err := q.judge(last); right || err != nil || why != "After "+letters[1]+" does not come "+letters[3]+"." {
		t.Errorf("the last two exchanged: %v, %q, %v", right, why, err)
	}
	for _, bad := range []string{"", "a", "a b c c", "a b c e", "a b c d d", "abcd"} {
		if _, _, err := q.judge(bad); err == nil {
			t.Errorf("%q is an answer", bad)
		}
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for name, c := range map[string]struct{ question, answer string }{
		"another letter": {choice, "d"},
		"a capital":      {choice, "B"},
		"a word":         {choice, "four"},
		"no number":      {number, "many"},
	} {
		q, err := question(t, c.question)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := q.judge(c.answer); err == nil {
			t.Errorf("%s: %q is an answer", name, c.answer)
		}
	}
}

func TestParseQuestion(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"no text", "- a => x\n+ b", "asks nothing"},
		{"no right one", "Q?\n- a => x\n- b => y", "needs one right option"},
		{"two right ones", "Q?\n+ a\n+ b", "needs one right option"},
		{"no reason", "Q?\n- a\n+ b", `what is wrong with "a"`},
		{"no number", "Q?\n= many", "invalid syntax"},
		{"a mistake that is no number", "Q?\n= 1\n- few => why", "is no number"},
		{"two steps", "Q?\n1. a\n2. b", "at least three steps"},
		{"text after the options", "Q?\n- a => x\n+ b\nmore", "after the options"},
		{"nothing", "", "asks nothing"},
	} {
		if _, err := question(t, c.body); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	for name, source := range map[string]string{
		"name":      "```question #ä\n" + choice + "\n```\n",
		"attribute": "```question #q now\n" + choice + "\n```\n",
		"twice":     "```question #q\n" + choice + "\n```\n```question #q\n" + choice + "\n```\n",
		"of a cell": "```go #q\n1\n```\n```question #q\n" + choice + "\n```\n",
	} {
		if _, err := lesson(t, head+source); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestQuestionCells checks what learners, teachers and nbgrader get.
func TestQuestionCells(t *testing.T) {
	l, err := lesson(t, whole+"```question #q predict\n"+choice+"\n```\n```hint #add\nAdd one.\n```\n```hint #add\nTo x[0].\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Build([]*Lesson{l}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ with, without string }{
		"1-basics/one.ipynb":            {"%answer q ?", "%answer q b"},
		"solutions/1-basics/one.ipynb":  {"%answer q b", "%answer q ?"},
		"nbgrader/source/one/one.ipynb": {"%answer q ?", "%answer q b"},
	} {
		text := string(files[name])
		if !strings.Contains(text, c.with) || strings.Contains(text, c.without) {
			t.Errorf("%s has not %s, or has %s", name, c.with, c.without)
		}
		if strings.Contains(text, "Rounded up") || strings.Contains(text, "To x[0]") {
			t.Errorf("%s gives the answer or a hint away", name)
		}
		if !strings.Contains(text, "`%hint add`") || !strings.Contains(text, "the next of 2") || !strings.Contains(text, "## Your answers") {
			t.Errorf("%s does not say how to get hints, or does not end with the answers", name)
		}
	}
}

// TestWords checks an answer that a person grades.
func TestWords(t *testing.T) {
	l, err := lesson(t, whole+"```answer #why points=3\nThe model.\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Build([]*Lesson{l}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"1-basics/one.ipynb":            {WordsStub},
		"solutions/1-basics/one.ipynb":  {"The model."},
		"nbgrader/source/one/one.ipynb": {"The model.", `"grade_id": "why"`, `"points": 3`},
	} {
		for _, part := range want {
			if !strings.Contains(string(files[name]), part) {
				t.Errorf("%s has no %s", name, part)
			}
		}
	}
	if strings.Contains(string(files["1-basics/one.ipynb"]), "The model.") || l.Points() != 2 {
		t.Errorf("learners see the model, or checks give %d points", l.Points())
	}
	for _, bad := range []string{"answer #why", "answer #why points=2 exercise"} {
		if _, err := lesson(t, head+"```"+bad+"\nx\n```\n"); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestVary(t *testing.T) {
	const source = "---\ntitle: x\nmodule: 1\ntime: 1 min\nneeds: y\nvary: K = 2 3 5\nvary: W = 96 128\n---\n# {{K}} of {{W}}\n"
	seen := map[string]bool{}
	for i := range 200 {
		got, varies, err := vary(source, "a", strings.Repeat("s", i))
		if err != nil || len(varies) != 2 {
			t.Fatal(varies, err)
		}
		if again, _, _ := vary(source, "a", strings.Repeat("s", i)); again != got {
			t.Fatal("a seed gives two variants")
		}
		seen[got[strings.Index(got, "# "):]] = true
	}
	if len(seen) != 6 {
		t.Errorf("200 seeds give %d variants, want all 6", len(seen))
	}
	if got, _, err := vary(source, "a", ""); err != nil || !strings.Contains(got, "# 2 of 96") {
		t.Errorf("without a seed: %v\n%s", err, got)
	}
	for name, bad := range map[string]string{
		"name":      strings.Replace(source, "{{K}}", "{{X}}", 1),
		"no values": strings.Replace(source, "2 3 5", "", 1),
	} {
		if _, _, err := vary(bad, "a", ""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	const double = "---\n---\n{{1, 2}, {3, 4}} {{x}}"
	if got, _, err := vary(double, "a", "s"); err != nil || got != double {
		t.Errorf("braces of a lesson that does not vary: %v\n%s", err, got)
	}
}

// TestNamesOfQuestions checks that no two lessons have a question of the same name: %answer can't tell which one is meant until another cell
// of the lesson has run, and questions come first.
func TestNamesOfQuestions(t *testing.T) {
	lessons, err := Load(Source())
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{}
	for _, l := range lessons {
		for _, q := range l.Questions() {
			if other := first[q.ID]; other != "" {
				t.Errorf("%s and %s have the question %q", other, l.Path, q.ID)
			}
			first[q.ID] = l.Path
		}
	}
}
