package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository with a tag passes while its API is that of the tag, fails when a name changes, and passes when the changelog names it.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: -short: it fetches apidiff")
	}
	script, err := filepath.Abs("run.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	run := func() (string, bool) {
		out, err := exec.Command(script, dir).CombinedOutput()
		return string(out), err == nil
	}
	write("go.mod", "module example.org/shapes\n\ngo 1.26\n")
	write("gpu/area/area.go", "package area\n\nfunc Of(w, h int) int { return w * h }\n")
	write("internal/hidden/hidden.go", "package hidden\n\nfunc F() {}\n")
	write("kernel/kernel.go", "package kernel\n\nfunc G() {}\n")
	write("docs/CHANGELOG.md", "# Changes\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "first")
	if out, ok := run(); !ok || !strings.Contains(out, "no version is tagged yet") {
		t.Errorf("without a tag: %v\n%s", ok, out)
	}
	git("tag", "v0.1.0")
	for _, test := range []struct {
		what, source, hidden, kernel, log string
		ok                                bool
		want                              string
	}{
		{what: "nothing has changed", ok: true, want: "0 changes"},
		{what: "a changed function", source: "func Of(w, h float64) float64 { return w * h }", want: "Of: changed from"},
		{what: "one that the changelog names", source: "func Of(w, h float64) float64 { return w * h }", log: "* `area.Of` takes floats.\n", ok: true, want: "1 changes"},
		{what: "a new function", source: "func Of(w, h int) int { return w * h }\nfunc Round() {}", want: "Round: added"},
		{what: "a changelog that names another", source: "func Of(w, h int) int { return w * h }\nfunc Round() {}", log: "* Rounding.\n", want: "Round: added"},
		{what: "an internal package", hidden: "func F(n int) {}", ok: true, want: "0 changes"},
		{what: "a package that users do not import", kernel: "func G(n int) {}", ok: true, want: "0 changes"},
	} {
		t.Run(test.what, func(t *testing.T) {
			git("reset", "-q", "--hard")
			if test.source != "" {
				write("gpu/area/area.go", "package area\n\n"+test.source+"\n")
			}
			if test.hidden != "" {
				write("internal/hidden/hidden.go", "package hidden\n\n"+test.hidden+"\n")
			}
			if test.kernel != "" {
				write("kernel/kernel.go", "package kernel\n\n"+test.kernel+"\n")
			}
			write("docs/CHANGELOG.md", "# Changes\n"+test.log)
			if out, ok := run(); ok != test.ok || !strings.Contains(out, test.want) {
				t.Errorf("passed: %v, want %v with %q\n%s", ok, test.ok, test.want, out)
			}
		})
	}
}
