package gpu

import "sync"

// Idle runs f with the current device doing nothing at launches, which are checked and left out, and returns the
// kernels that would have run. Copies, fills and the routines of libraries are carried out. What is right all the
// same was not computed by kernels. The error is f's, or that of the work it has given to the device.
func Idle(f func() error) ([]*Kernel, error) {
	const op = "leaving launches out"
	d, err := Current()
	if err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	left := new(skippedLaunches)
	before := d.watchers.skipped.Swap(left)
	defer d.watchers.skipped.Store(before)
	err = f()
	if syncErr := l.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	left.mu.Lock()
	defer left.mu.Unlock()
	return left.kernels, err
}

// skippedLaunches are the kernels of launches that Idle leaves out.
type skippedLaunches struct {
	mu      sync.Mutex
	kernels []*Kernel
}

func (l *skippedLaunches) add(k *Kernel) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kernels = append(l.kernels, k)
}

// Source is the name and the text of the program that the kernel was compiled from.
func (k *Kernel) Source() (name, text string) { return k.mod.program.Name, k.mod.program.Source }
