package verify

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

const (
	// repeats is how often each size runs with the same inputs.
	repeats = 3
	// smallest is the least number of threads to be called more than a device runs at once:
	// on a small device, fewer would rarely get into each other's way.
	smallest = 1 << 16
	// examined is the largest size that runs in check mode, too, which takes a hundred times as long.
	examined = 4096
	// patience is how long a run may take, copies included, before it is taken to hang, and a sixth of it how long one of a
	// small size may. The longest honest one takes seconds, on a slow simulator.
	patience = time.Minute
)

// SeedEnv is the environment variable that starts the random inputs. Without it they are the same each time, so that a
// failure comes back. Graders set it to something that nobody knows before.
const SeedEnv = "GOPHERWARP_CHECK_SEED"

var seed = sync.OnceValue(func() uint64 {
	text := os.Getenv(SeedEnv)
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n
	}
	n := uint64(1)
	for _, c := range []byte(text) {
		n = mix(n ^ uint64(c))
	}
	return n
})

// Run checks a kernel that is launched with that many threads per block. It calls f for
// the sizes 0, 1, one around a warp, one around a block, and more than the device runs at
// once, each several times. f makes inputs and outputs for the size c.N and launches the
// kernel.
//
// On the simulator all repetitions but the first have blocks and threads come in a random order.
// The small sizes run once more in the simulator's check mode, also where the device is a GPU: it finds races, values
// that nobody has written and addresses out of bounds even where the result is right.
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
	k := inspection{name: name, block: block, sizes: sizesFor(block, wave), patience: patience, interrupt: gpuhooks.Interrupt, shuffle: gpuhooks.Shuffle}
	k.connect()
	for _, opt := range opts {
		opt(&k)
	}
	disprove(name)
	if err := k.run(f); err != nil {
		return err
	}
	prove(name, k.programs)
	first, last := spaced(k.sizes[0]), spaced(k.sizes[len(k.sizes)-1])
	sizes := fmt.Sprintf("%d sizes from n = %s to %s, %d runs each", len(k.sizes), first, last, repeats)
	if len(k.sizes) == 1 {
		sizes = fmt.Sprintf("n = %s, %d runs", first, repeats)
	}
	passed(name, "right for %s%s", sizes, k.also())
	return nil
}

// connect has the check use the device. What a GPU lets pass, the simulator's check mode finds.
func (k *inspection) connect() {
	k.count = func(f func() error) (*check.Report, error) { return check.Run(f, check.WithSimulator()) }
	k.examine = k.count
	k.idle = gpuhooks.SkipLaunches
}

// also says what else a check that has passed has looked at.
func (k *inspection) also() string {
	s := ""
	if k.examine != nil {
		s = ", no defect in check mode"
	}
	if len(k.limits) > 0 {
		s += ", the work shared among the threads"
	}
	return s
}

// RunOption changes how Run checks.
type RunOption func(*inspection)

// Sizes are the sizes to check instead of Run's own. At least one is needed.
func Sizes(n ...int) RunOption {
	return func(k *inspection) {
		if len(n) > 0 {
			k.sizes = slices.Compact(slices.Sorted(slices.Values(n)))
		}
	}
}

// Strict refuses also what check mode only warns of: threads that return before a barrier that others come to.
func Strict() RunOption { return func(k *inspection) { k.strict = true } }

// Tolerance is how far the floating-point numbers of a Function may be off, as a part of them, or of 1 if that is more.
func Tolerance(most float64) RunOption { return func(k *inspection) { k.tolerance = most } }

// LastStepInGo lets a Function compute its result of what comes from the device.
func LastStepInGo() RunOption { return func(k *inspection) { k.lastStep = true } }

// Patience is how long one run may take before it is stopped and taken to hang: a minute otherwise.
func Patience(d time.Duration) RunOption { return func(k *inspection) { k.patience = d } }

// An inspection is a call of Run.
type inspection struct {
	name  string
	block int
	sizes []int // sorted
	// patience is how long one run may take, and interrupt ends it.
	patience  time.Duration
	interrupt func()
	// shuffle runs a function with threads in another order. It may be nil.
	shuffle func(seed uint32, f func() error) error
	// examine runs a function in check mode. It is nil where there is none.
	examine func(f func() error) (*check.Report, error)
	// tolerance and lastStep are of functions.
	tolerance float64
	lastStep  bool
	// strict makes errors of check mode's warnings.
	strict bool
	// count runs a function in the simulator's check mode, and idle without its kernels. They may be nil.
	count func(f func() error) (*check.Report, error)
	idle  func(f func() error) ([]gpuhooks.Program, error)

	programs []program // of the kernels, when the check has passed
	limits   []Limit   // that the cases have
}

