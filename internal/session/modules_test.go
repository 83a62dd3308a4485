package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/internal/modproxy"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// moduleWorld is a proxy, a module cache and a directory for notebooks.
type moduleWorld struct {
	t              *testing.T
	proxy, folder  string
	env            []string
	cacheOfModules string
}

func newModuleWorld(t *testing.T, modules ...modproxy.Module) *moduleWorld {
	t.Helper()
	w := &moduleWorld{t: t, proxy: t.TempDir(), folder: t.TempDir(), cacheOfModules: t.TempDir()}
	if err := modproxy.Write(w.proxy, modules...); err != nil {
		t.Fatal(err)
	}
	w.env = modproxy.Env(w.proxy, w.cacheOfModules)
	return w
}

// file writes a file in the directory of the notebooks.
func (w *moduleWorld) file(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// notebook opens a session in a subdirectory of that directory.
func (w *moduleWorld) notebook(sub string, env ...string) *notebook {
	w.t.Helper()
	dir := filepath.Join(w.folder, sub)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.t.Fatal(err)
	}
	needSession(w.t)
	s, err := session.New(session.Config{Cache: cacheDir(), Sources: gopherwarp.Sources, Dir: dir, Env: append(w.env, env...)})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			w.t.Error(err)
		}
	})
	return &notebook{t: w.t, Session: s}
}

// gives checks the result of a cell.
func (n *notebook) gives(cell, want string) *recorder {
	n.t.Helper()
	r, err := n.cell(cell)
	if err != nil {
		n.t.Fatalf("%s\nfailed: %v", cell, err)
	}
	if got := r.result(); got != want {
		n.t.Errorf("%s\nresult %q, want %q", cell, got, want)
	}
	return r
}

// fails checks the error of a cell.
func (n *notebook) fails(cell string, want ...string) {
	n.t.Helper()
	_, err := n.cell(cell)
	if err == nil {
		n.t.Fatalf("%s\ndid not fail, want %q", cell, want)
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			n.t.Errorf("%s\nerror %q, want %q in it", cell, err, w)
		}
	}
}

// pins returns the session's go.mod.
func (n *notebook) pins() string {
	n.t.Helper()
	data, err := os.ReadFile(filepath.Join(n.ModuleDir(), "go.mod"))
	if err != nil {
		n.t.Fatal(err)
	}
	return string(data)
}

func (n *notebook) get(queries ...string) (string, error) {
	r := &recorder{}
	err := n.Get(context.Background(), queries, r)
	return r.stdout.String(), err
}

func word(version, value string) modproxy.Module {
	return modproxy.Module{Path: "example.test/word", Version: version, Files: map[string]string{
		"word.go": "package word\n\nimport \"strings\"\n\nvar Count int\n\nfunc Say() string { Count++; return strings.ToUpper(\"" + value + "\") }\n",
	}}
}

