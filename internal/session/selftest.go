package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Each toolchain that is built is tested before it compiles a learner's cells: the assumptions of this package about a
// release of Go may not hold for a patch of it, an experiment, or a distribution's version.

// selfTestFile is the file in the toolchain's directory that marks that it has passed.
const selfTestFile = "selftest"

// selfTestLimit is far above the time that the cells take on a busy machine.
const selfTestLimit = 5 * time.Minute

// selfTest are cells and their output or, if err is set, a part of their error. They depend on internals of Go: names and
// text in type descriptors, the list of types, interfaces of several plugins, maps, frames, and packages without code.
var selfTest = []struct{ cell, out, err string }{
	{"type point struct{ x, y int; Name string `json:\"name\"` }\nfunc (p *point) size() int { return p.x * p.y }\ntype sized interface{ size() int }\nvar named = map[string]*point{\"a\": {2, 3, \"first\"}}", "", ""},
	{"fmt.Printf(\"%+v %T %s\\n\", *named[\"a\"], named, must(json.Marshal(named[\"a\"])))", "{x:2 y:3 Name:first} map[string]*main.point {\"name\":\"first\"}\n", ""},
	{"var s any = named[\"a\"]\nfmt.Println(s.(sized).size(), s == any(named[\"a\"]))", "6 true\n", ""},
	{"import \"reflect\"\ntype zeta map[point][]point\nt := reflect.TypeOf(zeta{})\nfmt.Println(t, t.Key(), reflect.SliceOf(t.Key()) == t.Elem(), reflect.PointerTo(t.Key()) == reflect.TypeOf(s))", "main.zeta main.point true true\n", ""},
	{"func boom() { named[\"b\"].x++ }\nboom()", "", "nil pointer dereference"},
	{"import \"text/template\"\nvar b strings.Builder\nmust(template.New(\"\").Parse(\"{{.Name}}\")).Execute(&b, named[\"a\"])\nfmt.Println(b.String(), len(named))", "first 1\n", ""},
	{"done := make(chan int)\ngo func() { defer close(done); done <- named[\"a\"].size() }()\nfmt.Println(<-done)", "6\n", ""},
}

// tested returns when the toolchain passed the self-test, e.g. "go1.27.3 passed on 2026-11-22", or "".
func (t *Toolchain) tested() string {
	data, err := os.ReadFile(filepath.Join(t.dir, selfTestFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// test runs the self-test, unless the toolchain has passed it before.
func (t *Toolchain) test(ctx context.Context, progress func(string)) error {
	if t.tested() != "" {
		return nil
	}
	progress("Testing " + t.env.GOVERSION + " with a few cells")
	ctx, cancel := context.WithTimeout(ctx, selfTestLimit)
	defer cancel()
	if err := t.runSelfTest(ctx); err != nil {
		return fmt.Errorf("it fails the self-test: %w", err)
	}
	return writeFile(filepath.Join(t.dir, selfTestFile), []byte(t.env.GOVERSION+" passed on "+time.Now().Format(time.DateOnly)+"\n"))
}

func (t *Toolchain) runSelfTest(ctx context.Context) (err error) {
	if len(t.slimmed) == 0 {
		return errors.New("its packages have another format than is known of this release")
	}
	dir, err := os.MkdirTemp(t.config.Temp, "gopherwarp-test-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	config := t.config
	config.Dir, config.EnvIn = dir, nil
	s, err := newSession(config)
	if err != nil {
		return err
	}
	s.tools = t
	o := s.opening.Load()
	o.err = s.begin()
	close(o.done)
	defer func() {
		if closeErr := s.Close(); err == nil {
			err = closeErr
		}
	}()
	if o.err != nil {
		return o.err
	}
	s.noticed = true
	for i, step := range selfTest {
		var out printed
		err := s.Run(ctx, Source{Name: fmt.Sprintf("test[%d]", i+1), Text: step.cell}, &out)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && (step.err == "" || !strings.Contains(err.Error(), step.err)):
			return fmt.Errorf("cell %d of it failed: %w", i+1, err)
		case err == nil && (step.err != "" || out.text() != step.out):
			return fmt.Errorf("cell %d of it printed %q, not %q", i+1, out.text(), step.out)
		}
	}
	return nil
}

// printed is an Output that keeps printed text.
type printed struct {
	mu sync.Mutex
	b  strings.Builder
}

func (p *printed) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func (p *printed) Stream(_, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.b.WriteString(text)
}

func (*printed) Display(_, _ map[string]any, _ string)       {}
func (*printed) UpdateDisplay(_, _ map[string]any, _ string) {}
func (*printed) Result(_, _ map[string]any)                  {}
func (*printed) ClearOutput(bool)                            {}
func (*printed) Input(context.Context, string, bool) (string, error) {
	return "", errors.New("there is no front end")
}