// sizesFor are the sizes at which kernels go wrong. The last one keeps every thread of the
// device busy more than once, and leaves a bit over half of the last block to do.
func sizesFor(block, wave int) []int {
	sizes := []int{0, 1, 31, 32, 33, block - 1, block, block + 1, (wave/block+1)*block + block/2 + 1}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// run tries all sizes: first those that check mode is quick with, and what it can tell, so that a kernel with far too much
// to do is refused before it does that for many elements.
func (k *inspection) run(f func(*Case) error) error {
	small := sort.SearchInts(k.sizes, examined+1)
	var t tried
	if err := k.try(&t, k.sizes[:small], f); err != nil {
		return err
	}
	if len(t.found) == 0 {
		if err := k.examineAll(k.sizes[:small], f); err != nil {
			return err
		}
	}
	if !t.fatal {
		if err := k.try(&t, k.sizes[small:], f); err != nil {
			return err
		}
	}
	if len(t.found) > 0 {
		k.ask(t.found, f)
		return newFailure(k.name, k.block, t.right, t.found)
	}
	return nil
}

// tried is what sizes have shown.
type tried struct {
	right []int
	found []*finding
	fatal bool // others need not be tried
}

// try runs sizes.
func (k *inspection) try(t *tried, sizes []int, f func(*Case) error) error {
	for _, n := range sizes {
		at, err := k.runSize(n, f)
		if err != nil {
			return fmt.Errorf("checking %s: %w", k.name, err)
		}
		if at == nil {
			t.right = append(t.right, n)
			continue
		}
		t.found = append(t.found, at)
		if t.fatal = at.fatal(); t.fatal {
			break
		}
	}
	return nil
}

// examineAll looks for what right results don't show: defects at each size, and at the one that tells most, results
// that no kernel has computed, and costs that are too high.
func (k *inspection) examineAll(sizes []int, f func(*Case) error) error {
	for _, n := range sizes {
		if list := k.defects(n, f); len(list) > 0 {
			return newFailure(k.name, k.block, nil, []*finding{{n: n, defects: list}})
		}
	}
	n := k.telling()
	if err := k.withoutKernels(n, f); err != nil {
		return err
	}
	return k.costs(n, f)
}

// telling is the size at which costs are counted: the largest that check mode is quick with.
func (k *inspection) telling() int {
	i, found := slices.BinarySearch(k.sizes, examined)
	if found || i == 0 {
		return k.sizes[i]
	}
	return k.sizes[i-1]
}

// withoutKernels refuses results that are right although no kernel has run, and notes which would have.
func (k *inspection) withoutKernels(n int, f func(*Case) error) error {
	if k.idle == nil || n == 0 {
		return nil
	}
	right := false
	kernels, err := k.idle(func() error {
		c := &Case{N: n, block: k.block}
		defer c.free()
		seen, err := c.run(func() error { return f(c) })
		right = err == nil && worst([][]*observation{seen}) < 0
		k.limits = c.limits
		return err
	})
	if err != nil {
		return fmt.Errorf("checking %s without its kernels: %w", k.name, err)
	}
	if k.programs = programsOf(kernels); right || len(kernels) == 0 {
		return notOnDevice(k.name)
	}
	return nil
}

// costs holds what the case costs against its limits, if it has any.
func (k *inspection) costs(n int, f func(*Case) error) error {
	if k.count == nil || len(k.limits) == 0 {
		return nil
	}
	report, err := k.count(func() error {
		c := &Case{N: n, block: k.block}
		defer c.free()
		if err := f(c); err != nil {
			return err
		}
		return gpu.Sync()
	})
	if err != nil {
		return fmt.Errorf("counting what %s costs: %w", k.name, err)
	}
	if f := exceeded(k.name, report, k.limits); f != nil {
		f.N = n
		f.message += fmt.Sprintf(" (n = %s)", spaced(n))
		return f
	}
	return nil
}

// ask lets check mode say more about what went wrong, at the largest size that it is quick with. A case whose
// outputs are as they are without kernels has written nothing.
func (k *inspection) ask(found []*finding, f func(*Case) error) {
	for _, at := range slices.Backward(found) {
		if at.n <= examined && !at.hung {
			seen := k.findings(at.n, f)
			at.defects, at.warnings, at.examined = seen.defects, seen.warnings, seen.done
			k.compareIdle(at, f)
			// What holds at this size explains the others, too. A kernel may write what was there before, such as 0.
			nothing := at.first() != nil && at.first().idle && !seen.wrote
			for _, other := range found {
				if o := other.first(); o != nil && o.n > 0 && o.before+o.after == 0 {
					o.added = seen.wrote && o.float && o.left == o.n && len(seen.defects) == 0
					o.idle = nothing
				}
			}
			return
		}
	}
}

// compareIdle notes whether the kernels of a case have changed its outputs at all.
func (k *inspection) compareIdle(at *finding, f func(*Case) error) {
	o := at.first()
	if k.idle == nil || o == nil || o.input || o.n == 0 {
		return
	}
	var idle []*observation
	_, err := k.idle(func() (err error) {
		c := &Case{N: at.n, block: k.block}
		defer c.free()
		idle, err = c.run(func() error { return f(c) })
		return err
	})
	if err != nil || at.array >= len(idle) || idle[at.array] == nil {
		return
	}
	same := idle[at.array]
	o.idle = o.before+o.after == 0 && len(same.got) == len(o.got)
	if !o.idle {
		return
	}
	untouched := 0
	for i, v := range o.got {
		alike := v == same.got[i] || o.poison[i] && same.poison[i]
		o.idle = o.idle && alike
		if alike && o.wrong[i] {
			untouched++
		}
	}
	// An array that is changed in its place holds no poison. What is wrong because nobody has touched it counts as that.
	if !o.idle && untouched == o.count && o.left == 0 {
		o.left = o.count
		copy(o.poison, o.wrong)
	}
}

// defects are what check mode finds at a size. Results were compared before; that it cannot be done is no fault of the
// kernel.
func (k *inspection) defects(n int, f func(*Case) error) []check.Finding {
	return k.findings(n, f).defects
}

// examination is what check mode has seen.
type examination struct {
	done              bool
	defects, warnings []check.Finding
	wrote             bool // a kernel has written to global memory
}

// findings runs a size in check mode, if there is one.
func (k *inspection) findings(n int, f func(*Case) error) (seen examination) {
	if k.examine == nil {
		return seen
	}
	report, err := k.examine(func() error {
		c := &Case{N: n, block: k.block}
		defer c.free()
		if err := f(c); err != nil {
			return err
		}
		return gpu.Sync() // before the arrays go
	})
	seen.done = true
	if err != nil && report == nil {
		return seen
	}
	seen.wrote = writes(report)
	for _, finding := range report.Findings {
		if finding.Warning && !k.strict {
			seen.warnings = append(seen.warnings, finding)
		} else {
			seen.defects = append(seen.defects, finding)
		}
	}
	return seen
}

// A finding is what went wrong at one size.
type finding struct {
	n   int
	err error // of the function: a launch that cannot be, or a fault of the device
	// defects are what check mode found. If there is nothing else the result was right.
	defects []check.Finding
	// warnings are what else it found, which may be meant.
	warnings []check.Finding
	hung     bool // err is that of an interrupt
	examined bool // check mode has looked at it
	array    int  // the number of the array that runs is about
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
func (k *inspection) runSize(n int, f func(*Case) error) (*finding, error) {
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
	at := &finding{n: n, again: again, array: i}
	for _, seen := range runs {
		at.runs = append(at.runs, seen[i])
	}
	return at, nil
}

// once is run number r of a case: the first in the usual order, as well as the one that
// launches twice.
func (k *inspection) once(c *Case, r int, f func(*Case) error) (seen []*observation, hung bool, err error) {
	do := func() error { return f(c) }
	if k.shuffle != nil && r > 0 && r < repeats {
		do = func() error { return k.shuffle(uint32(r), func() error { return f(c) }) }
	}
	if k.interrupt != nil {
		var fired atomic.Bool
		patience := k.patience
		if c.N <= examined {
			patience /= 6
		}
		watch := time.AfterFunc(patience, func() { fired.Store(true); k.interrupt() })
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
