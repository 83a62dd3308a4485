package sim

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// Library returns at once: the routines are part of the program.
func (d *device) Library(routine.Family) error { return d.alive() }

// Call executes the routine synchronously.
func (d *device) Call(c routine.Call, stream uint32) error {
	if err := d.onStream(stream); err != nil {
		return err
	}
	d.checks.memory.WrittenSomewhere()
	err := d.library.Call(c, d.memory.bytes)
	var e *backend.Error
	if err != nil && !errors.As(err, &e) {
		return wrap(codeInvalidValue, err, "%s", routine.NameOf(c))
	}
	return err
}
