package gokernel

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// groupTypes are package gpu's types for what the threads of a warp do together, by name. %s is the C++ type of the elements.
var groupTypes = map[string]string{
	"Tile": "go::tile", "MatrixA": "go::matrix_a<%s>", "MatrixB": "go::matrix_b<%s>", "Accumulator": "go::accumulator",
}

// halfTypes has CUDA's types of the 16-bit floats.
var halfTypes = map[string]string{"Float16": "__half", "BFloat16": "__nv_bfloat16"}

// groupType returns the C++ type of one of these types, and its name in Go. It reports whether it is one.
func (f *function) groupType(typ types.Type) (c, name string, ok bool) {
	named, isNamed := types.Unalias(typ).(*types.Named)
	if !isNamed || !fromGPU(named.Obj()) {
		return "", "", false
	}
	c, ok = groupTypes[named.Obj().Name()]
	if named.TypeArgs().Len() == 1 {
		c = fmt.Sprintf(c, halfTypes[halfName(f.subst(named.TypeArgs().At(0)))])
	}
	return c, named.Obj().Name(), ok
}

// groupMethods has the functions of the prelude for their methods, which get the receiver first.
var groupMethods = map[string]deviceFunction{
	"Tile.Size": {name: "go::tile_size"}, "Tile.Rank": {name: "go::tile_rank"},
	"Tile.Sync": {"go::tile_sync", true, true}, "Tile.Ballot": {"go::tile_ballot", true, true},
	"Tile.All": {"go::tile_all", true, true}, "Tile.Any": {"go::tile_any", true, true},
	"Accumulator.Store": {"go::store_matrix", true, true}, "Accumulator.Scale": {name: "go::scale_matrix"},
}

// groupCall translates a call of such a method. It reports whether it is one.
func (f *function) groupCall(call *ast.CallExpr) (code string, effect, ok bool) {
	sel, isSelector := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isSelector || f.src.Info.Selections[sel] == nil {
		return "", false, false
	}
	typ := f.typeOf(sel.X)
	pointer, isPointer := typ.Underlying().(*types.Pointer)
	if isPointer {
		typ = pointer.Elem()
	}
	_, name, ok := f.groupType(typ)
	if !ok {
		return "", false, false
	}
	x := ""
	if isPointer {
		x = f.deref(sel.X)
	} else {
		x = f.value(sel.X, typ)
	}
	d := groupMethods[name+"."+sel.Sel.Name]
	args := append([]string{bare(x)}, f.arguments(call, f.typeOf(call.Fun).(*types.Signature))...)
	if sel.Sel.Name == "Store" {
		args = append(args, f.at(call))
	}
	f.together = f.together || d.together
	f.effects = f.effects || d.effect
	return d.name + "(" + strings.Join(args, ", ") + ")", d.effect, true
}

// partition translates gpu.TiledPartition, whose size is a constant as CUDA's is.
func (f *function) partition(call *ast.CallExpr) string {
	v := f.src.Info.Types[call.Args[0]].Value
	if v == nil {
		refuse(call, "the size of a tile is a constant in a kernel: 1, 2, 4, 8, 16 or 32")
	}
	n, _ := constant.Int64Val(constant.ToInt(v))
	if n < 1 || n > 32 || n&(n-1) != 0 {
		refuse(call, "a tile has 1, 2, 4, 8, 16 or 32 threads, and not %s", v)
	}
	return fmt.Sprintf("go::tile{%d}", n)
}

// loadMatrix translates the functions that load the matrices of a product.
func (f *function) loadMatrix(call *ast.CallExpr, name string) string {
	f.together, f.effects = true, true
	args := append(f.arguments(call, f.typeOf(call.Fun).(*types.Signature)), f.at(call))
	if name == "LoadAccumulator" {
		return fmt.Sprintf("go::load_accumulator(%s)", strings.Join(args, ", "))
	}
	return fmt.Sprintf("go::load_matrix<%s>(%s)", f.cType(call, f.typeOf(call)), strings.Join(args, ", "))
}
