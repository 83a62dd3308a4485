package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/pointer"

// fillAllocated implements gpuhooks.FillAllocated.
func fillAllocated(value byte, f func() error) error {
	d, err := Current()
	if err != nil {
		return wrap("filling new buffers", err)
	}
	if f, err = d.settling(f); err != nil {
		return wrap("filling new buffers", err)
	}
	before := pointer.Swap(&d.watchers.fill, &value)
	defer pointer.Store(&d.watchers.fill, before)
	return f()
}
