package driver

import (
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// On a machine without a driver the calls must return errors with explanations; with a driver their results must be consistent.
func TestCountAgreesWithOpen(t *testing.T) {
	b := New()
	if b.Name() != "cuda" {
		t.Errorf("name %q", b.Name())
	}
	n, err := b.Count()
	if err != nil && (n != 0 || len(err.Error()) < 20) {
		t.Errorf("%d devices and the error %q", n, err)
	}
	if _, err := b.Open(n); err == nil {
		t.Errorf("opened device %d of %d", n, n)
	}
	if _, err := b.Open(-1); err == nil {
		t.Error("opened device -1")
	}
}

// The driver reads these as C structs.
func TestStructLayout(t *testing.T) {
	for _, s := range []struct {
		name      string
		got, want uintptr
	}{
		{"CUmemAllocationProp", unsafe.Sizeof(allocationProp{}), 32},
		{"CUmemAllocationProp.location", unsafe.Offsetof(allocationProp{}.location), 8},
		{"CUmemAccessDesc", unsafe.Sizeof(accessDesc{}), 12},
		{"CUmemAccessDesc.flags", unsafe.Offsetof(accessDesc{}.flags), 8},
		{"two pointers", unsafe.Sizeof(jitValues{}), 16},
	} {
		if s.got != s.want {
			t.Errorf("%s: %d, want %d", s.name, s.got, s.want)
		}
	}
}

func TestBindNamesWhatIsMissing(t *testing.T) {
	handle, _, err := openLibrary([]string{"libno-such-library.so.9", "libc.so.6"})
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Abs    func(x int32) int32 `c:"abs"`
		Labs   symbol              `c:"labs"`
		Absent symbol              `c:"no_such_function,optional"`
	}
	if err := bind(handle, &table); err != nil {
		t.Fatal(err)
	}
	if a, b := table.Abs(-3), table.Labs.call(^uintptr(4)+1); a != 3 || b != 4 || table.Absent != 0 {
		t.Errorf("abs(-3) = %d, labs(-4) = %d, absent function at %d", a, b, table.Absent)
	}
	var bad struct {
		Abs   symbol `c:"abs"`
		Never symbol `c:"no_such_function"`
	}
	if err := bind(handle, &bad); err == nil || err.Error() != "it lacks no_such_function" {
		t.Errorf("got %v", err)
	}
	if _, _, err := openLibrary([]string{"libno-such-library.so.9"}); err == nil {
		t.Error("opened a library that is not there")
	}
}

func TestKeptArgumentsCostNoAllocation(t *testing.T) {
	handle, _, err := openLibrary([]string{"libc.so.6"})
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Labs symbol `c:"labs"`
	}
	if err := bind(handle, &table); err != nil {
		t.Fatal(err)
	}
	args := make([]uintptr, 11)
	allocs := testing.AllocsPerRun(100, func() { table.Labs.callKept(args) })
	if allocs > 0 && !raceEnabled {
		t.Errorf("%v allocations a call", allocs)
	}
}

// snprintf has a variable number of arguments, those after the sixth on the stack.
func TestSymbolCallHandsOnAllArguments(t *testing.T) {
	handle, _, err := openLibrary([]string{"libc.so.6"})
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Print symbol `c:"snprintf"`
	}
	if err := bind(handle, &table); err != nil {
		t.Fatal(err)
	}
	format := []byte("%ld %ld %ld %ld %ld %ld %ld %ld\x00")
	text := make([]byte, 100)
	for range 3 {
		n := table.Print.call(uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), uintptr(unsafe.Pointer(&format[0])), 1, 22, 1<<40, 4, 5, 6, 7, 8)
		if want := "1 22 1099511627776 4 5 6 7 8"; string(text[:n]) != want {
			t.Fatalf("got %q, want %q", text[:n], want)
		}
		// Arguments that are not given are 0, and not those of the previous call.
		n = table.Print.call(uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), uintptr(unsafe.Pointer(&format[12])))
		if want := "0 0 0 0 0"; string(text[:n]) != want {
			t.Fatalf("got %q, want %q", text[:n], want)
		}
	}
}

func TestIsCode(t *testing.T) {
	if !isCode(invalidValue("x"), errInvalidValue) || isCode(nil, errInvalidValue) || isCode(&backend.CompileError{}, errInvalidValue) {
		t.Error("isCode misreads errors")
	}
}

func BenchmarkSymbolCall(b *testing.B) {
	handle, _, err := openLibrary([]string{"libc.so.6"})
	if err != nil {
		b.Fatal(err)
	}
	var table struct {
		Labs symbol `c:"labs"`
	}
	if err := bind(handle, &table); err != nil {
		b.Fatal(err)
	}
	args := make([]uintptr, 11)
	b.ReportAllocs()
	for b.Loop() {
		table.Labs.callKept(args)
	}
}
