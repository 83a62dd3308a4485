package sim

import (
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Counted implements backend.Counter: it returns the counters of the last launch, if it was in check mode.
func (d *device) Counted() backend.Counters {
	run := d.checks.last
	if run == nil {
		return nil
	}
	var read, written uint64
	purego.SyscallN(theCheckRuntime.footprint, uintptr(unsafe.Pointer(&read)), uintptr(unsafe.Pointer(&written)))
	return run.Counters(read, written)
}
