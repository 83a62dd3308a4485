package gpu

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Global is a __device__ or __constant__ variable of a module, or an array of them. Copies are ordered after all earlier work of the
// default stream. When the device process is replaced after a fault, the variable has the value that the host last copied to all of it,
// or its initial value: writes by kernels since then are lost.
type Global[T Element] struct {
	mod  *Module
	name string
	n    int
}

// GlobalOf returns the variable of the module with that name in the source. T is the type of its elements; the variable's size must be a
// multiple of T's, and at most 16 MiB can be copied. A variable that does not exist is an error.
func GlobalOf[T Element](m *Module, name string) (*Global[T], error) {
	op := "looking for variable " + name
	if m == nil {
		return nil, misuse(op, "the module is nil: compile it first")
	}
	if err := checkElement[T](op); err != nil {
		return nil, err
	}
	g := &Global[T]{mod: m, name: name}
	bytes, _, err := g.read(0)
	if err != nil {
		return nil, wrap(op, err)
	}
	size := uint64(sizeOf[T]())
	if bytes%size != 0 {
		var zero T
		return nil, misuse(op, "it has %d bytes, which are no %T of %d bytes each", bytes, zero, size)
	}
	g.n = int(bytes / size)
	return g, nil
}

// maxGlobal is the maximum size of a copy: messages between the processes are meant for small data.
const maxGlobal = 16 << 20

// errLargeGlobal returns the error of copying more than maxGlobal.
func errLargeGlobal() error {
	return misuse("", "variables of more than %s can't be copied: use a buffer", render.Bytes(maxGlobal))
}

// read returns the variable's size and its first n bytes.
func (g *Global[T]) read(n uint64) (size uint64, data []byte, err error) {
	if n > maxGlobal {
		return 0, nil, errLargeGlobal()
	}
	l := g.mod.dev.link
	defer runtime.KeepAlive(g.mod)
	req := &wire.ReadGlobal{Name: g.name, Bytes: n}
	err = l.With(func(p *client.Process) error {
		req.Module = g.mod.handle
		if twin := g.mod.checked; twin != nil && l.WatchesAll() {
			req.Module = twin.handle // Check's launches work on its variables
		}
		return l.Request(p, req)
	})
	return req.Size, req.Data, err
}

// write sets the variable, and its twin in check mode, and keeps the data for a new process.
func (g *Global[T]) write(data []byte) error {
	if len(data) > maxGlobal {
		return errLargeGlobal()
	}
	l := g.mod.dev.link
	defer runtime.KeepAlive(g.mod)
	return l.With(func(p *client.Process) error {
		if twin := g.mod.checked; twin != nil {
			if err := l.Request(p, &wire.WriteGlobal{Module: twin.handle, Name: g.name, Data: data}); err != nil {
				return err
			}
		}
		if err := l.Request(p, &wire.WriteGlobal{Module: g.mod.handle, Name: g.name, Data: data}); err != nil {
			return err
		}
		g.mod.loaded.SetGlobal(g.name, slices.Clone(data))
		return nil
	})
}

// Len returns the number of elements.
func (g *Global[T]) Len() int { return g.n }

// String returns a description of the variable: its type, name, length and device.
func (g *Global[T]) String() string {
	var zero T
	return fmt.Sprintf("gpu.Global[%T] %s: %d elements on %s", zero, g.name, g.n, g.mod.dev.Name())
}

// CopyFrom sets the variable to host, which must have the variable's length. It waits for the copy.
func (g *Global[T]) CopyFrom(host []T) error {
	op := "setting variable " + g.name
	if len(host) != g.n {
		return misuse(op, "the slice has %d elements, the variable %d", len(host), g.n)
	}
	return wrap(op, g.write(bytesOf(host)))
}

// CopyTo waits for the default stream and copies the variable to host, which must have the variable's length.
func (g *Global[T]) CopyTo(host []T) error {
	op := "reading variable " + g.name
	if len(host) != g.n {
		return misuse(op, "the slice has %d elements, the variable %d", len(host), g.n)
	}
	_, data, err := g.read(uint64(g.n * sizeOf[T]()))
	if err != nil {
		return wrap(op, err)
	}
	copy(bytesOf(host), data)
	return nil
}

// ToHost waits for the default stream and returns a copy of the elements. It panics with an *Error if that fails.
func (g *Global[T]) ToHost() []T {
	host := make([]T, g.n)
	if err := g.CopyTo(host); err != nil {
		panic(err)
	}
	return host
}
