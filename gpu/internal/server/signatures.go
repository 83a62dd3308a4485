package server

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

var kinds = map[cudac.Kind]wire.ParamKind{
	cudac.Unsupported: wire.ParamUnsupported,
	cudac.Bool:        wire.ParamBool,
	cudac.Int:         wire.ParamInt,
	cudac.Uint:        wire.ParamUint,
	cudac.Float:       wire.ParamFloat,
	cudac.Pointer:     wire.ParamPointer,
	cudac.Struct:      wire.ParamStruct,
	cudac.Texture:     wire.ParamTexture,
	cudac.Surface:     wire.ParamSurface,
}

// signatures reads from the source which kernels a program defines, and their parameters. It returns all kernels that are not
// templates, and the instances of templates that the program names. It returns no error if it cannot parse the source: the
// compiler's errors are better.
func signatures(p backend.Program) (kernels []wire.Kernel, wanted []string, err error) {
	search, defines, _ := include.FromOptions(p.Options)
	beside := search
	beside.Own = cmp.Or(search.Own, ".")
	if err := beside.Check(p.Name, p.Source); err != nil {
		return nil, nil, &backend.CompileError{Program: p.Name, Log: err.Error() + "\n"}
	}
	file, err := cudac.ParseFiles(p.Source, search, defines...)
	var unreadable *cudac.Error
	if errors.As(err, &unreadable) {
		return nil, p.Kernels, nil
	}
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	add := func(name string) error {
		if seen[name] {
			return nil
		}
		seen[name] = true
		_, params, err := file.Resolve(name)
		if err != nil {
			return &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s: %v", p.Name, err)}
		}
		kernels = append(kernels, wire.Kernel{Name: name, Params: describe(params)})
		wanted = append(wanted, name)
		return nil
	}
	for _, k := range file.Kernels {
		if !k.Wanted() {
			continue
		}
		if err := add(k.QualifiedName()); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range p.Kernels {
		if err := add(name); err != nil {
			return nil, nil, err
		}
	}
	return kernels, wanted, nil
}

// declared returns the kernels of declarations, with or without bodies.
func declared(p backend.Program) ([]wire.Kernel, error) {
	file, err := cudac.Parse(p.Source)
	if err != nil {
		return nil, &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s: %v", p.Name, err)}
	}
	var kernels []wire.Kernel
	for _, k := range file.Kernels {
		if !k.IsTemplate() {
			kernels = append(kernels, wire.Kernel{Name: k.QualifiedName(), Params: describe(k.Params)})
		}
	}
	for _, name := range p.Kernels {
		_, params, err := file.Resolve(name)
		if err != nil {
			return nil, &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s: %v", p.Name, err)}
		}
		kernels = append(kernels, wire.Kernel{Name: name, Params: describe(params)})
	}
	return kernels, nil
}

func describe(params []cudac.Param) []wire.Param {
	var out []wire.Param
	for _, p := range params {
		out = append(out, wire.Param{
			Name: p.Name, CType: p.Type, Kind: kinds[p.Kind], Size: p.Size, Align: p.Align,
			Elem: p.GoElem, Const: p.Const, Problem: p.Problem,
		})
	}
	return out
}
