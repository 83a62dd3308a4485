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
	// smallest is the minimum number of threads that counts as more than a device runs at once: on a small device, fewer threads would
	// rarely interfere with each other.
	smallest = 1 << 16
	// examined is the largest size that also runs in check mode, which is about a hundred times slower.
	examined = 4096
	// patience is how long a run may take, including copies, before it counts as hanging; small sizes have a sixth of it. The longest
	// valid run takes seconds, on a slow simulator.
	patience = time.Minute
)

// SeedEnv is the environment variable with the seed of the random inputs. Without it they are the same each time, so that failures are
// reproducible. Graders set it to an unpredictable value.
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

// Run checks a kernel that is launched with that many threads per block. It calls f for the sizes 0, 1, those around the size of a warp
// and of a block, and more than the device runs at once, several times each. f makes inputs and outputs for the size c.N and launches the
// kernel.
//
// On the simulator blocks and threads run in a random order in all repetitions but the first. Small sizes run once more in the
// simulator's check mode, also if the device is a GPU: it finds races, uninitialized reads and addresses out of bounds even if the result
// is right.
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
	k.connect(d)
	for _, opt := range opts {
		opt(&k)
	}
	disprove(name)
	forget(name)
	if err := k.run(f); err != nil {
		return err
	}
	prove(name, k.programs)
	times := fmt.Sprintf(", %d runs each", repeats)
	if len(k.sizes) == 1 {
		times = fmt.Sprintf(", %d runs", repeats)
	}
	passed(name, "right for %s%s%s", k.tried(), times, k.also())
	return nil
}

// tried returns the sizes of a check that has passed, as text.
func (k *inspection) tried() string {
	first, last := spaced(k.sizes[0]), spaced(k.sizes[len(k.sizes)-1])
	if len(k.sizes) == 1 {
		return "n = " + first
	}
	return fmt.Sprintf("%d sizes from n = %s to %s", len(k.sizes), first, last)
}

// connect makes the check use the device. The simulator's check mode finds what a GPU tolerates.
func (k *inspection) connect(d *gpu.Device) {
	k.elsewhere = !d.Properties().Simulated
	k.count = func(f func() error) (*check.Report, error) { return check.Run(f, check.WithSimulator()) }
	k.examine = k.count
	k.idle = gpuhooks.SkipLaunches
}

// also returns what else a check that has passed has checked, as text.
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

// A RunOption changes how Run and Function check.
type RunOption func(*inspection)

// Sizes sets the sizes to check, instead of the default ones. At least one is needed.
func Sizes(n ...int) RunOption {
	return func(k *inspection) {
		if len(n) > 0 {
			k.sizes = slices.Compact(slices.Sorted(slices.Values(n)))
		}
	}
}

// Strict rejects also what check mode only warns of: threads that return before a barrier that others reach.
func Strict() RunOption { return func(k *inspection) { k.strict = true } }

// Tolerance sets the maximum error of the floating-point numbers of a Function, relative to the right number, or to 1 if that is larger.
func Tolerance(most float64) RunOption { return func(k *inspection) { k.tolerance = most } }

// LastStepInGo permits a Function to compute its result in Go from the data copied from the device.
func LastStepInGo() RunOption { return func(k *inspection) { k.lastStep = true } }

// Patience sets how long one run may take before it is stopped and counts as hanging. The default is a minute.
func Patience(d time.Duration) RunOption { return func(k *inspection) { k.patience = d } }

// An inspection is a call of Run or Function.
type inspection struct {
	name  string
	block int
	sizes []int // sorted
	// patience is how long one run may take; interrupt stops it.
	patience  time.Duration
	interrupt func()
	// shuffle runs a function with threads in another order. It may be nil.
	shuffle func(seed uint32, f func() error) error
	// elsewhere is whether check mode runs on another device than the check, where a kernel that hangs may end with a defect: a GPU
	// waits at a barrier that not all threads reach.
	elsewhere bool
	// examine runs a function in check mode. It is nil if there is none.
	examine func(f func() error) (*check.Report, error)
	// tolerance and lastStep are for functions.
	tolerance float64
	lastStep  bool
	// strict makes check mode's warnings errors.
	strict bool
	// count runs a function in the simulator's check mode, and idle without its kernels. They may be nil.
	count func(f func() error) (*check.Report, error)
	idle  func(f func() error) ([]gpuhooks.Program, error)

	programs []program // of the kernels, when the check has passed
	limits   []Limit   // that the cases have
}

// sizesFor returns sizes at which kernels typically fail. The last one uses every thread of the device more than once, and a bit more
// than half of the last block.
func sizesFor(block, wave int) []int {
	sizes := []int{0, 1, 31, 32, 33, block - 1, block, block + 1, (wave/block+1)*block + block/2 + 1}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// run checks all sizes. It begins with those that are fast in check mode, and with what that can find, so that a kernel with far too much
// work is rejected before it does that work for many elements.
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
		failure := newFailure(k.name, k.block, t.right, t.found)
		k.offerLens(failure, t.found, f)
		return failure
	}
	return nil
}

