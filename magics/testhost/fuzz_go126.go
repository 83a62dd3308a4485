//go:build go1.26 && !go1.27

package testhost

import (
	"errors"
	"io"
	"reflect"
	"regexp"
	"testing"
	"time"
	_ "unsafe" // for go:linkname
)

// Package testing runs the seeds of fuzz tests only as part of a whole program of tests, which
// prints and sets much besides. The function that does just that is not exported, and what it
// takes may be another thing in the next release: hence the file's build constraint.

//go:linkname runFuzzTests testing.runFuzzTests
func runFuzzTests(deps dependencies, targets []testing.InternalFuzzTarget, deadline time.Time) (ran, ok bool)

func runSeeds(targets []testing.InternalFuzzTarget) (ok bool, err error) {
	_, ok = runFuzzTests(seedsOnly{}, targets, time.Time{})
	return ok, nil
}

// dependencies is what package testing asks of the program around it. The order of methods in
// memory is that of their names, so this is the same as its unexported interface.
type dependencies interface {
	ImportPath() string
	ModulePath() string
	MatchString(pattern, text string) (bool, error)
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
	InitRuntimeCoverage() (mode string, tearDown func(string, string) (string, error), snapshot func() float64)
}

type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// seedsOnly is for running what f.Add has added, and nothing else.
type seedsOnly struct{}

var errSeedsOnly = errors.New("only the seeds of a fuzz test run here; fuzzing takes a program of its own")

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

// CheckCorpus is asked whether the values that f.Add was given fit the parameters.
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
