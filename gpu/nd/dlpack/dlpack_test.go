package dlpack

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device/devicetest"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// foreign is a library in C that takes and makes tensors.
type foreign struct {
	weigh      func(t *ManagedTensorVersioned, factor float64) float64
	weighPlain func(t *ManagedTensor, factor float64) float64
	make       func(rows, columns int64) *ManagedTensorVersioned
	makePlain  func(rows, columns int64) *ManagedTensor
	deletions  func() int32
}

var compileForeign = sync.OnceValues(func() (*foreign, error) {
	dir, err := os.MkdirTemp("", "dlpack")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "foreign.so")
	if out, err := exec.Command(cmp.Or(os.Getenv("CC"), "gcc"), "-shared", "-fPIC", "-Wall", "-Werror", "-o", file, "testdata/foreign.c", "-ldl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	handle, err := purego.Dlopen(file, purego.RTLD_NOW)
	if err != nil {
		return nil, err
	}
	f := new(foreign)
	purego.RegisterLibFunc(&f.weigh, handle, "weigh")
	purego.RegisterLibFunc(&f.weighPlain, handle, "weigh_plain")
	purego.RegisterLibFunc(&f.make, handle, "make")
	purego.RegisterLibFunc(&f.makePlain, handle, "make_plain")
	purego.RegisterLibFunc(&f.deletions, handle, "deletions")
	return f, nil
})

func library(t *testing.T) *foreign {
	t.Helper()
	f, err := compileForeign()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// none fails if there are tensors that have not been deleted.
func none(t *testing.T) {
	t.Helper()
	exports.Lock()
	defer exports.Unlock()
	if n := len(exports.table); n > 0 {
		t.Errorf("%d tensors were not deleted", n)
	}
}

// weight returns the sum that the library computes for a tensor, in which indices are weights.
func weight(a *nd.Array[float32]) float64 {
	shape := a.Shape()
	var sum float64
	for i, v := range a.ToHost() {
		w := float64(v)
		for axis := len(shape) - 1; axis >= 0; axis-- {
			w *= float64(i%shape[axis] + 1)
			i /= shape[axis]
		}
		sum += w
	}
	return sum
}

func TestCSharesArrays(t *testing.T) {
	lib := library(t)
	base := nd.Arange[float32](60).Reshape(3, 4, 5).Eval()
	for name, a := range map[string]*nd.Array[float32]{
		"dense":      nd.Arange[float32](12).Reshape(3, 4),
		"transposed": base.Transpose(2, 0, 1),
		"slice":      base.Slice(nd.At(1), nd.R(1, 4), nd.From(1).By(2)),
		"backwards":  base.Flip(0, 2),
		"expression": nd.Ones[float32](7).Add(nd.Arange[float32](7)),
		"scalar":     nd.Scalar[float32](2.5),
		"empty":      nd.Zeros[float32](3, 0),
	} {
		want, host := weight(a), a.ToHost()
		tensor, err := Export(a)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		runtime.GC() // C's tensor must not move or go
		if got := lib.weigh(tensor, 3); got != want {
			t.Errorf("%s: C counts %v, want %v", name, got, want)
		}
		for i := range host {
			host[i] *= 3
		}
		if got := a.ToHost(); !slices.Equal(got, host) {
			t.Errorf("%s: after C's writes the array is %v, want %v", name, got, host)
		}
		plain, err := ExportUnversioned(a)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := lib.weighPlain(plain, 1); got != 3*want {
			t.Errorf("%s: C counts %v without versions, want %v", name, got, 3*want)
		}
	}
	none(t)
}

func TestTensorKeepsMemory(t *testing.T) {
	lib := library(t)
	tensor, err := Export(nd.Full[float32](4, 1000))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		runtime.GC()
		nd.Zeros[float32](1000).Eval()
	}
	if got, want := lib.weigh(tensor, 1), 4*1000.0*1001/2; got != want {
		t.Errorf("C counts %v, want %v", got, want)
	}
	held := nd.Ones[float32](3)
	if tensor, err = Export(held); err != nil {
		t.Fatal(err)
	}
	if err := held.Eval().Free(); err == nil || !strings.Contains(err.Error(), "another library of this process has it") {
		t.Errorf("freeing what was exported: %v", err)
	}
	if err := errors.Join(tensor.Delete(), held.Free()); err != nil {
		t.Errorf("freeing what was given up: %v", err)
	}
	// An array that is written while an expression needs it moves to other memory. The tensor's stays.
	a := nd.Full[float32](4, 1000).Eval()
	if tensor, err = Export(a); err != nil {
		t.Fatal(err)
	}
	b := a.AddScalar(1)
	a.Fill(0)
	b.Eval()
	b = nil
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond) // for what runs after a collection
		nd.Zeros[float32](1000).Eval()
	}
	if got, want := lib.weigh(tensor, 1), 4*1000.0*1001/2; got != want {
		t.Errorf("after a write elsewhere C counts %v, want %v", got, want)
	}
	none(t)
}

