package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
)

const (
	// repeats is how often each size runs with the same inputs.
	repeats = 3
	// seed starts the random inputs. It is fixed, so that a failure comes back.
	seed = 1
	// smallest is the least number of threads to be called more than a device runs at once:
	// on a small device, fewer would rarely get into each other's way.
	smallest = 1 << 16
)

// Run checks a kernel that is launched with that many threads per block. It calls f for
// the sizes 0, 1, one around a warp, one around a block, and more than the device runs at
// once, each several times. f makes inputs and outputs for the size c.N and launches the
// kernel.
//
// The error is a *Failure, unless the check itself could not be made.
func Run(name string, block int, f func(c *Case) error) error {
	d, err := gpu.Current()
	if err != nil {
		return fmt.Errorf("checking %s: %w", name, err)
	}
	p := d.Properties()
	if block < 1 || block > p.MaxThreadsPerBlock {
		return fmt.Errorf("checking %s: blocks of %d threads: %s allows 1 to %d", name, block, p.Name, p.MaxThreadsPerBlock)
	}
	wave := max(p.MultiProcessorCount*p.MaxThreadsPerMultiProcessor, smallest)
	sizes := sizesFor(block, wave)
	if err := run(name, block, sizes, f); err != nil {
		return err
	}
	fmt.Printf("✓ PASS %s: right for %d sizes from n = 0 to %s, %d runs each\n", name, len(sizes), spaced(sizes[len(sizes)-1]), repeats)
	return nil
}

// sizesFor are the sizes at which kernels go wrong. The last one keeps every thread of the
// device busy more than once, and leaves a bit over half of the last block to do.
func sizesFor(block, wave int) []int {
	sizes := []int{0, 1, 31, 32, 33, block - 1, block, block + 1, (wave/block+1)*block + block/2 + 1}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// run is Run for given sizes, without the report of success.
func run(name string, block int, sizes []int, f func(*Case) error) error {
	var right []int
	var found []*finding
	for _, n := range sizes {
		at, err := runSize(block, n, f)
		if err != nil {
			return fmt.Errorf("checking %s: %w", name, err)
		}
		if at == nil {
			right = append(right, n)
			continue
		}
		found = append(found, at)
		if at.fatal() {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	return newFailure(name, block, right, found)
}

// A finding is what went wrong at one size.
type finding struct {
	n   int
	err error // of the function: a launch that cannot be, or a fault of the device
	// runs holds what each run showed in the array that explains most; nil where it was right.
	runs []*observation
}

// first is the first wrong observation.
func (f *finding) first() *observation {
	for _, o := range f.runs {
		if o != nil {
			return o
		}
	}
	return nil
}

// fatal says that other sizes need not be tried: the device failed. A launch that was
// refused beforehand is not fatal, as other sizes may show more.
func (f *finding) fatal() bool {
	var e *gpu.Error
	const invalidValue = 1
	return f.err != nil && (!errors.As(f.err, &e) || e.Code != invalidValue)
}

// runSize runs all repetitions of one size. It returns nil if they were right.
func runSize(block, n int, f func(*Case) error) (*finding, error) {
	var runs [][]*observation
	for range repeats {
		c := &Case{N: n, block: block}
		seen, err := c.run(f)
		c.free()
		switch {
		case err != nil:
			return &finding{n: n, err: err}, nil
		case !c.output:
			return nil, errors.New("the function made no verify.Output, so nothing was compared")
		case len(runs) > 0 && len(seen) != len(runs[0]):
			return nil, fmt.Errorf("the function made %d inputs and outputs at one run, %d at another", len(runs[0]), len(seen))
		}
		runs = append(runs, seen)
	}
	i := worst(runs)
	if i < 0 {
		return nil, nil
	}
	at := &finding{n: n}
	for _, seen := range runs {
		at.runs = append(at.runs, seen[i])
	}
	return at, nil
}

// worst is the number of the first input that was ever wrong, else of the first output, else
// -1: a kernel that writes to an input may leave its output wrong, and not the other way.
func worst(runs [][]*observation) int {
	output := -1
	for _, seen := range runs {
		for i, o := range seen {
			if o != nil && o.input {
				return i
			}
			if o != nil && output < 0 {
				output = i
			}
		}
	}
	return output
}
