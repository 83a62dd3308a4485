//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runCourse runs the command and returns its output.
func runCourse(t *testing.T, args ...string) (status int, said string) {
	t.Helper()
	var out bytes.Buffer
	status = (&app{}).main(t.Context(), append([]string{"course"}, args...), &out, &out)
	return status, out.String()
}

func TestCourseList(t *testing.T) {
	status, said := runCourse(t, "list")
	if status != 0 || !strings.Contains(said, "1-basics/first-kernel") || !strings.Contains(said, "45 min") {
		t.Errorf("status %d\n%s", status, said)
	}
}

func TestCourseBuild(t *testing.T) {
	dir := t.TempDir()
	coverage := filepath.Join(dir, "coverage.md")
	notebooks := filepath.Join(dir, "notebooks")
	build := func(more ...string) (int, string) {
		return runCourse(t, append([]string{"build", "--coverage", coverage, notebooks}, more...)...)
	}
	if status, said := build("--compare"); status != 1 || !strings.Contains(said, "run make notebooks") {
		t.Errorf("comparing with nothing: status %d\n%s", status, said)
	}
	if status, said := build(); status != 0 || !strings.Contains(said, "first-kernel.ipynb") {
		t.Fatalf("status %d\n%s", status, said)
	}
	if status, said := build("--compare"); status != 0 || said != "" {
		t.Errorf("comparing with what was built: status %d\n%s", status, said)
	}
	mine := filepath.Join(notebooks, "mine.ipynb")
	if err := os.WriteFile(mine, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, said := build(); status != 1 || !strings.Contains(said, mine) {
		t.Errorf("with a notebook of somebody's: status %d\n%s", status, said)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "{}" {
		t.Errorf("it is now %q, %v", text, err)
	}
}

func TestCourseCheckNames(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"check", "no-such-lesson"}, `there is no lesson "no-such-lesson"`},
		{[]string{"check", "--device", "gpu"}, "want auto, sim, sim:MODEL"},
		{[]string{"check", "--source", t.TempDir()}, "not the source of a course"},
	} {
		if status, said := runCourse(t, c.args...); status != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%v: status %d\n%s", c.args, status, said)
		}
	}
}
