package backendtest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

func testChunks(t *testing.T, s *suite) {
	r := newRig(t, s)
	_, err := r.d.CreateChunk(0, 0)
	wantError(t, "a chunk of nothing", err, 1)
	_, err = r.d.CreateChunk(1<<50, 0)
	wantError(t, "a chunk of 1 PiB", err, 2)

	var chunks []backend.Chunk
	for _, size := range []uint64{1, 5000, 3 << 20} {
		c, err := r.d.CreateChunk(size, 0)
		try(t, err)
		if c.Size < size || c.Addr == 0 || c.Addr%256 != 0 {
			t.Errorf("asked for %d bytes, got %+v", size, c)
		}
		for _, o := range chunks {
			if c.Addr < o.Addr+o.Size && o.Addr < c.Addr+c.Size {
				t.Errorf("chunks overlap: %+v and %+v", c, o)
			}
		}
		chunks = append(chunks, c)
	}
	for i, c := range chunks {
		// The last byte can be written, and belongs to this chunk.
		try(t, r.d.CopyHtoD(c.Addr+c.Size-1, []byte{byte(i + 1)}, 0))
	}
	for i, c := range chunks {
		got := []byte{0}
		try(t, r.d.CopyDtoH(got, c.Addr+c.Size-1, 0))
		try(t, r.d.Sync())
		if got[0] != byte(i+1) {
			t.Errorf("chunk %d holds %d", i, got[0])
		}
		closeFD(c.FD)
		try(t, r.d.ReleaseChunk(c.Addr))
	}
	wantError(t, "a chunk released twice", r.d.ReleaseChunk(chunks[0].Addr), 1)
}

// exported returns a chunk with these bytes. It skips the test where chunks cannot be shared.
func exported(t *testing.T, d backend.Device, data []byte) backend.Chunk {
	t.Helper()
	c, err := d.CreateChunk(uint64(len(data)), 0)
	try(t, err)
	if c.FD < 0 {
		t.Skip("SKIPPED: this device's memory cannot be shared between processes")
	}
	t.Cleanup(func() { closeFD(c.FD) })
	try(t, d.CopyHtoD(c.Addr, data, 0))
	try(t, d.Sync())
	return c
}

const exportedBytes = 1<<20 + 13

func testChunkInNewProcess(t *testing.T, s *suite) {
	r := newRig(t, s)
	data := pseudo(exportedBytes)
	c := exported(t, r.d, data)
	out, err := s.child("import", c.FD, fmt.Sprintf("%d %d", c.Addr, c.Size))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// The other process has reversed the bytes.
	slices.Reverse(data)
	got := make([]byte, exportedBytes)
	try(t, r.d.CopyDtoH(got, c.Addr, 0))
	try(t, r.d.Sync())
	sameBytes(t, "what the other process wrote", got, data)
}

// roleImport is the process that imports the chunk: it checks the bytes at the same address, by copies and in a kernel, and
// reverses them.
func roleImport(t *testing.T, s *suite, c backend.Chunk) {
	d, err := s.b.Open(0)
	try(t, err)
	try(t, d.ImportChunk(c))
	r := &rig{t: t, d: d, chunk: c}
	got := make([]byte, exportedBytes)
	try(t, d.CopyDtoH(got, c.Addr, 0))
	try(t, d.Sync())
	if !bytes.Equal(got, pseudo(exportedBytes)) {
		t.Fatal("the imported chunk holds something else")
	}
	// New chunks do not overlap the imported one.
	fresh, err := d.CreateChunk(1<<20, 0)
	try(t, err)
	if fresh.Addr < c.Addr+c.Size && c.Addr < fresh.Addr+fresh.Size {
		t.Fatalf("a new chunk %+v overlaps the imported %+v", fresh, c)
	}
	k := r.load(backend.Program{Source: `
		__global__ void reverse(unsigned char *p, int n) {
			int i = blockIdx.x * blockDim.x + threadIdx.x;
			if (i < n / 2) {
				unsigned char keep = p[i];
				p[i] = p[n - 1 - i];
				p[n - 1 - i] = keep;
			}
		}`})
	try(t, d.Launch(launch(k["reverse"], [3]uint32{exportedBytes/512 + 1, 1, 1}, [3]uint32{256, 1, 1}, 0, c.Addr, int32(exportedBytes))))
	try(t, d.Sync())
}