func TestExportWaits(t *testing.T) {
	lib := library(t)
	a := nd.Ones[float32](1 << 20)
	for range 5 {
		a = nd.Cumsum(a.MulScalar(0.5)).MulScalar(0).AddScalar(1).Eval()
	}
	const n = 1000
	tensor, err := Export(a.Slice(nd.From(-n))) // the last one computed
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lib.weigh(tensor, 1), n*(n+1)/2.0; got != want {
		t.Errorf("C counts %v, want %v", got, want)
	}
	none(t)
}

func TestEveryTypeGoesRoundWithoutCopy(t *testing.T) {
	for _, a := range []nd.Operand{
		nd.Zeros[bool](2), nd.Zeros[int8](2), nd.Zeros[int16](2), nd.Zeros[int32](2), nd.Zeros[int64](2),
		nd.Zeros[uint8](2), nd.Zeros[uint16](2), nd.Zeros[uint32](2), nd.Zeros[uint64](2),
		nd.Zeros[nd.Float16](2), nd.Zeros[nd.BFloat16](2), nd.Zeros[float32](2), nd.Zeros[float64](2),
		nd.Zeros[complex64](2), nd.Zeros[complex128](2),
	} {
		tensor, err := Export(a)
		if err != nil {
			t.Fatal(err)
		}
		if want := uint8(8 * nd.RawOf(a).DType.Size()); tensor.Tensor.DType.Bits != want {
			t.Errorf("%T has %d bits, want %d", a, tensor.Tensor.DType.Bits, want)
		}
		b, err := Import(tensor)
		if err != nil || b != a {
			t.Errorf("%T came back as %T: %v", a, b, err)
		}
		c, err := ExportCopy(a)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Import(c)
		if err != nil || d == a || fmt.Sprintf("%T", d) != fmt.Sprintf("%T", a) {
			t.Errorf("a copy of %T came back as %T: %v", a, d, err)
		}
	}
	none(t)
}

func TestCopiesAreTheConsumers(t *testing.T) {
	lib := library(t)
	a := nd.Arange[float32](6).Reshape(2, 3)
	tensor, err := ExportCopy(a.T())
	if err != nil {
		t.Fatal(err)
	}
	if tensor.Flags != FlagCopied || tensor.Tensor.Device.Type != CPU {
		t.Errorf("flags %d on %v", tensor.Flags, tensor.Tensor.Device.Type)
	}
	if got, want := lib.weigh(tensor, 100), weight(a.T().Copy()); got != want {
		t.Errorf("C counts %v, want %v", got, want)
	}
	if got := a.ToHost(); !slices.Equal(got, []float32{0, 1, 2, 3, 4, 5}) {
		t.Errorf("C's writes to a copy made the array %v", got)
	}
	none(t)
}

