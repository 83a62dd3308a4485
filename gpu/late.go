package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/pointer"

// putOff implements hook.Late.
func putOff(device any, execute func(wait bool) error) {
	pointer.Store(&device.(*Device).late, &execute)
}

// settle executes work that has been put off.
func (d *Device) settle() error { return d.execute(true) }

// execute executes work that has been put off or, unless it shall wait, leaves it if other work is just being prepared, maybe by the caller.
func (d *Device) execute(wait bool) error {
	if execute := pointer.Load[func(wait bool) error](&d.late); execute != nil {
		return (*execute)(wait)
	}
	return nil
}

// settling executes work that has been put off, which is not part of f, and returns a function that calls f and executes what f has put
// off.
func (d *Device) settling(f func() error) (func() error, error) {
	return func() error {
		err := f()
		if late := d.settle(); err == nil {
			err = late
		}
		return err
	}, d.settle()
}