// tried has the results of sizes.
type tried struct {
	right []int
	found []*finding
	fatal bool // whether other sizes need not be tried
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

// examineAll looks for problems that right results do not show: defects at each size and, at the size that telling returns, results that
// no kernel has computed, and costs that are too high.
func (k *inspection) examineAll(sizes []int, f func(*Case) error) error {
	for _, n := range sizes {
		if err := k.refuseDefects(n, f); err != nil {
			return err
		}
	}
	n := k.telling()
	if err := k.withoutKernels(n, f); err != nil {
		return err
	}
	return k.costs(n, f)
}

// refuseDefects returns a failure if check mode finds defects at a size where the results are right.
func (k *inspection) refuseDefects(n int, f func(*Case) error) error {
	list := k.defects(n, f)
	if len(list) == 0 {
		return nil
	}
	found := []*finding{{n: n, defects: list}}
	failure := newFailure(k.name, k.block, nil, found)
	k.offerLens(failure, found, f)
	return failure
}

// telling returns the size at which costs are counted: the largest that is fast in check mode.
func (k *inspection) telling() int {
	i, found := slices.BinarySearch(k.sizes, examined)
	if found || i == 0 {
		return k.sizes[i]
	}
	return k.sizes[i-1]
}

// withoutKernels rejects results that are right although no kernel has run, and records which kernels would have.
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

// costs checks the costs of the case against its limits, if it has any.
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

// ask uses check mode to explain a failure, at the largest size that is fast in it. A case whose outputs are the same without kernels has
// written nothing.
func (k *inspection) ask(found []*finding, f func(*Case) error) {
	for _, at := range slices.Backward(found) {
		if at.n <= examined && (!at.hung || k.elsewhere) {
			seen := k.findings(at.n, f)
			at.defects, at.warnings, at.examined = seen.defects, seen.warnings, seen.done
			k.compareIdle(at, f)
			// The result at this size explains the others, too. A kernel may write the value that an element had before, such as 0.
			nothing := at.first() != nil && at.first().idle && !seen.wrote
			for _, other := range found {
				if o := other.first(); o != nil && o.n > 0 && o.before+o.after == 0 {
					// Of several outputs it may be another one that a kernel has written.
					o.added = seen.wrote && seen.outputs == 1 && o.float && o.left == o.n && len(seen.defects) == 0
					o.idle = nothing
				}
			}
			return
		}
	}
}

// compareIdle records whether the kernels of a case have changed its outputs at all.
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
	// An array that is changed in place has no poison. Wrong elements that were not changed count as unwritten.
	if !o.idle && untouched == o.count && o.left == 0 {
		o.left = o.count
		copy(o.poison, o.wrong)
	}
}

// defects returns the defects that check mode finds at a size. Results were compared before; an error of check mode itself is not a
// failure of the kernel.
func (k *inspection) defects(n int, f func(*Case) error) []check.Finding {
	return k.findings(n, f).defects
}

// examination is the result of check mode.
type examination struct {
	done              bool
	defects, warnings []check.Finding
	wrote             bool // a kernel has written to global memory
	outputs           int
}

// findings runs a size in check mode, if there is one.
func (k *inspection) findings(n int, f func(*Case) error) (seen examination) {
	if k.examine == nil {
		return seen
	}
	if k.interrupt != nil {
		watch := time.AfterFunc(k.patience, k.interrupt)
		defer watch.Stop()
	}
	report, err := k.examine(func() error {
		c := &Case{N: n, block: k.block}
		defer c.free()
		if err := f(c); err != nil {
			return err
		}
		seen.outputs = c.outputs()
		return gpu.Sync() // before the arrays are freed
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

// A finding is the failure at one size.
type finding struct {
	n   int
	err error // of the function: an invalid launch, or a fault of the device
	// defects are the defects that check mode found. If there is nothing else the result was right.
	defects []check.Finding
	// warnings are its other findings, which may be intended.
	warnings []check.Finding
	hung     bool // whether err is that of an interrupt
	examined bool // whether check mode has run
	array    int  // the index of the array that runs belongs to
	// runs has the observations of each run in the array that explains most; nil where it was right.
	runs []*observation
	// again is the index of the run that launched twice, or 0.
	again int
}

// first returns the first wrong observation.
func (f *finding) first() *observation {
	for _, o := range f.runs {
		if o != nil {
			return o
		}
	}
	return nil
}

// fatal reports whether other sizes need not be tried: the device failed. A launch that was rejected beforehand is not fatal, since other
// sizes may show more.
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

// once runs repetition r of a case. The first, and the one that launches twice, run in the usual order.
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

// worst returns the index of the first input that was ever wrong, else of the first output, else -1: a kernel that writes to an input may
// leave its output wrong, but not the other way round.
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