func TestSlices(t *testing.T) {
	lib := library(t)
	pinned := gpu.Pinned[float32](6)
	for name, s := range map[string][]float32{"Go's": make([]float32, 6), "pinned": pinned} {
		for i := range s {
			s[i] = float32(i)
		}
		tensor, err := ExportSlice(s, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		if tensor.Tensor.Data != uintptr(unsafe.Pointer(&s[0])) {
			t.Errorf("%s slice was copied", name)
		}
		if got, want := lib.weigh(tensor, 2), float64(1*(0+2*1+3*2)+2*(3+2*4+3*5)); got != want {
			t.Errorf("%s: C counts %v, want %v", name, got, want)
		}
		if s[5] != 10 {
			t.Errorf("%s: C's write is lost: %v", name, s)
		}
	}
	if err := gpu.Unpin(pinned); err != nil {
		t.Error(err)
	}
	if _, err := ExportSlice(make([]int8, 5), 2, 3); err == nil || !strings.Contains(err.Error(), "5 elements have not the shape [2 3]") {
		t.Errorf("a false shape: %v", err)
	}
	none(t)
}

func TestImportOfForeignTensors(t *testing.T) {
	lib := library(t)
	before := lib.deletions()
	want := []int16{0, 1, 2, 3, 4, 5}
	every := lib.make(2, 3) // every second column
	unsafe.Slice(every.Tensor.Shape, 2)[1], unsafe.Slice(every.Tensor.Strides, 2)[1] = 2, 4
	if a, err := Import(every); err != nil || !slices.Equal(a.(*nd.Array[int16]).ToHost(), []int16{0, 2, 3, 5}) {
		t.Errorf("every second column: %v, %v", a, err)
	}
	for name, load := range map[string]func() (nd.Operand, error){
		"versioned": func() (nd.Operand, error) { return Import(lib.make(2, 3)) },
		"plain":     func() (nd.Operand, error) { return ImportUnversioned(lib.makePlain(2, 3)) },
	} {
		a, err := load()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, ok := a.(*nd.Array[int16]); !ok || !slices.Equal(got.Shape(), []int{2, 3}) || !slices.Equal(got.ToHost(), want) {
			t.Errorf("%s: got %v", name, a)
		}
	}
	if got := lib.deletions() - before; got != 3 {
		t.Errorf("%d deletions, want 3", got)
	}
	for want, spoil := range map[string]func(m *ManagedTensorVersioned){
		"version 2 of DLPack":  func(m *ManagedTensorVersioned) { m.Major = 2 },
		"no arrays of int16x4": func(m *ManagedTensorVersioned) { m.Tensor.DType.Lanes = 4 },
		"code 9 of 16 bits":    func(m *ManagedTensorVersioned) { m.Tensor.DType.Code = 9 },
		"DLDeviceType 7":       func(m *ManagedTensorVersioned) { m.Tensor.Device.Type = 7 },
		"it has -1 axes":       func(m *ManagedTensorVersioned) { m.Tensor.NDim = -1 },
		"its shape is [-5 3]":  func(m *ManagedTensorVersioned) { *m.Tensor.Shape = -5 },
		"with strides [1 -2]": func(m *ManagedTensorVersioned) {
			m.Tensor.Device.Type = CUDA
			unsafe.Slice(m.Tensor.Strides, 2)[1] = -2
		},
		"shape is [281474976710": func(m *ManagedTensorVersioned) { *m.Tensor.Shape = 1 << 48 },
	} {
		before := lib.deletions()
		m := lib.make(2, 3)
		spoil(m)
		if a, err := Import(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v and error %v, want %q in it", a, err, want)
		}
		if got := lib.deletions() - before; got != 1 {
			t.Errorf("%s: %d deletions, want 1", want, got)
		}
	}
	if _, err := Import(nil); err == nil {
		t.Error("nil was imported")
	}
	if _, err := Export((*nd.Array[float32])(nil)); err == nil {
		t.Error("a nil array was exported")
	}
}
