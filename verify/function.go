package verify

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

const deviceHint = "It is right also when no kernel runs, so Go has computed it, or it was there before. Let a kernel write it, and copy that back."

// notOnDevice returns the failure of a result that is right without kernels.
func notOnDevice(name string) *Failure {
	f := &Failure{Check: name, Reason: NotOnDevice, Hint: deviceHint}
	f.message = fmt.Sprintf("%s: %s\n%s", name, f.Reason, wrap(f.Hint))
	return f
}

// functionSizes are sizes at which functions that choose their launch typically fail: more than a block, and more than a block of the
// maximum size.
var functionSizes = []int{0, 1, 33, 257, 1025, 4000}

// Function checks a Go function that computes something on the device. f makes inputs from the case, calls the function, and returns its
// result and the right one. f is called for the sizes 0, 1, 33, 257, 1025 and 4000, or those of Sizes, and then once with other inputs
// and without the kernels: a result that is right then was not computed on the device. The largest size that is fast in the simulator's
// check mode runs in it, also if the device is a GPU: defects are rejected even if the result is right, and limits of the case are
// checked.
//
// Buffers of gpu.Alloc that f makes hold large numbers, so that one that is not set shows.
//
// Integers must be equal. Floating-point numbers may differ by a few rounding errors (see Tolerance). The error is a *Failure, unless the
// check itself could not be made.
func Function[T Number](name string, f func(c *Case) (got, want []T, err error), opts ...RunOption) error {
	d, err := gpu.Current()
	if err != nil {
		return fmt.Errorf("checking %s: %w", name, err)
	}
	k := inspection{name: name, sizes: functionSizes}
	k.connect(d)
	for _, opt := range opts {
		opt(&k)
	}
	disprove(name)
	if err := function(&k, f); err != nil {
		return err
	}
	prove(name, k.programs)
	passed(name, "right for %s, computed on the device%s", k.tried(), k.also())
	return nil
}

// function checks all sizes.
func function[T Number](k *inspection, f func(c *Case) (got, want []T, err error)) error {
	var right []int
	var failure *Failure
	for _, n := range k.sizes {
		c := &Case{N: n}
		var got, want []T
		err := gpuhooks.FillAllocated(leftoverByte, func() (err error) {
			got, want, err = f(c)
			return err
		})
		if err != nil && failure == nil {
			return returned(k.name, n, err)
		}
		o := compareHost(got, want, k.tolerance, c.drawnInputs)
		if o == nil {
			right = append(right, n)
			continue
		}
		// The largest size with a specific reason is the most useful.
		if at := hostFailure(k.name, n, o); failure == nil || failure.N <= 1 || at.Reason != WrongValues || failure.Reason == WrongValues {
			failure = at
		}
	}
	if failure != nil {
		failure.message += fmt.Sprintf("\nWrong for n = %s", spaced(failure.N))
		if len(right) > 0 {
			failure.message += "; right for " + list(right)
		}
		failure.message += "."
		return failure
	}
	n := k.telling()
	if err := functionWithoutKernels(k, n, f); err != nil {
		return err
	}
	if !k.lastStep {
		if err := finished(k.name, n, f); err != nil {
			return err
		}
	}
	launch := func(c *Case) error {
		_, _, err := f(c)
		return err
	}
	// A GPU may give the right result in spite of a race.
	if err := k.refuseDefects(n, launch); err != nil {
		return err
	}
	return k.costs(n, launch)
}

// finished rejects results that differ from the data copied from the device: Go has done the last step. Memory that both can access is
// not copied, and without copies nothing can be concluded.
func finished[T Number](name string, n int, f func(c *Case) (got, want []T, err error)) error {
	if n == 0 {
		return nil
	}
	var got []T
	copies, err := gpuhooks.Downloads(func() (err error) {
		got, _, err = f(&Case{N: n})
		return err
	})
	if err != nil {
		return fmt.Errorf("checking %s: %w", name, err)
	}
	all, result := bytes.Join(copies, nil), bytesOf(got)
	if len(all) < len(result) || bytes.Contains(all, result) {
		return nil
	}
	failure := &Failure{Check: name, Reason: FinishedInGo, Hint: "What was copied from the device is not what was returned. Let kernels do all steps, the last one, too."}
	failure.message = fmt.Sprintf("%s: %s\n%s", name, failure.Reason, wrap(failure.Hint))
	return failure
}

// bytesOf returns the memory of a slice.
func bytesOf[T Number](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// functionWithoutKernels rejects a function whose result is right although no kernel has run. Its inputs are new ones, since memory may
// contain the results of earlier runs.
func functionWithoutKernels[T Number](k *inspection, n int, f func(c *Case) (got, want []T, err error)) error {
	if k.idle == nil || n == 0 {
		return nil
	}
	right := false
	kernels, err := k.idle(func() error {
		c := &Case{N: n, salt: rand.Uint64()}
		defer func() {
			_ = recover() // a panic isn't one either: what was not computed may be an index
			k.limits = c.limits
		}()
		got, want, err := f(c)
		right = err == nil && compareHost(got, want, k.tolerance, nil) == nil
		return nil // an error without kernels is not a failure
	})
	if err != nil {
		return fmt.Errorf("checking %s without its kernels: %w", k.name, err)
	}
	if k.programs = programsOf(kernels); right || len(kernels) == 0 {
		return notOnDevice(k.name)
	}
	return nil
}

// returned returns the failure of a function that has returned an error.
func returned(name string, n int, err error) *Failure {
	f := &Failure{Check: name, Reason: Fault, Hint: refusedHint, N: n, Sizes: []int{n}, Err: err}
	f.message = fmt.Sprintf("%s: %s\n%s\n\nn = %s: %v", name, f.Reason, wrap(f.Hint), spaced(n), err)
	return f
}
