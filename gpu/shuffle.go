package gpu

// shuffle implements gpuhooks.Shuffle.
func shuffle(seed uint32, f func() error) error {
	const op = "running in a random order"
	d, err := Current()
	if err != nil {
		return wrap(op, err)
	}
	if seed == 0 {
		return misuse(op, "the seed 0 stands for no random order: take any other")
	}
	if f, err = d.settling(f); err != nil {
		return wrap(op, err)
	}
	before := d.watchers.order.Swap(seed)
	defer d.watchers.order.Store(before)
	err = f()
	if syncErr := d.link.Sync(); err == nil {
		err = wrap(op, syncErr)
	}
	return err
}
