package foreign_test

import (
	"context"
	"errors"
	"fmt"
	"go/build/constraint"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
)

// corpusEnv selects the programs of the corpus that run: "all", or patterns such as "ken/*" separated by commas. By default
// every corpusStep-th one runs. dirEnv is their directory, for a toolchain without them, as those of the module proxy.
// timeEnv is the maximum time of a program, by default 2m.
const (
	corpusEnv  = "GOPHERWARP_CORPUS"
	dirEnv     = "GOPHERWARP_CORPUS_DIR"
	timeEnv    = "GOPHERWARP_PROGRAM_TIME"
	corpusStep = 23
)

// leftOut are programs of the corpus that differ in a notebook, and why.
var leftOut = map[string]string{
	"fixedbugs/issue19359.go":  returnsErrors,
	"fixedbugs/issue27695c.go": returnsErrors,

	"fixedbugs/issue17039.go":  keepsVariables + ", and Go compiles s = append(s, s) otherwise for those",
	"fixedbugs/issue27518b.go": keepsVariables + ", so nothing is finalised",
	"fixedbugs/issue32477.go":  keepsVariables + ", so nothing is finalised",
	"fixedbugs/issue46725.go":  keepsVariables + ", so nothing is finalised",
	"zerosize.go":              keepsVariables + ", and those without a size may have one address",
	"nilptr.go":                keepsVariables + " of a plugin, whose addresses are high",

	"devirtualization_nil_panics.go": looksForMain,
	"fixedbugs/issue17381.go":        looksForMain,
	"fixedbugs/issue21879.go":        looksForMain,
	"fixedbugs/issue7690.go":         looksForMain,

	"fixedbugs/bug369.go":        runsGo,
	"fixedbugs/issue10607.go":    runsGo,
	"fixedbugs/issue21317.go":    runsGo,
	"fixedbugs/issue9355.go":     runsGo,
	"fixedbugs/issue9862_run.go": runsGo,
	"linkmain_run.go":            runsGo,
	"linkobj.go":                 runsGo,
	"linkx_run.go":               runsGo,

	"fixedbugs/issue42032.go":  notInHeap,
	"fixedbugs/issue42076.go":  notInHeap,
	"fixedbugs/issue46903.go":  notInHeap,
	"fixedbugs/issue22662.go":  "has line directives of its own, which cells do not follow",
	"fixedbugs/issue24491a.go": "keeps a pointer alive as a uintptr in the call of a go statement, which is wrapped in cells",
	"fixedbugs/issue56990.go":  "ends the program by testing.Main",
	"fixedbugs/issue5963.go":   "calls runtime.Goexit in a func init",
	"heapsampling.go":          "counts samples, which goroutines of the session disturb",
}

const (
	returnsErrors  = "calls a func at top level that returns an error, which fails a cell"
	keepsVariables = "variables of main are variables of the session"
	looksForMain   = "looks for main.main in a stack trace"
	runsGo         = "runs the go command on files beside it"
	notInHeap      = "has variables of cgo.Incomplete, which can't be set to zero"
)

// TestCorpus runs programs of Go's own test directory as cells, split at every top-level declaration: see splitProgram. It
// runs those with only "// run" in their first line: a single file, no flags, no exit status. They must print the same as
// with go run: the content of the .out file, or nothing, which Go's own tests check. Most check themselves and panic.
func TestCorpus(t *testing.T) {
	dir := os.Getenv(dirEnv)
	if dir == "" {
		goroot, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(strings.TrimSpace(string(goroot)), "test")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: this installation of Go comes without its test folder, %s: set %s to that of another", dir, dirEnv)
	}
	all := corpus(t, dir)
	patterns := os.Getenv(corpusEnv)
	if patterns == "" && os.Getenv(allEnv) != "" {
		patterns = "all"
	}
	chosen := choose(all, patterns)
	t.Logf("%d of %d programs (%d left out)", len(chosen), len(all), len(leftOut))
	next := make(chan string)
	go func() {
		defer close(next)
		for _, name := range chosen {
			next <- name
		}
	}()
	for i := range runtime.NumCPU() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			n := newNotebook(t)
			for name := range next {
				path := filepath.Join(dir, name)
				want, err := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out")
				if errors.Is(err, fs.ErrNotExist) {
					err = nil
				}
				if err == nil {
					err = n.program(path, string(want))
				}
				if err == nil {
					continue
				}
				// Programs of another release may expect something else.
				if out, failed := exec.CommandContext(t.Context(), "go", "run", path).CombinedOutput(); failed != nil {
					t.Logf("%s fails as a program, too: %v\n%s", name, failed, out)
					continue
				}
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// corpus returns the programs that qualify.
func corpus(t *testing.T, dir string) []string {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.Contains(name, ".dir/") {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && fits(string(data)) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func fits(src string) bool {
	header, _, _ := strings.Cut(src, "\npackage ")
	for i, line := range strings.Split(header, "\n") {
		line = strings.TrimSpace(line)
		if i == 0 && line != "// run" {
			return false
		}
		if x, err := constraint.Parse(line); err == nil && !x.Eval(holds) {
			return false
		}
	}
	return true
}

// holds reports whether a build constraint's tag is satisfied here.
func holds(tag string) bool {
	return slices.Contains([]string{runtime.GOOS, runtime.GOARCH, "unix", "gc", "cgo"}, tag) || strings.HasPrefix(tag, "go1.")
}

func choose(all []string, patterns string) []string {
	var chosen []string
	for i, name := range all {
		wanted := patterns == "all" || patterns == "" && i%corpusStep == 0
		for p := range strings.SplitSeq(patterns, ",") {
			match, _ := filepath.Match(p, name)
			wanted = wanted || match
		}
		if wanted && leftOut[name] == "" {
			chosen = append(chosen, name)
		}
	}
	return chosen
}

// program runs a program as cells and compares what it prints.
func (n *notebook) program(path, want string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	cells, err := splitProgram(string(src))
	if err != nil {
		return err
	}
	limit := 2 * time.Minute
	if text := os.Getenv(timeEnv); text != "" {
		if limit, err = time.ParseDuration(text); err != nil {
			return fmt.Errorf("%s: %w", timeEnv, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := n.Reset(ctx, &recorder{}); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, n.Interrupt)()
	var stdout, stderr strings.Builder
	for i, text := range cells {
		r := &recorder{}
		// Some programs check their file's name in stack traces. The semicolon prevents that the value of the last
		// expression is displayed.
		err := n.Run(ctx, session.Source{Name: filepath.Base(path), Text: text + "\n;"}, r)
		stdout.WriteString(r.stdout.String())
		stderr.WriteString(r.stderr.String())
		if err != nil {
			return fmt.Errorf("cell %d of %d: %w\n%s", i+1, len(cells), err, excerpt(text))
		}
	}
	got := stdout.String() + stderr.String()
	same := got == want
	if stdout.Len() > 0 && stderr.Len() > 0 { // their order is unknown
		same = slices.Equal(sortedLines(got), sortedLines(want))
	}
	if !same {
		return differs(got, want)
	}
	return nil
}

// differs returns an error that shows the first difference of two texts.
func differs(got, want string) error {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Errorf("from line %d printed\n%s\nwant\n%s", i+1, excerpt(strings.Join(a[i:], "\n")), excerpt(strings.Join(b[i:], "\n")))
}

func sortedLines(s string) []string { return slices.Sorted(strings.Lines(s)) }

func excerpt(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2000 {
		s = s[:2000] + " …"
	}
	return s
}
