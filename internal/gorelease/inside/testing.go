package inside

import (
	"errors"
	"io"
	"reflect"
	"regexp"
	"testing"
	"time"
	"unsafe" // for go:linkname, too
)

// cpuList is the value of -test.cpu.
//
//go:linkname cpuList testing.cpuList
var cpuList []int

// SetTestCPUs sets the numbers of processors that tests run with. Package testing sets them when it runs a whole test
// program, and runs no tests without them.
func SetTestCPUs(n ...int) { cpuList = n }

// runFuzzTests runs fuzz tests as "go test" does (testing/fuzz.go).
//
//go:linkname runFuzzTests testing.runFuzzTests
func runFuzzTests(deps dependencies, targets []testing.InternalFuzzTarget, deadline time.Time) (ran, ok bool)

// RunSeeds runs fuzz tests with the values of f.Add, and reports whether all passed. Package testing does that only as part of a whole
// test program, which also prints and sets other things.
func RunSeeds(targets []testing.InternalFuzzTarget) (ok bool) {
	_, ok = runFuzzTests(seedsOnly{}, targets, time.Time{})
	return ok
}

// SurviveSubtests makes a panic or an interrupt in a subtest of t fail the subtest. Package testing
// does that only while it fuzzes, and ends the process otherwise. The user's code passes the
// function of a subtest directly to package testing, so it cannot be wrapped like that of a
// test.
func SurviveSubtests(t testing.TB) {
	state := reflect.ValueOf(t).Elem().FieldByName("tstate") // of testing.T and testing.F
	if !state.IsValid() || state.Kind() != reflect.Pointer || state.IsNil() {
		return
	}
	if fuzzing := state.Elem().FieldByName("isFuzzing"); fuzzing.IsValid() && fuzzing.Kind() == reflect.Bool {
		*(*bool)(unsafe.Pointer(fuzzing.UnsafeAddr())) = true
	}
}

// dependencies is testing.testDeps: what package testing requires of the test program. Methods are ordered by name
// in memory, so this is the same as its unexported interface.
type dependencies interface {
	ImportPath() string
	ModulePath() string
	MatchString(pat, str string) (bool, error)
	SetPanicOnExit0(bool)
	StartCPUProfile(io.Writer) error
	StopCPUProfile()
	StartTestLog(io.Writer)
	StopTestLog() error
	WriteProfileTo(string, io.Writer, int) error
	CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string) error
	RunFuzzWorker(func(corpusEntry) error) error
	ReadCorpus(string, []reflect.Type) ([]corpusEntry, error)
	CheckCorpus([]any, []reflect.Type) error
	ResetCoverage()
	SnapshotCoverage()
	InitRuntimeCoverage() (mode string, tearDown func(coverprofile string, gocoverdir string) (string, error), snapcov func() float64)
}

type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// seedsOnly runs the values of f.Add, and nothing else.
type seedsOnly struct{}

var errSeedsOnly = errors.New("only the seeds of a fuzz test run here; fuzzing needs a separate test program")

func (seedsOnly) ImportPath() string { return "main" }
func (seedsOnly) ModulePath() string { return "main" }
func (seedsOnly) MatchString(pattern, text string) (bool, error) {
	return regexp.MatchString(pattern, text)
}
func (seedsOnly) SetPanicOnExit0(bool)                                     {}
func (seedsOnly) StartCPUProfile(io.Writer) error                          { return errSeedsOnly }
func (seedsOnly) StopCPUProfile()                                          {}
func (seedsOnly) StartTestLog(io.Writer)                                   {}
func (seedsOnly) StopTestLog() error                                       { return nil }
func (seedsOnly) WriteProfileTo(string, io.Writer, int) error              { return errSeedsOnly }
func (seedsOnly) RunFuzzWorker(func(corpusEntry) error) error              { return errSeedsOnly }
func (seedsOnly) ResetCoverage()                                           {}
func (seedsOnly) SnapshotCoverage()                                        {}
func (seedsOnly) ReadCorpus(string, []reflect.Type) ([]corpusEntry, error) { return nil, nil }

func (seedsOnly) CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type, string, string) error {
	return errSeedsOnly
}

// CheckCorpus checks whether the values of f.Add have the types of the parameters.
func (seedsOnly) CheckCorpus(values []any, params []reflect.Type) error {
	if len(values) != len(params) {
		return errors.New("wrong number of values in the seed")
	}
	for i, v := range values {
		if reflect.TypeOf(v) != params[i] {
			return errors.New("mismatched types in the seed: a " + reflect.TypeOf(v).String() + " for a " + params[i].String())
		}
	}
	return nil
}

func (seedsOnly) InitRuntimeCoverage() (string, func(string, string) (string, error), func() float64) {
	return "", nil, nil
}
