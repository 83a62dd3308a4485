package gpu

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// Global is a __device__ or __constant__ variable of a module, or an array of them. Copies
// come after all earlier work of the default stream. When the device process is replaced
// after a fault, the variable has what the host copied to all of it last, or what the source
// says: what kernels wrote since is lost.
type Global[T Element] struct {
	mod  *Module
	name string
	n    int
}

// GlobalOf finds a variable of the module by its name in the source. T is the type of its
// elements; its size must be a multiple of T's.
func GlobalOf[T Element](m *Module, name string) (*Global[T], error) {
	op := "looking for variable " + name
	if m == nil {
		return nil, misuse(op, "the module is nil: compile it first")
	}
	g := &Global[T]{mod: m, name: name}
	reply, err := g.ask(wire.KindReadGlobal, 0, nil)
	if err != nil {
		return nil, wrap(op, err)
	}
	size := uint64(sizeOf[T]())
	if reply.Size%size != 0 {
		var zero T
		return nil, misuse(op, "it has %d bytes, which are no %T of %d bytes each", reply.Size, zero, size)
	}
	g.n = int(reply.Size / size)
	return g, nil
}

// maxGlobal is the most that is copied at a time: the messages between the processes are
// meant for small things.
const maxGlobal = 16 << 20

func (g *Global[T]) ask(kind wire.Kind, size uint64, data []byte) (reply *wire.Reply, err error) {
	if size > maxGlobal || len(data) > maxGlobal {
		return nil, misuse("", "variables of more than %s can't be copied: use a buffer", byteCount(maxGlobal))
	}
	l := g.mod.dev.link
	defer runtime.KeepAlive(g.mod)
	req := &wire.Request{Kind: kind, Size: size, Data: data}
	req.Program.Name = g.name
	err = l.with(func(p *process) error {
		req.Module = g.mod.handle
		if twin := g.mod.checked; twin != nil && (kind == wire.KindWriteGlobal || l.checks.all > 0) {
			// Check's launches work on its variables.
			req.Module = twin.handle
			if reply, err = l.request(p, req, -1); err != nil || kind == wire.KindReadGlobal {
				return err
			}
			req.Module = g.mod.handle
		}
		reply, err = l.request(p, req, -1)
		if err == nil && kind == wire.KindWriteGlobal {
			loaded := g.mod.loaded
			if loaded.globals == nil {
				loaded.globals = map[string][]byte{}
			}
			loaded.globals[g.name] = slices.Clone(data)
		}
		return err
	})
	return reply, err
}

// restoreGlobals sets a module's variables in a new process. The lock is held.
func (l *link) restoreGlobals(p *process, handle uint32, m *loaded) error {
	for name, data := range m.globals {
		req := &wire.Request{Kind: wire.KindWriteGlobal, Module: handle, Data: data}
		req.Program.Name = name
		if _, err := l.request(p, req, -1); err != nil {
			return fmt.Errorf("setting variable %s of %s again: %w", name, m.name, err)
		}
	}
	return nil
}

// Len is the number of elements.
func (g *Global[T]) Len() int { return g.n }

// String says what the variable is, not what it holds.
func (g *Global[T]) String() string {
	var zero T
	return fmt.Sprintf("gpu.Global[%T] %s: %d elements on %s", zero, g.name, g.n, g.mod.dev.Name())
}

// CopyFrom sets the variable to host, which must be as long.
func (g *Global[T]) CopyFrom(host []T) error {
	op := "setting variable " + g.name
	if len(host) != g.n {
		return misuse(op, "the slice has %d elements, the variable %d", len(host), g.n)
	}
	_, err := g.ask(wire.KindWriteGlobal, 0, bytesOf(host))
	return wrap(op, err)
}

// CopyTo waits for the default stream and copies the variable to host, which must be as long.
func (g *Global[T]) CopyTo(host []T) error {
	op := "reading variable " + g.name
	if len(host) != g.n {
		return misuse(op, "the slice has %d elements, the variable %d", len(host), g.n)
	}
	reply, err := g.ask(wire.KindReadGlobal, uint64(g.n*sizeOf[T]()), nil)
	if err != nil {
		return wrap(op, err)
	}
	copy(bytesOf(host), reply.Data)
	return nil
}

// ToHost is CopyTo a new slice. It panics with an *Error if that fails.
func (g *Global[T]) ToHost() []T {
	host := make([]T, g.n)
	if err := g.CopyTo(host); err != nil {
		panic(err)
	}
	return host
}
