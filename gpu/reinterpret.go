package gpu

// Reinterpret returns a view of a buffer's memory as elements of another type; the bytes do not change. It panics if the buffer's size is
// not a multiple of the element's size, or if its address is not, as the device requires.
func Reinterpret[To, From Element](b *Buffer[From]) *Buffer[To] {
	const op = "taking a view of a buffer as another type"
	if err := b.made(); err != nil {
		panic(wrap(op, err))
	}
	size := sizeOf[To]()
	var to To
	if b.Bytes()%size != 0 {
		panic(misuse(op, "%d bytes are no whole number of %T, which has %d", b.Bytes(), to, size))
	}
	if b.addr%uint64(size) != 0 {
		panic(misuse(op, "a %T cannot lie at address %#x, which is no multiple of %d", to, b.addr, size))
	}
	return &Buffer[To]{block: b.block, addr: b.addr, n: b.Bytes() / size, view: true}
}
