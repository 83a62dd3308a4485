//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/internal/progress"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// TestTutorNew checks that each template is an item without problems but its placeholders, in a bank with a concept.
func TestTutorNew(t *testing.T) {
	for _, kind := range tutor.Types() {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"concepts.md":       "## guard: The guard\nmodule: 1\nperformance: a\ncompare: b\nsee: `%prof STATEMENT`\ninstead: d\nuse: e\n\nText.\n",
				"misconceptions.md": "name-of-the-misconception: a\nfloor-div: b\nguard-automatic: c\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			item := filepath.Join(dir, "items", "mine")
			if status, out, err := runTutor(t, "new", "--type", kind, "--concept", "guard", item); status != 0 || !strings.Contains(out, "Fill it in") {
				t.Fatalf("status %d, %s%s", status, out, err)
			}
			if status, _, err := runTutor(t, "new", item); status != 1 || !strings.Contains(err, "exists") {
				t.Errorf("a second time: status %d, %s", status, err)
			}
			status, out, err := runTutor(t, "check", "--lint", "--source", dir)
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, "FAILED") && !strings.Contains(line, "no answer is about") && !strings.Contains(line, "items, want 4") {
					t.Errorf("status %d: %s%s", status, line, err)
				}
			}
			if !strings.Contains(out, "FAILED: guard: 1 items, want 4") {
				t.Errorf("the report is\n%s", out)
			}
		})
	}
}

func runTutor(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = (&app{}).main(context.Background(), append([]string{"tutor"}, args...), &out, &err)
	return status, out.String(), err.String()
}

// TestAddedQuestions adds a question to those of this program.
func TestAddedQuestions(t *testing.T) {
	source, err := tutor.Load(tutor.Source())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	item := filepath.Join(dir, "items", "my-question")
	if status, _, err := runTutor(t, "new", "--type", "numeric", "--concept", "guard", item); status != 0 {
		t.Fatal(err)
	}
	if status, out, err := runTutor(t, "check", "--source", dir); status != 0 || !strings.Contains(out, fmt.Sprintf("%d questions", len(source.Items)+1)) {
		t.Errorf("status %d, %s%s", status, out, err)
	}
	bank, own, err := loadBank(dir)
	if err != nil || bank.Item("my-question") == nil || bank.Item("guard-1-numeric") == nil || !slices.Equal(own, []string{"my-question"}) {
		t.Errorf("%v, %v", own, err)
	}
	if err := os.Rename(item, filepath.Join(dir, "items", "guard-1-numeric")); err != nil {
		t.Fatal(err)
	}
	if status, _, err := runTutor(t, "check", "--source", dir); status != 1 || !strings.Contains(err, "there is another question guard-1-numeric") {
		t.Errorf("status %d, %s", status, err)
	}
	if _, _, err := loadBank(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no items/*/item.md") {
		t.Errorf("of an empty directory: %v", err)
	}
}

// TestTutorLinks checks that lessons and magics that exist are no problems, and others are.
func TestTutorLinks(t *testing.T) {
	bank, err := tutor.Load(tutor.Source())
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := course.Load(course.Source())
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range deadLinks(bank, lessons) {
		t.Error(problem)
	}
	for _, l := range lessons {
		if !slices.ContainsFunc(bank.Concepts, func(c *tutor.Concept) bool { return slices.Contains(c.Lessons, l.Name()) }) {
			t.Errorf("no concept is taught in lesson %s", l.Name())
		}
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, file := range append(pages, guide...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		titles = append(titles, strings.TrimPrefix(title, "# "))
	}
	for _, c := range bank.Concepts {
		for _, m := range regexp.MustCompile(`'s page "([^"]+)"`).FindAllStringSubmatch(c.Steps.See, -1) {
			if !slices.Contains(titles, m[1]) {
				t.Errorf("%s: the documentation has no page %q", c.ID, m[1])
			}
		}
	}
	c := bank.Concepts[0]
	c.Lessons = []string{"no-lesson"}
	c.Steps.See = "Lesson first-kernel, section \"No section\"; lessons warps and none; `%nothing`, `%%cuda --check`."
	got := strings.Join(deadLinks(bank, lessons), "\n")
	for _, want := range []string{"no lesson no-lesson", `lesson first-kernel has no section "No section"`, "no lesson none", "no magic `%nothing`"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 4 {
		t.Errorf("%d problems:\n%s", n, got)
	}
}

// TestExercises reads the misses of a learner's progress in the course.
func TestExercises(t *testing.T) {
	p := progress.Open("")
	e := exercises{p}
	if err := p.Add(
		progress.Event{Lesson: "1-basics/first-kernel", Kind: progress.Begin},
		progress.Event{Lesson: "1-basics/first-kernel", Kind: progress.Check, Name: "check-add", Right: true},
		progress.Event{Lesson: "1-basics/first-kernel", Kind: progress.Check, Name: "check-square", Text: "square: written past the end"},
		progress.Event{Lesson: "1-basics/first-kernel", Kind: progress.Answer, Name: "q", Text: "B"},
	); err != nil {
		t.Fatal(err)
	}
	want := tutor.Miss{Lesson: "first-kernel", Reason: "square: written past the end"}
	for seen, n := range map[int]int{0: 1, 2: 1, 3: 0, 4: 0, 99: 1} {
		missed, events, err := e.Missed(seen)
		if err != nil || events != 4 || len(missed) != n || n == 1 && missed[0] != want {
			t.Errorf("after %d events %v of %d, %v", seen, missed, events, err)
		}
	}
}
