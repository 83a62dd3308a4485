package sim

import (
	"bytes"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/expression"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/arrays"
)

// arrayMark is what images of kernels of arrays begin with.
const arrayMark = "gopherwarp array\n"

// arrayEntry is the entry point of all kernels of arrays, which check their arguments themselves.
var arrayEntry = entry{maxThreads: 1024}

// arrayImage returns the image of a program whose kernel package arrays can execute, and reports whether it is one.
func arrayImage(p *backend.Program) (backend.Image, bool) {
	if len(p.Expression) == 0 || p.Check || len(p.Kernels) != 1 {
		return backend.Image{}, false
	}
	if _, err := newArray(p.Expression); err != nil {
		return backend.Image{}, false
	}
	return backend.Image{Data: append([]byte(arrayMark), p.Expression...), Lowered: map[string]string{p.Kernels[0]: p.Kernels[0]}}, true
}

func newArray(description []byte) (*arrays.Program, error) {
	k, err := expression.Decode(description)
	if err != nil {
		return nil, err
	}
	return arrays.New(k)
}

// loadArray returns the module of such an image, or nil for others.
func loadArray(img backend.Image) (*module, error) {
	description, ok := bytes.CutPrefix(img.Data, []byte(arrayMark))
	if !ok {
		return nil, nil
	}
	p, err := newArray(description)
	if err != nil {
		return nil, wrap(codeInvalidImage, err, "loading a kernel of arrays")
	}
	return &module{fd: -1, array: p, lowered: img.Lowered}, nil
}

// launchArray runs a kernel of arrays.
func (d *device) launchArray(f *function, args []byte, blocks int) error {
	d.checks.memory.WrittenSomewhere()
	if err := f.module.array.Run(args, blocks); err != nil {
		return wrap(codeInvalidValue, err, "kernel %s", f.name)
	}
	return nil
}
