package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// textureDimensions has the types of package gpu for textures that kernels read.
var textureDimensions = map[string]int{"Tex1D": 1, "Tex2D": 2, "Tex3D": 3}

// textureOf returns the dimensions of a texture's type, and the type of the values that are read. It reports whether it is one.
func textureOf(typ types.Type) (dimensions int, value types.Type, ok bool) {
	named, isNamed := types.Unalias(typ).(*types.Named)
	if !isNamed || !fromGPU(named.Obj()) || named.TypeArgs().Len() != 1 {
		return 0, nil, false
	}
	dimensions, ok = textureDimensions[named.Obj().Name()]
	return dimensions, named.TypeArgs().At(0), ok
}

// textureCall translates a call of a texture's method At. It reports whether it is one.
func (f *function) textureCall(call *ast.CallExpr) (string, bool) {
	fun, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || f.src.Info.Selections[fun] == nil {
		return "", false
	}
	typ := f.typeOf(fun.X)
	pointer, isPointer := typ.Underlying().(*types.Pointer)
	if isPointer {
		typ = pointer.Elem()
	}
	dimensions, value, ok := textureOf(typ)
	if !ok {
		return "", false
	}
	x := f.expr(fun.X)
	if isPointer {
		x = f.deref(fun.X)
	}
	args := f.arguments(call, f.typeOf(call.Fun).(*types.Signature))
	value = f.subst(value)
	texel, vector := f.texel(call, value)
	code := fmt.Sprintf("tex%dD<%s>(%s, %s)", dimensions, texel, x, strings.Join(args, ", "))
	if vector {
		code = fmt.Sprintf("go::same_bits<%s>(%s)", f.cType(call, value), code)
	}
	return code, true
}

// texel returns CUDA's type of a value that is read from a texture, and whether it is a vector type, which is a struct of package vec in Go.
func (f *function) texel(at ast.Node, value types.Type) (name string, vector bool) {
	if named, ok := types.Unalias(value).(*types.Named); ok {
		if _, vector = named.Underlying().(*types.Struct); vector {
			if named.Obj().Pkg().Path() != GPUPath+"/vec" {
				refuse(at, "a kernel reads no %s of a texture: read float32 or vec.Float2", value)
			}
			return strings.ToLower(named.Obj().Name()), true
		}
	}
	return f.cType(at, value), false
}
