package mapped

import (
	"bytes"
	"errors"
	"maps"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// contents returns the contents of mapped memory, also on a GPU.
func contents(t *testing.T, m *Memory) []byte {
	t.Helper()
	if m.Device < 0 {
		return m.Bytes()
	}
	host := gpu.Pinned[byte](m.bytes) // whose address does not move
	defer func() { _ = gpu.Unpin(host) }()
	if err := Copy(m.Device, Transfer{address(host), m.Address, len(host)}); err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(host)
}

func address(s []byte) uintptr { return uintptr(unsafe.Pointer(&s[0])) }

func TestMappedMemoryIsKept(t *testing.T) {
	const n = 1000
	m, err := Map(gpu.ToDevice(bytes.Repeat([]byte{7}, n)))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		runtime.GC()
		time.Sleep(time.Millisecond) // for what runs after a collection
		gpu.Zeros[byte](n)
	}
	if got := contents(t, m); !bytes.Equal(got, bytes.Repeat([]byte{7}, n)) {
		t.Errorf("memory that is mapped was used again: %v", got[:10])
	}
	if err := errors.Join(m.Release(), m.Release()); err != nil {
		t.Error(err)
	}
}

func TestStretchesAreMappedOnce(t *testing.T) {
	a, b := gpu.ToDevice([]byte{1, 2, 3}), gpu.ToDevice([]byte{4, 5})
	m, err := Map(a)
	if err != nil {
		t.Fatal(err)
	}
	o, err := Map(b.Slice(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Address-m.Address, uintptr(b.Address()+1-a.Address()); got != want {
		t.Errorf("the second buffer is %d bytes behind the first, want %d", got, want)
	}
	if err := m.Release(); err != nil {
		t.Error(err)
	}
	if got := contents(t, o); !bytes.Equal(got, []byte{5}) {
		t.Errorf("got %v after the other's release", got)
	}
	if err := o.Release(); err != nil {
		t.Error(err)
	}
	if o, err = Map(b); err != nil || o.Address != m.Address+uintptr(b.Address()-a.Address()) {
		t.Errorf("mapped again it is elsewhere: %v", err)
	}
	if err := o.Release(); err != nil {
		t.Error(err)
	}
	if err := a.Free(); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(a); err == nil {
		t.Error("a freed buffer was mapped")
	}
}

func mappings() int {
	table.Lock()
	defer table.Unlock()
	return len(table.mapped)
}

// TestReleasedMemoryIsUnmapped maps a new range, returns it to the device, and finds that it is no longer mapped.
func TestReleasedMemoryIsUnmapped(t *testing.T) {
	before := mappings()
	b := gpu.Alloc[byte](100 << 20)
	m, err := Map(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := mappings(); got != before+1 {
		t.Fatalf("%d stretches are mapped, want %d", got, before+1)
	}
	free := func() {
		t.Helper()
		if err := errors.Join(b.Free(), b.Device().Trim(0)); err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			if mappings() <= before {
				return
			}
			time.Sleep(time.Millisecond) // it goes by a goroutine
		}
		t.Errorf("%d stretches are mapped, want %d", mappings(), before)
	}
	if err := b.Free(); err == nil || !strings.Contains(err.Error(), "another library of this process has it") {
		t.Errorf("freeing what is mapped: %v", err)
	}
	if err := m.Release(); err != nil {
		t.Fatal(err)
	}
	free()
	// Memory that the device has freed while it was mapped is unmapped by its last user.
	before = mappings()
	b = gpu.Alloc[byte](100 << 20)
	if m, err = Map(b); err != nil {
		t.Fatal(err)
	}
	at := m.at
	table.Lock()
	all := maps.Clone(table.mapped)
	table.Unlock()
	for shared, its := range all {
		if its == at {
			forget(shared)
		}
	}
	if err := m.Release(); err != nil || !at.gone || at.users != 0 {
		t.Errorf("released: %v, %+v", err, at)
	}
	if err := b.Free(); err != nil {
		t.Error(err)
	}
}

// BenchmarkMap maps a range and unmaps it, which is done once for each range.
func BenchmarkMap(b *testing.B) {
	buf := gpu.Alloc[byte](64 << 20)
	for b.Loop() {
		m, err := Map(buf)
		if err != nil {
			b.Fatal(err)
		}
		table.Lock()
		at := m.at
		all := maps.Clone(table.mapped)
		table.Unlock()
		for shared, its := range all {
			if its == at {
				forget(shared)
			}
		}
		if err := m.Release(); err != nil {
			b.Fatal(err)
		}
	}
}
