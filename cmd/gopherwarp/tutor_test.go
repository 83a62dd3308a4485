//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// TestTutorNew checks that each template is an item without problems but its placeholders, in a bank with a concept.
func TestTutorNew(t *testing.T) {
	for _, kind := range tutor.Types() {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"concepts.md":       "## guard: The guard\nmodule: 1\nperformance: a\ncompare: b\nsee: c\ninstead: d\nuse: e\n\nText.\n",
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
				if strings.HasPrefix(line, "FAILED") && !strings.Contains(line, "no answer is about") {
					t.Errorf("status %d: %s%s", status, line, err)
				}
			}
			if !strings.Contains(out, "short: guard: 1 items, want 4") {
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

// TestTutorLinks checks that the lessons and magics that the bank mentions exist.
func TestTutorLinks(t *testing.T) {
	bank, err := tutor.Load(tutor.Source())
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := course.Load(course.Source())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, l := range lessons {
		names[l.Name()] = true
	}
	magics, err := os.ReadFile("../../docs/magics.md")
	if err != nil {
		t.Fatal(err)
	}
	magic := regexp.MustCompile("`%{1,2}([a-z_]+)")
	for _, c := range bank.Concepts {
		if c.Lesson != "" && !names[c.Lesson] {
			t.Errorf("%s: there is no lesson %s", c.ID, c.Lesson)
		}
		for _, m := range regexp.MustCompile(`[Ll]esson ([a-z-]+)`).FindAllStringSubmatch(c.Steps.See, -1) {
			if !names[m[1]] {
				t.Errorf("%s: there is no lesson %s", c.ID, m[1])
			}
		}
		text := c.Definition + c.Steps.See + c.Steps.Performance + c.Steps.Compare + c.Steps.Instead
		for _, m := range magic.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(string(magics), "## `%"+m[1]+"`") && !strings.Contains(string(magics), "## `%%"+m[1]+"`") {
				t.Errorf("%s: there is no magic %s", c.ID, m[0])
			}
		}
	}
}
