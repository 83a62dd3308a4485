package wire

import "github.com/gopherwarp/gopherwarp/gpu/internal/backend"

// MarshalBuild gives the data of the reply to a KindBuild.
func MarshalBuild(b *backend.Build) []byte {
	e := &encoder{}
	e.string(b.Arch)
	e.string(b.Compiler)
	e.string(b.SASSProblem)
	e.int(len(b.Kernels))
	for i := range b.Kernels {
		k := &b.Kernels[i]
		e.string(k.Name)
		e.string(k.Symbol)
		for _, n := range resourceInts(&k.Resources) {
			e.int(*n)
		}
		e.instructions(k.PTX)
		e.instructions(k.SASS)
	}
	return e.b
}

// UnmarshalBuild is the inverse of MarshalBuild.
func UnmarshalBuild(data []byte) (*backend.Build, error) {
	d := &decoder{b: data}
	b := &backend.Build{Arch: d.string(), Compiler: d.string(), SASSProblem: d.string()}
	for range d.count(16) {
		k := backend.BuiltKernel{Name: d.string(), Symbol: d.string()}
		for _, n := range resourceInts(&k.Resources) {
			*n = d.int()
		}
		k.PTX, k.SASS = d.instructions(), d.instructions()
		b.Kernels = append(b.Kernels, k)
	}
	return b, d.end()
}

func resourceInts(r *backend.Resources) []*int {
	return []*int{&r.Registers, &r.Shared, &r.Stack, &r.SpillStores, &r.SpillLoads, &r.Constant, &r.Barriers, &r.MaxThreads}
}

func (e *encoder) instructions(list []backend.Instruction) {
	e.int(len(list))
	for i := range list {
		e.int(list[i].Address)
		e.string(list[i].Text)
		e.string(list[i].File)
		e.int(list[i].Line)
	}
}

func (d *decoder) instructions() []backend.Instruction {
	var list []backend.Instruction
	for range d.count(32) {
		list = append(list, backend.Instruction{Address: d.int(), Text: d.string(), File: d.string(), Line: d.int()})
	}
	return list
}
