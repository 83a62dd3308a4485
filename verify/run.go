package verify

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

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
	// examined is the largest size that runs in check mode, too, which takes a hundred times as long.
	examined = 4096
	// patience is how long a run may take, copies included, before it is taken to hang. The
	// longest honest one takes seconds, on a slow simulator.
	patience = time.Minute
)

// Run checks a kernel that is launched with that many threads per block. It calls f for
// the sizes 0, 1, one around a warp, one around a block, and more than the device runs at
// once, each several times. f makes inputs and outputs for the size c.N and launches the
// kernel.
//
// On the simulator all repetitions but the first have blocks and threads come in a random order,
// and the small sizes run once more in check mode, which finds races, values that nobody
// has written and addresses out of bounds even where the result is right.
//
// The error is a *Failure, unless the check itself could not be made.
func Run(name string, block int, f func(c *Case) error, opts ...RunOption) error {
	d, err := gpu.Current()
	if err != nil {
		return fmt.Errorf("checking %s: %w", name, err)
	}
	p := d.Properties()
	if block < 1 || block > p.MaxThreadsPerBlock {
		return fmt.Errorf("checking %s: blocks of %d threads: %s allows 1 to %d", name, block, p.Name, p.MaxThreadsPerBlock)
	}
	wave := max(p.MultiProcessorCount*p.MaxThreadsPerMultiProcessor, smallest)
	k := check{name: name, block: block, sizes: sizesFor(block, wave), patience: patience, interrupt: gpu.Interrupt, shuffle: gpu.Shuffle}
	if p.Simulated {
		k.examine = func(f func() error) (*gpu.Report, error) { return gpu.Check(f) }
	}
	for _, opt := range opts {
		opt(&k)
	}
	if err := k.run(f); err != nil {
		return err
	}
	also := ""
	if k.examine != nil {
		also = ", no defect in check mode"
	}
	first, last := spaced(k.sizes[0]), spaced(k.sizes[len(k.sizes)-1])
	sizes := fmt.Sprintf("%d sizes from n = %s to %s, %d runs each", len(k.sizes), first, last, repeats)
	if len(k.sizes) == 1 {
		sizes = fmt.Sprintf("n = %s, %d runs", first, repeats)
	}
	fmt.Printf("✓ PASS %s: right for %s%s\n", name, sizes, also)
	return nil
}

// RunOption changes how Run checks.
type RunOption func(*check)

// Sizes are the sizes to check instead of Run's own. At least one is needed.
func Sizes(n ...int) RunOption {
	return func(k *check) {
		if len(n) > 0 {
			k.sizes = slices.Compact(slices.Sorted(slices.Values(n)))
		}
	}
}

// Patience is how long one run may take before it is stopped and taken to hang: a minute otherwise.
func Patience(d time.Duration) RunOption { return func(k *check) { k.patience = d } }

// A check is a call of Run.
type check struct {
	name  string
	block int
	sizes []int // sorted
	// patience is how long one run may take, and interrupt ends it.
	patience  time.Duration
	interrupt func()
	// shuffle runs a function with threads in another order. It may be nil.
	shuffle func(seed uint32, f func() error) error
	// examine runs a function in check mode. It is nil where there is none.
	examine func(f func() error) (*gpu.Report, error)
}

// sizesFor are the sizes at which kernels go wrong. The last one keeps every thread of the
// device busy more than once, and leaves a bit over half of the last block to do.
func sizesFor(block, wave int) []int {
	sizes := []int{0, 1, 31, 32, 33, block - 1, block, block + 1, (wave/block+1)*block + block/2 + 1}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// run tries all sizes.
func (k *check) run(f func(*Case) error) error {
	var right []int
	var found []*finding
	for _, n := range k.sizes {
		at, err := k.runSize(n, f)
		if err != nil {
			return fmt.Errorf("checking %s: %w", k.name, err)
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
		for _, n := range k.sizes {
			if n > examined {
				break
			}
			if list := k.defects(n, f); len(list) > 0 {
				return newFailure(k.name, k.block, nil, []*finding{{n: n, defects: list}})
			}
		}
		return nil
	}
	k.ask(found, f)
	return newFailure(k.name, k.block, right, found)
}

// ask lets check mode say more about what went wrong, at the largest size that it is quick with.
func (k *check) ask(found []*finding, f func(*Case) error) {
	for _, at := range slices.Backward(found) {
		if at.n <= examined && !at.hung {
			at.defects = k.defects(at.n, f)
			return
		}
	}
}

// defects runs a size in check mode, if there is one, and returns what that finds. Results were
// compared before; that it cannot be done is no fault of the kernel.
func (k *check) defects(n int, f func(*Case) error) []gpu.Finding {
	if k.examine == nil {
		return nil
	}
	report, err := k.examine(func() error {
		c := &Case{N: n, block: k.block}
		defer c.free()
		if err := f(c); err != nil {
			return err
		}
		return gpu.Sync() // before the arrays go
	})
	if err != nil && report == nil {
		return nil
	}
	return report.Defects()
}

// A finding is what went wrong at one size.
type finding struct {
	n   int
	err error // of the function: a launch that cannot be, or a fault of the device
	// defects are what check mode found. If there is nothing else the result was right.
	defects []gpu.Finding
	hung    bool // err is that of an interrupt
	// runs holds what each run showed in the array that explains most; nil where it was right.
	runs []*observation
	// again is the number of the run that launched twice, or 0.
	again int
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
func (k *check) runSize(n int, f func(*Case) error) (*finding, error) {
	var runs [][]*observation
	again := 0
	for r := 0; r < repeats || again == r; r++ {
		c := &Case{N: n, block: k.block, twice: r == repeats}
		seen, hung, err := k.once(c, r, f)
		c.free()
		switch {
		case err != nil:
			return &finding{n: n, err: err, hung: hung}, nil
		case !c.output:
			return nil, errors.New("the function made no verify.Output, so nothing was compared")
		case len(runs) > 0 && len(seen) != len(runs[0]):
			return nil, fmt.Errorf("the function made %d inputs and outputs at one run, %d at another", len(runs[0]), len(seen))
		}
		runs = append(runs, seen)
		if c.launches {
			again = repeats // one more run, with each launch doubled
		}
	}
	i := worst(runs)
	if i < 0 {
		return nil, nil
	}
	at := &finding{n: n, again: again}
	for _, seen := range runs {
		at.runs = append(at.runs, seen[i])
	}
	return at, nil
}

// once is run number r of a case: the first in the usual order, as well as the one that
// launches twice.
func (k *check) once(c *Case, r int, f func(*Case) error) (seen []*observation, hung bool, err error) {
	do := func() error { return f(c) }
	if k.shuffle != nil && r > 0 && r < repeats {
		do = func() error { return k.shuffle(uint32(r), func() error { return f(c) }) }
	}
	if k.interrupt != nil {
		var fired atomic.Bool
		watch := time.AfterFunc(k.patience, func() { fired.Store(true); k.interrupt() })
		defer func() {
			watch.Stop()
			hung = fired.Load()
		}()
	}
	seen, err = c.run(do)
	return seen, false, err
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
