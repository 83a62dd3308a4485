//go:build !go1.26 || go1.27

package testhost

import (
	"errors"
	"runtime"
	"testing"
)

func runSeeds([]testing.InternalFuzzTarget) (bool, error) {
	return false, errors.New("the seeds of fuzz tests can't be run with " + runtime.Version() + ", only with Go 1.26: leave them out with -run")
}
