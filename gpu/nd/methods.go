package nd

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// A cell that mentions an Array compiles each of its methods four times: for its dtype and for bool, which comparisons have, and each of them
// for the type and for what Go calls its shape. So what a method does besides a call costs a hundred times as much. The methods call these
// funcs, with pointers in the place of types: the compiler would read all that the fields and methods of a node lead to. Neither are
// inlined, since a body in the place of a call is more to compile.

// ref is the address of an array's node, or of a value of its dtype.
type ref = unsafe.Pointer

//go:noinline
func arithOf(o op, a, b ref) ref { return ref((*node)(a).arith(opTable[o].name, o, (*node)(b))) }

//go:noinline
func scalarOf(o op, a, v ref) ref { return ref((*node)(a).scalarAt(scalarMethods[o], o, v)) }

//go:noinline
func compareOf(o op, a, b ref) ref { return ref((*node)(a).compare(opTable[o].name, o, (*node)(b))) }

//go:noinline
func compareScalarOf(o op, a, v ref) ref {
	name, n := scalarMethods[o], (*node)(a)
	return ref(n.compareScalar(name, o, numberAt(n.check(name).dt, v)))
}

//go:noinline
func ownOf(o op, a ref) ref { return ref((*node)(a).own(opTable[o].name, o)) }

//go:noinline
func notOf(a ref) ref { return ref((*node)(a).not()) }

//go:noinline
func clipOf(a, low, high ref) ref {
	return ref((*node)(a).scalarAt("Clip", opMaximum, low).scalarAt("Clip", opMinimum, high))
}

//go:noinline
func duplicateOf(a ref) ref { return ref((*node)(a).duplicate()) }

//go:noinline
func foldOf(f fold, a ref, axes []int) ref { return ref((*node)(a).fold(foldMethods[f], f, axes)) }

//go:noinline
func foldBoolOf(f fold, a ref, axes []int) ref {
	return ref((*node)(a).reduce(foldMethods[f], f, Bool, axes))
}

//go:noinline
func reshapeOf(a ref, shape []int) ref { return ref((*node)(a).reshape(shape)) }

//go:noinline
func ravelOf(a ref) ref { return ref((*node)(a).reshape([]int{-1})) }

//go:noinline
func transposeOf(a ref, axes []int) ref { return ref((*node)(a).transpose(axes)) }

//go:noinline
func swapAxesOf(a ref, i, j int) ref { return ref((*node)(a).swapAxes(i, j)) }

//go:noinline
func moveAxisOf(a ref, from, to int) ref { return ref((*node)(a).moveAxis(from, to)) }

//go:noinline
func expandDimsOf(a ref, axis int) ref { return ref((*node)(a).expandDims(axis)) }

//go:noinline
func squeezeOf(a ref, axes []int) ref { return ref((*node)(a).squeeze(axes)) }

//go:noinline
func broadcastToOf(a ref, shape []int) ref { return ref((*node)(a).broadcastTo(shape)) }

//go:noinline
func flipOf(a ref, axes []int) ref { return ref((*node)(a).flip(axes)) }

//go:noinline
func diagonalOf(a ref, k int) ref { return ref((*node)(a).diagonal(k)) }

//go:noinline
func sliceOf(a ref, index []Index) ref { return ref((*node)(a).slice(index)) }

//go:noinline
func atOf(a ref, places []int) ref { return ref((*node)(a).at(places)) }

//go:noinline
func assignOf(a, b ref) ref { return ref((*node)(a).assign((*node)(b))) }

//go:noinline
func fillOf(a, v ref) ref { return ref((*node)(a).fill(numberAt((*node)(a).check("Fill").dt, v))) }

//go:noinline
func evalOf(a ref) ref { return ref((*node)(a).evaluated()) }

//go:noinline
func onDevice(a ref, d *gpu.Device) ref { return ref((*node)(a).on(d)) }

//go:noinline
func textOf(a ref) string { return (*node)(a).text() }

//go:noinline
func bundleOf(a ref) map[string]any { return (*node)(a).bundle() }

//go:noinline
func sizeOf(a ref) int { return (*node)(a).Size() }

// copyTo copies the elements to host, which has room for count of them.
//
//go:noinline
func copyTo(a, host ref, count int) {
	n := (*node)(a).check("CopyTo")
	n.copyTo(count, unsafe.Slice((*byte)(host), count*n.dt.Size()))
}

//go:noinline
func itemTo(a, v ref) {
	(*node)(a).checkSingle()
	copyTo(a, v, 1)
}

// scalarAt is scalar of the value at an address.
func (n *node) scalarAt(name string, o op, v ref) *node {
	return n.scalar(name, o, numberAt(n.check(name).dt, v))
}

// foldMethods are the names of the methods that reduce.
var foldMethods = [...]string{foldSum: "Sum", foldProd: "Prod", foldMin: "Min", foldMax: "Max", foldAny: "Any", foldAll: "All"}

// scalarMethods are the names of the methods with a scalar.
var scalarMethods = [...]string{
	opAdd:          "AddScalar",
	opSub:          "SubScalar",
	opMul:          "MulScalar",
	opDiv:          "DivScalar",
	opFloorDiv:     "FloorDivScalar",
	opMod:          "ModScalar",
	opFmod:         "FmodScalar",
	opPow:          "PowScalar",
	opMaximum:      "MaximumScalar",
	opMinimum:      "MinimumScalar",
	opAnd:          "AndScalar",
	opOr:           "OrScalar",
	opXor:          "XorScalar",
	opShl:          "LshScalar",
	opShr:          "RshScalar",
	opEqual:        "EqualScalar",
	opNotEqual:     "NotEqualScalar",
	opLess:         "LessScalar",
	opLessEqual:    "LessEqualScalar",
	opGreater:      "GreaterScalar",
	opGreaterEqual: "GreaterEqualScalar",
}
