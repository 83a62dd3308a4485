package sim

import "testing"

// Chunks are far apart, and do not begin in the same places of a processor's caches: the bits of addresses below 28 decide on those.
func TestChunksAreStaggered(t *testing.T) {
	d, err := New().Open(0)
	check(t, err)
	defer d.Close()
	places := map[uint64]int{}
	end := uint64(0)
	for i, size := range []uint64{1, 4 << 20, 4 << 20, 4 << 20, 1<<30 - 1, 4 << 20, 1 << 30, 4 << 20, 1<<30 + 1, 64 << 10, 1 << 31, 1 << 20} {
		c, err := d.CreateChunk(size, 0)
		check(t, err)
		defer closeFD(c.FD)
		if c.Addr%(2<<20) != 0 || c.Size < size {
			t.Errorf("chunk %d of %d bytes has %d at %#x", i, size, c.Size, c.Addr)
		}
		if end != 0 && c.Addr-end < guard {
			t.Errorf("chunk %d begins %d bytes behind the one before", i, c.Addr-end)
		}
		end = c.Addr + c.Size
		place := c.Addr % (1 << 28)
		if before, ok := places[place]; ok {
			t.Errorf("chunks %d and %d both begin at %#x modulo 2^28", before, i, place)
		}
		places[place] = i
	}
}
