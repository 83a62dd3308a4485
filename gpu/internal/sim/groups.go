package sim

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/collective"
)

// GroupID returns nothing: the members share memory.
func (d *device) GroupID() ([]byte, error) { return nil, d.alive() }

// Join makes the device a member of a group.
func (d *device) Join(group uint32, m backend.Membership) (backend.Wait, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	g, err := collective.New(m.Shared, m.Rank, m.Size)
	if err != nil {
		return nil, wrap(codeInvalidValue, err, "forming a group of devices")
	}
	d.groups[group] = g
	return backend.Background(func() error { g.Join(); return nil }), nil
}

// Collect executes this device's part and waits for the other members.
func (d *device) Collect(group uint32, c *routine.Collective, stream uint32) error {
	if err := d.onStream(stream); err != nil {
		return err
	}
	g := d.groups[group]
	if g == nil {
		return errorf(codeInvalidHandle, "the device is no member of group %d", group)
	}
	in, out := g.Needs(c)
	src, err := d.part(c.Src, in)
	if err != nil {
		return err
	}
	dst, err := d.part(c.Dst, out)
	if err != nil {
		return err
	}
	if err := g.Collect(c, dst, src); err != nil {
		return wrap(codeInvalidValue, err, "a collective")
	}
	if out > 0 {
		d.checks.memory.Written(c.Dst, out)
	}
	return nil
}

// part returns device memory as a slice, or nil for 0 bytes.
func (d *device) part(addr, n uint64) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	return d.memory.bytes(addr, n)
}

// Leave removes the device from a group.
func (d *device) Leave(group uint32) error {
	if d.groups[group] == nil {
		return errorf(codeInvalidHandle, "the device is no member of group %d", group)
	}
	delete(d.groups, group)
	return nil
}
