package gpu

// fillAllocated implements gpuhooks.FillAllocated.
func fillAllocated(value byte, f func() error) error {
	d, err := Current()
	if err != nil {
		return wrap("filling new buffers", err)
	}
	before := d.watchers.fill.Swap(&value)
	defer d.watchers.fill.Store(before)
	return f()
}
