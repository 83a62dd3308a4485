package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// cTypes has the C++ types of Go's basic types. Go's int has 64 bits on all machines that GPUs are in.
var cTypes = map[types.BasicKind]string{
	types.Bool: "bool",
	types.Int:  "long long", types.Int8: "signed char", types.Int16: "short", types.Int32: "int", types.Int64: "long long",
	types.Uint: "unsigned long long", types.Uint8: "unsigned char", types.Uint16: "unsigned short", types.Uint32: "unsigned int",
	types.Uint64: "unsigned long long", types.Uintptr: "unsigned long long",
	types.Float32: "float", types.Float64: "double",
	types.UntypedBool: "bool", types.UntypedInt: "long long", types.UntypedRune: "int", types.UntypedFloat: "double",
}

// structs are the struct types of a program.
type structs struct {
	t      *translation
	names  map[string]string // C names by the type's text
	within map[string]bool   // the named types, by their text, whose C++ types are being made
	blocks map[int64]string  // C names of memory for values that kernels take, by its size in words of 8 bytes
	text   strings.Builder
}

func newStructs(t *translation) *structs {
	return &structs{t: t, names: map[string]string{}, within: map[string]bool{}, blocks: map[int64]string{}}
}

// cType returns the C++ type of a Go type.
func (f *function) cType(at ast.Node, typ types.Type) string {
	typ = f.subst(typ)
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		key, within := typeKey(named), f.t.structs.within
		if within[key] {
			refuse(at, "a kernel has no type that refers to itself, as %s does: keep its values in an array, and use indices in place of pointers", typ)
		}
		within[key] = true
		defer delete(within, key)
	}
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		if c := cTypes[u.Kind()]; c != "" {
			return c
		}
	case *types.Slice:
		return "go::slice<" + f.cType(at, u.Elem()) + ">"
	case *types.Array:
		return fmt.Sprintf("go::array<%s, %d>", f.cType(at, u.Elem()), u.Len())
	case *types.Pointer:
		return f.cType(at, u.Elem()) + " *"
	case *types.Struct:
		return f.structType(at, typ, u)
	}
	refuse(at, "%s", whyNot(typ))
	return ""
}

// whyNot returns why a GPU has no values of the type.
func whyNot(typ types.Type) string {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			return "a GPU has no strings: pass bytes as a []byte, or numbers"
		}
		if u.Info()&types.IsComplex != 0 {
			return "complex numbers are not there for kernels: use two floats"
		}
	case *types.Map:
		return "a GPU has no maps: use a slice whose index is the key"
	case *types.Chan:
		return "a GPU has no channels: threads exchange values in shared memory, between gpu.SyncThreads"
	case *types.Interface:
		return "a GPU has no interfaces: use a concrete type, or a type parameter of a function that the kernel calls"
	case *types.Signature:
		return "a GPU has no function values that are stored: call the function, or declare a closure where it is used"
	}
	return fmt.Sprintf("a GPU has no values of type %s", typ)
}

// structType returns the name of a struct's C++ type, which it declares.
func (f *function) structType(at ast.Node, typ types.Type, u *types.Struct) string {
	if view, elem, ok := viewOf(typ); ok {
		return view.c + "<" + f.cType(at, elem) + ">"
	}
	if _, _, ok := textureOf(typ); ok {
		return "cudaTextureObject_t"
	}
	if c, _, ok := f.groupType(typ); ok {
		return c
	}
	s := f.t.structs
	key := typeKey(typ)
	if name := s.names[key]; name != "" {
		return name
	}
	name := "structure"
	if named, ok := types.Unalias(typ).(*types.Named); ok {
		name = named.Obj().Name()
	}
	var b, equal strings.Builder
	for v := range u.Fields() {
		if v.Name() == "_" {
			fmt.Fprintf(&b, "\t%s;\n", f.declare(at, v.Type(), fmt.Sprintf("gap_%d", b.Len()))) // the host has it, too
			continue
		}
		fmt.Fprintf(&b, "\t%s;\n", f.declare(at, v.Type(), cName(v.Name())))
		fmt.Fprintf(&equal, " && %s == o.%[1]s", cName(v.Name()))
	}
	name = s.t.unique(name + "_t") // a field may have the name of its type
	s.names[key] = name
	comparison := ""
	if types.Comparable(typ) {
		comparison = fmt.Sprintf("\t__device__ bool operator==(const %s &o) const { return true%s; }\n", name, equal.String())
	}
	fmt.Fprintf(&s.text, "struct %s {\n%s%s};\n", name, b.String(), comparison)
	return name
}

// typeKey returns what tells a type from others. Types of different functions may have one name.
func typeKey(typ types.Type) string {
	key := types.TypeString(typ, nil)
	if named, ok := types.Unalias(typ).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Parent() != named.Obj().Pkg().Scope() {
		key = fmt.Sprintf("%s at %d", key, named.Obj().Pos())
	}
	return key
}

// declare returns the declaration of a variable of the type.
func (f *function) declare(at ast.Node, typ types.Type, name string) string {
	c := f.cType(at, typ)
	if strings.HasSuffix(c, "*") {
		return c + name
	}
	return c + " " + name
}

// fromGPU reports whether an object belongs to package gpu.
func fromGPU(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == GPUPath
}

// GPUPath is the path of package gpu.
const GPUPath = "github.com/gopherwarp/gopherwarp/gpu"