func testCopies(t *testing.T, s *suite) {
	r := newRig(t, s)
	base := r.alloc(4 << 20)
	for _, size := range []int{0, 1, 3, 4, 7, 64, 4095, 4096, 65537, 1<<20 + 1} {
		for _, offset := range []int{0, 1, 13} {
			what := fmt.Sprintf("%d bytes at offset %d", size, offset)
			data := pseudo(size + offset)[offset:]
			at := base + uint64(offset)
			try(t, r.d.CopyHtoD(at, data, 0))
			try(t, r.d.CopyDtoD(at+2<<20, at, uint64(size), 0))
			got := make([]byte, size)
			try(t, r.d.CopyDtoH(got, at+2<<20, 0))
			try(t, r.d.Sync())
			sameBytes(t, what, got, data)
		}
	}
	// Adjacent bytes do not change.
	try(t, r.d.CopyHtoD(base, []byte{1, 2, 3, 4, 5}, 0))
	try(t, r.d.CopyHtoD(base+2, []byte{9}, 0))
	wantSlice(t, "neighbours", download[byte](r, base, 5), []byte{1, 2, 9, 4, 5})

	// Copies of registered memory give the same result.
	pinned := hostPages(t, 1<<16)
	copy(pinned, pseudo(1<<16))
	try(t, r.d.RegisterHost(pinned))
	try(t, r.d.CopyHtoD(base, pinned, 0))
	try(t, r.d.Sync())
	back := download[byte](r, base, 1<<16)
	sameBytes(t, "from registered memory", back, pseudo(1<<16))
	clear(pinned)
	try(t, r.d.CopyDtoH(pinned, base, 0))
	try(t, r.d.Sync())
	sameBytes(t, "to registered memory", pinned, back)
	try(t, r.d.UnregisterHost(pinned))

	if err := r.d.CopyHtoD(16, []byte{1}, 0); err == nil {
		t.Error("a copy to address 16 was accepted")
	}
}

func testFill(t *testing.T, s *suite) {
	r := newRig(t, s)
	for _, pattern := range [][]byte{{0}, {0xab}, {1, 2}, {1, 2, 3, 4}} {
		for _, count := range []int{0, 1, 5, 1000, 100003} {
			n := count * len(pattern)
			addr := r.alloc(n + 8)
			try(t, r.d.Fill(addr, []byte{0x77}, uint64(n+8), 0))
			try(t, r.d.Fill(addr+4, pattern, uint64(n), 0))
			want := append(bytes.Repeat([]byte{0x77}, 4), bytes.Repeat(pattern, count)...)
			want = append(want, 0x77, 0x77, 0x77, 0x77)
			sameBytes(t, fmt.Sprintf("%d times %v", count, pattern), download[byte](r, addr, n+8), want)
		}
	}
	addr := r.alloc(64)
	wantError(t, "a pattern of 3 bytes", r.d.Fill(addr, []byte{1, 2, 3}, 6, 0), 1)
	wantError(t, "5 bytes of a pattern of 2", r.d.Fill(addr, []byte{1, 2}, 5, 0), 1)
}

// testRects copies rectangles between memory with and without gaps between the rows.
func testRects(t *testing.T, s *suite) {
	r := newRig(t, s)
	const pitch = 512
	for _, size := range []struct{ width, rows uint64 }{{1, 1}, {5, 3}, {511, 2}, {512, 100}, {300, 0}, {0, 7}} {
		what := fmt.Sprintf("%d rows of %d bytes", size.rows, size.width)
		n := int(size.width * size.rows)
		wide, tight := r.alloc(100*pitch), r.alloc(100*pitch)
		try(t, r.d.Fill(wide, []byte{0x55}, 100*pitch, 0))
		data := pseudo(n)
		rect := backend.Rect{SrcPitch: size.width, DstPitch: pitch, Width: size.width, Rows: size.rows}
		up := rect
		up.Dst, up.SrcHost = wide, append(data, 1) // never empty, so that SrcHost is set
		try(t, r.d.CopyRect(&up))
		whole := download[byte](r, wide, 100*pitch)
		for i := range whole {
			row, col := uint64(i/pitch), uint64(i%pitch)
			want := byte(0x55)
			if row < size.rows && col < size.width {
				want = data[row*size.width+col]
			}
			if whole[i] != want {
				t.Fatalf("%s: byte %d of row %d is %d, want %d", what, col, row, whole[i], want)
			}
		}
		down := backend.Rect{Src: wide, DstHost: make([]byte, n+1), SrcPitch: pitch, DstPitch: size.width, Width: size.width, Rows: size.rows}
		try(t, r.d.CopyRect(&down))
		try(t, r.d.Sync())
		sameBytes(t, what+", back", down.DstHost[:n], data)
		across := backend.Rect{Dst: tight, Src: wide, SrcPitch: pitch, DstPitch: size.width, Width: size.width, Rows: size.rows}
		try(t, r.d.CopyRect(&across))
		sameBytes(t, what+", on the device", download[byte](r, tight, n), data)
	}
	if err := r.d.CopyRect(&backend.Rect{Dst: r.alloc(64), Src: 16, DstPitch: 4, SrcPitch: 4, Width: 4, Rows: 2}); err == nil {
		t.Error("a copy from address 16 was accepted")
	}
}
