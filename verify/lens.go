package verify

import (
	"errors"
	"fmt"
	"sync"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/lens"
)

// lastFailed is the registry of the process for Lens: the failure of the last check by Run.
var lastFailed struct {
	sync.Mutex
	failure *Failure
}

// replay is the smallest failing case of a check.
type replay struct {
	f             func(*Case) error
	n             int
	threads       int // per block
	block, thread int // that own the first wrong element; thread is -1 if no thread does
}

// Lens records what the threads of the last check by Run that failed do in its smallest failing case, in the block of the first wrong
// element. As the last expression of a cell it is shown as a picture, which begins where the element's thread writes last. The check must
// have run on the simulator.
func Lens() (*lens.Recording, error) {
	lastFailed.Lock()
	failure := lastFailed.failure
	lastFailed.Unlock()
	if failure == nil {
		return nil, errors.New("recording a failed check: no check by verify.Run has failed, or its last one has passed since: run it first")
	}
	return failure.Lens()
}

// Lens is like the function Lens, for this failure.
func (f *Failure) Lens() (*lens.Recording, error) {
	r := f.replay
	if r == nil {
		return nil, fmt.Errorf("recording the failed check %s: it has no case that can be recorded: that needs the simulator, a check by verify.Run, "+
			"and a size of at most %s at which its kernels end", f.Check, spaced(examined))
	}
	run := func() error {
		c := &Case{N: r.n, block: r.threads}
		defer c.free()
		if err := r.f(c); err != nil {
			return err
		}
		return gpu.Sync() // before the arrays are freed
	}
	recording, err := lens.Run(run, lens.At(r.block, r.thread))
	if recording == nil || recording.Blocks() > 0 || r.block == 0 {
		return recording, err
	}
	return lens.Run(run) // too few blocks were launched for the element
}

// offerLens keeps the smallest case of a failure for Lens, and says so, if there is one that can be recorded.
func (k *inspection) offerLens(failure *Failure, found []*finding, f func(*Case) error) {
	d, err := gpu.Current()
	if err != nil || !d.Properties().Simulated || k.examine == nil {
		return
	}
	var at *finding
	for _, other := range found { // in the order of their sizes
		if other.n <= examined && !other.hung && (at == nil || at.n == 0) {
			at = other
		}
	}
	if at == nil || at.err != nil && !at.fatal() {
		return
	}
	failure.replay = &replay{f: f, n: at.n, threads: k.block, thread: -1}
	if o := at.first(); o != nil {
		failure.replay.block, failure.replay.thread = o.owner(k.block)
	}
	failure.message += fmt.Sprintf("\nverify.Lens() shows what the threads do, step by step, for n = %s.", spaced(at.n))
	lastFailed.Lock()
	lastFailed.failure = failure
	lastFailed.Unlock()
}

// forget makes Lens forget a check, which is run again.
func forget(name string) {
	lastFailed.Lock()
	defer lastFailed.Unlock()
	if lastFailed.failure != nil && lastFailed.failure.Check == name {
		lastFailed.failure = nil
	}
}

// owner returns the block and the thread, by linear indices, that own the first wrong element; the thread is -1 if no thread does.
func (o *observation) owner(threads int) (block, thread int) {
	index := o.n // an element that was written past the end
	if len(o.examples) > 0 {
		index = o.examples[0].Index
	}
	t := o.table
	switch {
	case t.blockX > 0 && index < o.n:
		row, column := index/t.columns, index%t.columns
		across := (t.columns + t.blockX - 1) / t.blockX
		return row/t.blockY*across + column/t.blockX, row%t.blockY*t.blockX + column%t.blockX
	case o.owned():
		return index / threads, index % threads
	}
	return 0, -1
}
