package backendtest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// rigBytes is the size of a rig's device memory.
const rigBytes = 16 << 20

// A rig is an opened device with some memory, and helpers for tests.
type rig struct {
	t     *testing.T
	d     backend.Device
	chunk backend.Chunk
	used  uint64
	mods  uint32
	funcs uint32
}

func newRig(t *testing.T, s *suite) *rig {
	t.Helper()
	d, err := s.b.Open(0)
	try(t, err)
	r := &rig{t: t, d: d}
	t.Cleanup(func() {
		closeFD(r.chunk.FD)
		if err := d.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	r.chunk, err = d.CreateChunk(rigBytes, 0)
	if err != nil {
		r.chunk.FD = -1
	}
	try(t, err)
	return r
}

func try(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// alloc allocates n bytes, aligned as by cudaMalloc.
func (r *rig) alloc(n int) uint64 {
	r.t.Helper()
	addr := r.chunk.Addr + r.used
	r.used += (uint64(n) + 255) &^ 255
	if r.used > rigBytes {
		r.t.Fatal("the test needs more device memory than its rig has")
	}
	if c, ok := r.d.(backend.Checker); ok {
		try(r.t, c.Allocated(addr, uint64(n), true))
	}
	return addr
}

// bytesOf returns the memory of a slice of numbers as bytes.
func bytesOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

func upload[T any](r *rig, s []T) uint64 {
	r.t.Helper()
	addr := r.alloc(len(bytesOf(s)))
	try(r.t, r.d.CopyHtoD(addr, bytesOf(s), 0))
	return addr
}

func download[T any](r *rig, addr uint64, n int) []T {
	r.t.Helper()
	s := make([]T, n)
	try(r.t, r.d.CopyDtoH(bytesOf(s), addr, 0))
	try(r.t, r.d.Sync())
	return s
}

// load compiles and loads a program and returns handles by kernel name.
func (r *rig) load(p backend.Program) map[string]uint32 {
	r.t.Helper()
	if p.Name == "" {
		p.Name = "test.cu"
	}
	img, err := r.d.Compile(p)
	try(r.t, err)
	r.mods++
	try(r.t, r.d.Load(r.mods, img))
	handles := map[string]uint32{}
	for name := range img.Lowered {
		r.funcs++
		_, err := r.d.Function(r.funcs, r.mods, name)
		try(r.t, err)
		handles[name] = r.funcs
	}
	return handles
}

// launch returns a launch on the default stream.
func launch(fn uint32, grid, block [3]uint32, shared uint32, args ...any) *backend.Launch {
	return &backend.Launch{Func: fn, Grid: grid, Block: block, SharedBytes: shared, Args: pack(args...)}
}

// pack returns a parameter buffer, with each value at its natural alignment.
func pack(args ...any) []byte {
	var b []byte
	for _, a := range args {
		size := int(reflect.TypeOf(a).Size())
		for len(b)%size != 0 {
			b = append(b, 0xee) // padding that must not be read
		}
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, a); err != nil {
			panic(fmt.Sprintf("pack: %v", err)) // a test passes an argument that is not a number
		}
	}
	return b
}

// wantError checks that err has the code and is not fatal.
func wantError(t *testing.T, what string, err error, code int) {
	t.Helper()
	var e *backend.Error
	if !errors.As(err, &e) || e.Code != code || e.Fatal || e.Name == "" || e.Message == "" {
		t.Errorf("%s: got %#v, want a refusal with code %d", what, err, code)
	}
}

func wantSlice[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d elements, want %d", what, len(got), len(want))
		return
	}
	wrong := 0
	for i := range got {
		if got[i] != want[i] {
			if wrong++; wrong <= 3 {
				t.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s: %d elements are wrong", what, wrong)
	}
}

func wantClose(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// pseudo returns bytes of a fixed pseudo-random sequence.
func pseudo(n int) []byte {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}

func sameBytes(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		i := 0
		for i < len(got) && i < len(want) && got[i] == want[i] {
			i++
		}
		t.Errorf("%s: differs from byte %d on (%d and %d bytes)", what, i, len(got), len(want))
	}
}
