package logging

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		"wire":                         {Wire},
		" session, cells ,":            {Session, Cells},
		"session,cells,wire,device":    {Session, Cells, Wire, Device},
		"cells,cell":                   {Cells},
		"WIRE":                         nil,
		"session,nothing,device,other": {Session, Device},
	} {
		got, err := parse(text)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		for name := range strings.SplitSeq(text, ",") {
			name = strings.TrimSpace(name)
			if unknown := name != "" && !slices.Contains(topics, name); unknown && (err == nil || !strings.Contains(err.Error(), `"`+name+`": use some of session, cells, wire, device`)) {
				t.Errorf("%q: the error %v does not name %s and what is known", text, err, name)
			}
		}
	}
}

// TestFile makes two processes log to a file with a relative path.
func TestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(Env, "session")
	t.Setenv(FileEnv, "log")
	first, err := Open("first")
	if err != nil {
		t.Fatal(err)
	}
	name, path, _ := strings.Cut(first.Environ()[0], "=")
	if name != FileEnv || !filepath.IsAbs(path) {
		t.Fatalf("children get %s", first.Environ())
	}
	t.Setenv(name, path)
	second, err := Open("second")
	if err != nil {
		t.Fatal(err)
	}
	first.Of(Session).Info("one")
	first.Of(Cells).Info("nobody asked")
	second.Of(Session).Info("two", "n", 3)
	text, err := os.ReadFile("log")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], "msg=one process=first") || !strings.Contains(lines[1], "msg=two process=second") || !strings.Contains(lines[1], "topic=session n=3") {
		t.Errorf("%s", text)
	}
}

func TestBadFile(t *testing.T) {
	t.Setenv(Env, "wire")
	t.Setenv(FileEnv, filepath.Join(t.TempDir(), "none", "log"))
	if _, err := Open("kernel"); err == nil || !strings.Contains(err.Error(), FileEnv) {
		t.Errorf("%v", err)
	}
}

// TestOff logs nothing, and sets no variables for child processes.
func TestOff(t *testing.T) {
	t.Setenv(Env, "")
	l, err := Open("kernel")
	if err != nil || l.On(Wire) || l.Environ() != nil {
		t.Errorf("%v, %v", l, err)
	}
	if n := testing.AllocsPerRun(100, func() { l.Of(Wire) }); n > 1 {
		t.Errorf("%v allocations for a logger that is off", n)
	}
}
