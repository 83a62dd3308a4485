package sim

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
)

// A kernel with a description runs without being compiled, except in check mode and if the description has an operation that is not known.
func TestDescribedKernel(t *testing.T) {
	d, err := New().Open(0)
	check(t, err)
	defer d.Close()
	k := &expression.Kernel{
		Form: expression.Map, Result: expression.Float32, Leaves: []expression.Leaf{{Type: expression.Float32}}, Loops: 1,
		Steps: []expression.Step{
			{Op: expression.Operand, Type: expression.Float32, Args: []uint8{0}},
			{Op: expression.Constant, Type: expression.Float32},
			{Op: "Mul", Type: expression.Float32, Args: []uint8{0, 1}},
		},
	}
	p := backend.Program{Name: "map.cu", Source: "this is no C++", Kernels: []string{"times"}, Expression: k.Encode()}
	img, err := d.Compile(p)
	check(t, err)
	check(t, d.Load(1, img))
	_, err = d.Function(1, 1, "times")
	check(t, err)
	const n = 5000
	chunk, err := d.CreateChunk(8*n, 0)
	check(t, err)
	closeFD(chunk.FD)
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i)
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 4*n)
	check(t, d.CopyHtoD(chunk.Addr, bytes, 0))
	args := []uint64{chunk.Addr + 4*n, chunk.Addr, n, 0, 0, 1, 1, 0x40400000}
	check(t, d.Launch(&backend.Launch{
		Func: 1, Grid: [3]uint32{20, 1, 1}, Block: [3]uint32{256, 1, 1}, Args: unsafe.Slice((*byte)(unsafe.Pointer(&args[0])), 8*len(args)),
	}))
	check(t, d.CopyDtoH(bytes, chunk.Addr+4*n, 0))
	for i, v := range x {
		if v != 3*float32(i) {
			t.Fatalf("element %d is %v, want %v", i, v, 3*float32(i))
		}
	}
	if err := d.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{256, 1, 1}, Args: make([]byte, 16)}); err == nil {
		t.Error("a launch without words succeeds")
	}
	unknown := *k
	unknown.Steps = append(unknown.Steps[:2:2], expression.Step{Op: "unknown", Type: expression.Float32, Args: []uint8{0, 1}})
	for name, change := range map[string]func(p *backend.Program){
		"in check mode":        func(p *backend.Program) { p.Check = true },
		"of unknown operation": func(p *backend.Program) { p.Expression = unknown.Encode() },
		"of another version":   func(p *backend.Program) { p.Expression = []byte{0} },
	} {
		changed := p
		change(&changed)
		if _, err := d.Compile(changed); !errors.As(err, new(*backend.CompileError)) {
			t.Errorf("a program %s that is no C++: %v, want an error of the compiler", name, err)
		}
	}
}
