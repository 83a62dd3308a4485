//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/course"
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
	if status != 0 || !strings.Contains(said, "1-basics/first-kernel") || !strings.Contains(said, "50 min") {
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
		{[]string{"check", "--every", "0"}, "--every is 0; it must be 1 or more"},
	} {
		if status, said := runCourse(t, c.args...); status != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%v: status %d\n%s", c.args, status, said)
		}
	}
}

// Of a sample, each exercise still has wrong answers.
func TestSampledAnswers(t *testing.T) {
	lessons, err := course.Load(courseSource(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		few := sampled(l, 3)
		count := map[string]int{}
		for _, a := range few.Wrong {
			count[a.Exercise]++
		}
		for _, a := range l.Wrong {
			if count[a.Exercise] < 3 {
				t.Errorf("%s: %d wrong answers to %s", l.Path, count[a.Exercise], a.Exercise)
			}
		}
		if got, all := len(few.Wrong), len(l.Wrong); got != (all+2)/3 {
			t.Errorf("%s: %d of %d wrong answers", l.Path, got, all)
		}
	}
}

func TestCourseNew(t *testing.T) {
	dir := t.TempDir()
	if status, said := runCourse(t, "new", "1-mine/dot", "--source", dir); status != 0 || !strings.Contains(said, "lesson.md") {
		t.Fatalf("status %d\n%s", status, said)
	}
	if status, said := runCourse(t, "new", "1-mine/dot", "--source", dir); status != 1 || !strings.Contains(said, "take another name") {
		t.Errorf("again: status %d\n%s", status, said)
	}
	if status, said := runCourse(t, "list", "--source", dir); status != 0 || !strings.Contains(said, "1-mine/dot") {
		t.Errorf("list: status %d\n%s", status, said)
	}
	if status, said := runCourse(t, "check", "--source", dir, "--strict"); status != 1 || !strings.Contains(said, "there is no picture") || strings.Contains(said, "warning") {
		t.Errorf("strict: status %d\n%s", status, said)
	}
	built := filepath.Join(dir, "built")
	if status, said := runCourse(t, "build", "--source", dir, "--only", "students", "--seed", "ana", built); status != 0 || strings.Contains(said, "solutions") {
		t.Errorf("build for students: status %d\n%s", status, said)
	}
	if status, said := runCourse(t, "build", "--source", dir, "--only", "nobody", built); status != 1 || !strings.Contains(said, "for students and for instructors") {
		t.Errorf("build for nobody: status %d\n%s", status, said)
	}
}

func TestCourseStatus(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress.jsonl")
	t.Setenv("GOPHERWARP_PROGRESS", file)
	event := `{"time":"2026-11-25T10:00:00Z","lesson":"1-basics/start-here","kind":"check","name":"check-combine","right":true,"points":2,"of":2}` + "\n"
	if err := os.WriteFile(file, []byte("damaged\n"+event), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 0, "Next: begin “Why GPUs, and when not”"},
		{[]string{"--format", "json"}, 0, `"next_lesson": "1-basics/why-gpus"`},
		{[]string{"--format", "csv"}, 0, "1-basics/start-here,check-combine,2,2,1,true,\n"},
		{[]string{"--format", "xml"}, 1, "write text, json or csv"},
	} {
		if status, said := runCourse(t, append([]string{"status"}, c.args...)...); status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("%v: status %d, want %d and %q\n%s", c.args, status, c.status, c.want, said)
		}
	}
}

// TestCourseVerify signs a hand-in that cannot be read, which needs no kernel, and changes the report.
func TestCourseVerify(t *testing.T) {
	dir := t.TempDir()
	handIn := filepath.Join(dir, "ana", "first-kernel", "first-kernel.ipynb")
	if err := os.MkdirAll(filepath.Dir(handIn), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(handIn, []byte("no notebook"), 0o644); err != nil {
		t.Fatal(err)
	}
	key, report := filepath.Join(dir, "key"), filepath.Join(dir, "report.json")
	var texts []string
	for range 2 { // the second time with the key of the first
		var out, progress bytes.Buffer
		if status := (&app{}).main(t.Context(), []string{"course", "grade", "--sign", key, handIn}, &out, &progress); status != 0 {
			t.Fatalf("status %d\n%s", status, progress.String())
		}
		texts = append(texts, out.String())
	}
	publicKey := func(text string) string {
		return text[strings.Index(text, `"public_key"`):strings.Index(text, `"signature"`)]
	}
	if publicKey(texts[0]) != publicKey(texts[1]) {
		t.Error("a second report has another key")
	}
	for _, c := range []struct {
		name, old, new string
		status         int
		want           string
	}{
		{"as it was signed", "", "", 0, "ana, 1-basics/first-kernel: 0 of 3 points"},
		{"other points", `"points": 0`, `"points": 3`, 1, "it was changed"},
		{"a field that is not signed", `"student": "ana"`, `"student": "ana", "grade": "A"`, 1, "unknown field"},
	} {
		if err := os.WriteFile(report, []byte(strings.Replace(texts[0], c.old, c.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, said := runCourse(t, "verify", report); status != c.status || !strings.Contains(said, c.want) {
			t.Errorf("%s: status %d\n%s", c.name, status, said)
		}
	}
	if status, said := runCourse(t, "verify", "--by", "another", report); status != 1 || !strings.Contains(said, "unknown field") && !strings.Contains(said, "not with another") {
		t.Errorf("by another key: status %d\n%s", status, said)
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the private key: %v, %v", info, err)
	}
}
