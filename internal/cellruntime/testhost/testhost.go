package testhost

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/inside"
)

// Extension returns the session program's extension for tests.
func Extension() extension.Extension {
	var r runner
	return extension.Extension{Start: func() { cell.Put(prochost.TestKey, r.run) }}
}

// A runner holds the flags of package testing, which can be registered only once.
type runner struct {
	flags *flag.FlagSet

	mu     sync.Mutex
	ran    bool
	failed []string
}

func (r *runner) run(functions []any, args []string) error {
	// Package testing uses the program's flags, which are the user's.
	users := flag.CommandLine
	defer func() { flag.CommandLine = users }()
	if r.flags == nil {
		r.flags = flag.NewFlagSet("%test", flag.ContinueOnError)
		r.flags.SetOutput(io.Discard)
		flag.CommandLine = r.flags
		testing.Init()
	}
	flag.CommandLine = r.flags
	if err := r.parse(args); err != nil {
		return err
	}
	var tests []testing.InternalTest
	var benchmarks []testing.InternalBenchmark
	var fuzz []testing.InternalFuzzTarget
	var examples []testing.InternalExample
	for pair := range slices.Chunk(functions, 2) {
		name, _ := pair[0].(string)
		switch f := pair[1].(type) {
		case func(*testing.T):
			tests = append(tests, testing.InternalTest{Name: name, F: guarded(r, name, f)})
		case func(*testing.B):
			benchmarks = append(benchmarks, testing.InternalBenchmark{Name: name, F: r.guardedBenchmark(name, f)})
		case func(*testing.F):
			fuzz = append(fuzz, testing.InternalFuzzTarget{Name: name, Fn: guarded(r, name, f)})
		case testing.InternalExample:
			example := f.F
			f.F = func() { r.note(); example() }
			examples = append(examples, f)
		}
	}
	inside.SetTestCPUs(runtime.GOMAXPROCS(0))
	r.ran, r.failed = false, nil
	given := len(functions) / 2
	tests = slices.DeleteFunc(tests, func(t testing.InternalTest) bool { return !r.fits(t.Name) })
	fuzz = slices.DeleteFunc(fuzz, func(f testing.InternalFuzzTarget) bool { return !r.fits(f.Name) })
	ok := len(tests) == 0 || testing.RunTests(regexp.MatchString, tests)
	cell.Poll() // an interrupt ends the cell, not only the test
	if len(fuzz) > 0 {
		ok = inside.RunSeeds(fuzz) && ok
	}
	for _, e := range examples {
		if !testing.RunExamples(regexp.MatchString, []testing.InternalExample{e}) {
			ok = false
			r.fail(e.Name)
		}
	}
	if r.flags.Lookup("test.bench").Value.String() == "" && given == len(benchmarks) {
		_ = r.flags.Set("test.bench", ".") // which is a regular expression
	}
	measures := r.flags.Lookup("test.bench").Value.String() != ""
	if ok && measures {
		testing.RunBenchmarks(regexp.MatchString, benchmarks)
	}
	switch {
	case !ok || len(r.failed) > 0:
		return failure(strings.Join(r.failed, ", ") + " failed")
	case !r.ran && !measures && given > len(benchmarks):
		return errors.New("no test has a name that fits")
	}
	fmt.Println("PASS")
	return nil
}

// parse sets the flags of package testing, whose prefix "test." is optional.
func (r *runner) parse(args []string) error {
	r.flags.VisitAll(func(f *flag.Flag) { _ = f.Value.Set(f.DefValue) })
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "" }) // as in GoNB's %test ""
	full := make([]string, len(args))
	for i, arg := range args {
		name := strings.TrimLeft(arg, "-")
		base, _, _ := strings.Cut(name, "=")
		if name != arg && r.flags.Lookup("test."+base) != nil {
			arg = "-test." + name
		}
		full[i] = arg
	}
	if err := r.flags.Parse(full); err != nil {
		return usage(err.Error())
	}
	if r.flags.NArg() > 0 {
		return usage(fmt.Sprintf("%q is not a flag", r.flags.Arg(0)))
	}
	return nil
}

// fits reports whether -run matches a test. An invalid pattern is left to package testing.
func (r *runner) fits(name string) bool {
	pattern, _, _ := strings.Cut(r.flags.Lookup("test.run").Value.String(), "/")
	ok, err := regexp.MatchString(pattern, name)
	return ok || err != nil
}

// note records that a test or benchmark ran.
func (r *runner) note() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ran = true
}

// guarded returns a test, or fuzz test, that fails where f would end the process: on a panic, and
// when an interrupt ends its goroutine.
func guarded[T testing.TB](r *runner, name string, f func(T)) func(T) {
	return func(t T) {
		r.note()
		t.Cleanup(func() {
			if t.Failed() {
				r.fail(name)
			}
		})
		inside.SurviveSubtests(t)
		defer recoverInto(t)
		f(t)
	}
}

func (r *runner) guardedBenchmark(name string, f func(*testing.B)) func(*testing.B) {
	return func(b *testing.B) {
		defer func() {
			if b.Failed() {
				r.fail(name)
			}
		}()
		defer recoverInto(b)
		f(b)
	}
}

func (r *runner) fail(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, name)
}

// recoverInto is deferred in a test.
func recoverInto(t testing.TB) {
	if v := recover(); v != nil {
		fmt.Fprintf(t.Output(), "panic: %v%s\n", v, stack()) // without a position in this file before it
		t.FailNow()
	} else if m := cell.Current(); m != nil && m.Stopped() {
		t.Fatal("interrupted") // makes package testing expect that the goroutine exits
	}
}

// stack returns the calls in cells that led to a panic.
func stack() string {
	var b strings.Builder
	for frames, more := runtime.CallersFrames(cell.Callers(2)), true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.File, "cell[") {
			fmt.Fprintf(&b, "\n%s:%d in %s", f.File, f.Line, funcname.Written(f.Function))
		}
	}
	return b.String()
}

// failure is the error with the names of the failed tests.
type failure string

func (f failure) Error() string   { return string(f) }
func (failure) ErrorKind() string { return "TestsFailed" }

// usage is an error in the arguments.
type usage string

func (u usage) Error() string {
	return strings.ReplaceAll(string(u), "-test.", "-") + ". Usage: %test [-run REGEXP] [-bench REGEXP] [-v=false] [FLAGS OF go test]"
}
func (usage) ErrorKind() string { return "UsageError" }
