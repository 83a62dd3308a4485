package gpu

// Shuffle runs f and has the blocks and threads of all launches in it run in a random order that
// follows from the seed, if the current device is the simulator, which otherwise has the same
// order every time. A GPU has no order, so there f just runs. The seed must not be 0. Launches of
// graphs keep the order that the device has. The error is f's, or that of the work it has
// given to the device, which has ended on return.
func Shuffle(seed uint32, f func() error) error {
	const op = "running in a random order"
	d, err := Current()
	if err != nil {
		return wrap(op, err)
	}
	if seed == 0 {
		return misuse(op, "the seed 0 stands for no random order: take any other")
	}
	before := d.watchers.order.Swap(seed)
	defer d.watchers.order.Store(before)
	err = f()
	if syncErr := d.link.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	return err
}
