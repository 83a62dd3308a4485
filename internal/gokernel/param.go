package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
)

// sizes are those of Go's types on all machines that GPUs are in, and of the same types in C++.
var sizes = types.SizesFor("gc", "amd64")

// maxParam is the largest size of a struct or array that a kernel takes by value: CUDA permits 4 KB for all parameters.
const maxParam = 3 << 10

// kernelParam returns the parameters of a CUDA kernel for one of a kernel in Go, and the lines that make its variable of them.
func (f *function) kernelParam(at ast.Node, v *types.Var, name string) (params, body []string) {
	if view, elem, ok := viewOf(v.Type()); ok {
		return f.viewParam(at, view, elem, name)
	}
	if _, _, ok := textureOf(v.Type()); ok {
		return []string{f.declare(at, v.Type(), name)}, nil
	}
	if _, group, ok := f.groupType(v.Type()); ok {
		refuse(at, "a gpu.%s is made in the kernel, by the threads of a warp", group)
	}
	switch u := v.Type().Underlying().(type) {
	case *types.Basic:
		return []string{f.declare(at, v.Type(), name)}, nil
	case *types.Slice:
		f.flat(at, u.Elem())
		c, pointer := f.cType(at, u.Elem()), ""
		if _, basic := u.Elem().Underlying().(*types.Basic); !basic {
			c, pointer = "unsigned char", "("+c+" *)"
		}
		elem := f.cType(at, u.Elem())
		params = []string{c + " *" + name + "_data", fmt.Sprintf("long long %s_len", name)}
		body = []string{fmt.Sprintf("%sgo::slice<%s> %s = {%s%[3]s_data, %[3]s_len};", f.unassigned(v), elem, name, pointer)}
		if pointer != "" {
			body = append(body, fmt.Sprintf("static_assert(sizeof(%s) == %d, \"the size in Go\");", elem, sizes.Sizeof(u.Elem())))
		}
		return params, body
	case *types.Struct, *types.Array:
		f.flat(at, v.Type())
		size := sizes.Sizeof(v.Type())
		if size > maxParam {
			refuse(at, "a kernel takes structs and arrays of at most %d bytes by value, and %s has %d: pass a slice", maxParam, v.Type(), size)
		}
		block := f.t.block(size)
		value := fmt.Sprintf("*(const %s *)&%s_value", f.cType(at, v.Type()), name)
		params = []string{fmt.Sprintf("const __grid_constant__ %s %s_value", block, name)}
		if f.src.keeps(v) {
			// It stays where parameters are, in constant memory.
			return params, []string{fmt.Sprintf("const %s &%s = %s;", f.cType(at, v.Type()), name, value)}
		}
		return params, []string{f.declare(at, v.Type(), name) + " = " + value + ";"}
	}
	refuse(at, "a kernel takes numbers, bools, and slices, arrays and structs of these, and not %s", v.Type())
	return nil, nil
}

// flat refuses types of which the host cannot pass values, because they hold addresses, and those without a size.
func (f *function) flat(at ast.Node, typ types.Type) {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
	case *types.Array:
		f.flat(at, u.Elem())
	case *types.Struct:
		for v := range u.Fields() {
			f.flat(at, v.Type())
		}
	default:
		refuse(at, "a kernel takes numbers, bools, and slices, arrays and structs of these, and not %s, which holds addresses of the host: pass a slice for each", typ)
	}
	if sizes.Sizeof(typ) == 0 {
		refuse(at, "a kernel takes no values of %s, which has no size", typ)
	}
}

// block returns the C++ type of memory for a value of size bytes that is passed to a kernel.
func (t *translation) block(size int64) string {
	words := (size + 7) / 8
	name := t.structs.blocks[words]
	if name == "" {
		name = t.unique(fmt.Sprintf("bytes_%d", 8*words))
		t.structs.blocks[words] = name
		fmt.Fprintf(&t.structs.text, "struct %s { unsigned long long words[%d]; };\n", name, words)
	}
	return name
}

// unassigned returns "const " if nothing in the function assigns to a variable itself, so that the simulator knows it to be the same for all
// threads.
func (f *function) unassigned(v *types.Var) string {
	kept := "const "
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		var changed []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			changed = n.Lhs
		case *ast.RangeStmt:
			changed = []ast.Expr{n.Key, n.Value}
		case *ast.UnaryExpr:
			changed = []ast.Expr{n.X}
		}
		for _, e := range changed {
			if id, ok := e.(*ast.Ident); ok && f.src.Info.Uses[id] == v {
				kept = ""
			}
		}
		return true
	})
	return kept
}
