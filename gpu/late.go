package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/pointer"

// putOff implements hook.Late.
func putOff(device any, execute func() error) { pointer.Store(&device.(*Device).late, &execute) }

// settle executes work that has been put off.
func (d *Device) settle() error {
	if execute := pointer.Load[func() error](&d.late); execute != nil {
		return (*execute)()
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