// phrase returns a module that imports some version of word.
func phrase(version, needs string) modproxy.Module {
	return modproxy.Module{Path: "example.test/phrase", Version: version, Files: map[string]string{
		"long/long.go": "package long\n",
		"go.mod":       "module example.test/phrase\n\ngo 1.26\n\nrequire example.test/word " + needs + "\n",
		"phrase.go":    "package phrase\n\nimport \"example.test/word\"\n\nfunc Say() string { return \"it is \" + word.Say() }\n",
	}}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t, word("v1.0.0", "one"), word("v1.1.0", "two"), phrase("v0.1.0", "v1.0.0"))
	n := w.notebook("")
	r := n.gives("import \"example.test/word\"\nword.Say()", "\"TWO\"")
	for _, want := range []string{"Fetching example.test/word …\n", "  downloading example.test/word v1.1.0\n", "%get example.test/word@v1.1.0"} {
		if !strings.Contains(r.stdout.String(), want) {
			t.Errorf("printed %q, want %q in it", r.stdout.String(), want)
		}
	}
	// All cells and other modules share one package.
	n.gives("word.Say()\nword.Count", "2")
	n.gives("import \"example.test/phrase\"\nphrase.Say()", `"it is TWO"`)
	n.gives("word.Count", "3")

	pins := n.pins()
	n.fails("import \"example.test/wrod\"\nwrod.Say()", "fetch example.test/wrod", "example.test/wrod")
	n.fails("import \"example.test/word/inner\"", "does not contain package", "has no such package")
	n.fails("import \"example.test/phrase/lnog\"", "has no such package. Did you mean example.test/phrase/long?")
	n.fails("import \"encoding/jsno\"", "encoding/jsno is not in the standard library", "Did you mean encoding/json?")
	if n.pins() != pins {
		t.Errorf("go.mod was\n%s\nand is\n%s", pins, n.pins())
	}

	other := w.notebook("")
	if err := other.SetFetching(false); err != nil {
		t.Fatal(err)
	}
	other.fails("import \"example.test/phrase\"", "%get example.test/phrase")
	// The proxy is not needed for modules that were downloaded before.
	offline := w.notebook("", "GOPROXY=off")
	if _, err := offline.get("example.test/word@v1.1.0"); err != nil {
		t.Error(err)
	}
	offline.gives("import \"example.test/word\"\nword.Say()", "\"TWO\"")
	if _, err := offline.get("example.test/word@v1.0.0"); err == nil || !strings.Contains(err.Error(), "GOPROXY=off leaves only modules that were downloaded before") {
		t.Errorf("error %v", err)
	}
}

func TestPin(t *testing.T) {
	t.Parallel()
	w := newModuleWorld(t, word("v1.0.0", "one"), word("v1.1.0", "two"), word("v1.2.0", "three"), phrase("v0.1.0", "v1.0.0"), phrase("v0.2.0", "v1.2.0"))
	n := w.notebook("")
	if said, err := n.get("example.test/word@v1.0.0"); err != nil || !strings.HasSuffix(said, "example.test/word v1.0.0\n") {
		t.Errorf("said %q, error %v", said, err)
	}
	// A cell that does not compile loads no package, so the version may still change.
	n.fails("import \"example.test/word\"\nword.Speak()", "undefined: word.Speak")
	if said, err := n.get("example.test/word@v1.1.0"); err != nil || !strings.HasSuffix(said, "example.test/word v1.1.0\n") {
		t.Errorf("said %q, error %v", said, err)
	}
	n.gives("import \"example.test/word\"\nword.Say()", "\"TWO\"")

	// After the package is loaded it may not.
	if _, err := n.get("example.test/word@v1.0.0"); err == nil ||
		!strings.Contains(err.Error(), "%get example.test/word@v1.0.0 needs example.test/word v1.0.0, but v1.1.0 is loaded") || !strings.Contains(err.Error(), "%reset") {
		t.Errorf("error %v", err)
	}
	n.gives("word.Say()", "\"TWO\"")
	// Nor for another module.
	n.fails("import \"example.test/phrase\"", "fetching example.test/phrase needs example.test/word v1.2.0, but v1.1.0 is loaded")
	if strings.Contains(n.pins(), "phrase") {
		t.Errorf("go.mod is\n%s", n.pins())
	}
	// The pin is kept for the next process.
	if err := n.Reset(context.Background(), &recorder{}); err != nil {
		t.Fatal(err)
	}
	n.gives("import \"example.test/word\"\nword.Say()", "\"ONE\"")
	if err := n.Reset(context.Background(), &recorder{}); err != nil {
		t.Fatal(err)
	}
	n.gives("import \"example.test/phrase\"\nphrase.Say()", `"it is THREE"`)

	if said, err := n.get("example.test/word@none"); err == nil || !strings.Contains(err.Error(), "loaded") {
		t.Errorf("said %q, error %v", said, err)
	}
	if _, err := n.get("example.test/word@v9.9.9"); err == nil || !strings.Contains(err.Error(), "latest takes the newest") {
		t.Errorf("error %v", err)
	}
}
