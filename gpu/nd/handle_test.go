package nd

import (
	"reflect"
	"testing"
	"unsafe"
)

// TestHandle compares the memory of a handle with that of a node: the garbage collector must find the pointers of a node in it.
func TestHandle(t *testing.T) {
	if a, b := unsafe.Sizeof(handle{}), unsafe.Sizeof(node{}); a != b {
		t.Errorf("a handle has %d bytes, a node %d", a, b)
	}
	var walk func(at uintptr, name string, of reflect.Type)
	walk = func(at uintptr, name string, of reflect.Type) {
		isPointer := false
		switch of.Kind() {
		case reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				walk(at+f.Offset, name+"."+f.Name, f.Type)
			}
			return
		case reflect.Array:
			for i := range of.Len() {
				walk(at+uintptr(i)*of.Elem().Size(), name, of.Elem())
			}
			return
		case reflect.Pointer, reflect.UnsafePointer:
			isPointer = true
		case reflect.Slice, reflect.Map, reflect.String, reflect.Interface, reflect.Func, reflect.Chan:
			t.Errorf("%s is a %s, and a handle has pointers and numbers only", name, of.Kind())
		}
		if inPointers := at < nodePointers*unsafe.Sizeof(uintptr(0)); inPointers != isPointer {
			t.Errorf("%s is a %v among the pointers of a handle: %v", name, of, inPointers)
		}
	}
	walk(0, "node", reflect.TypeFor[node]())
}

// TestMethodNames compares the names that methods have in errors with theirs.
func TestMethodNames(t *testing.T) {
	array := reflect.TypeFor[*Array[float32]]()
	for list, names := range map[string][]string{"scalarMethods": scalarMethods[:], "foldMethods": foldMethods[:]} {
		for _, name := range names {
			if _, ok := array.MethodByName(name); name != "" && !ok {
				t.Errorf("%s has %q, and an array has no such method", list, name)
			}
		}
	}
	for _, o := range []op{opAdd, opSub, opMul, opDiv, opFloorDiv, opMod, opFmod, opPow, opMaximum, opMinimum, opAnd, opOr, opXor, opShl, opShr, opEqual, opNotEqual, opLess, opLessEqual, opGreater, opGreaterEqual} {
		if want := opTable[o].name + "Scalar"; scalarMethods[o] != want {
			t.Errorf("the method of operation %d with a scalar is %q, want %q", o, scalarMethods[o], want)
		}
	}
	for _, o := range []op{opLogicalAnd, opLogicalOr, opLogicalXor, opNeg, opSquare, opInvert} {
		if _, ok := array.MethodByName(opTable[o].name); !ok {
			t.Errorf("an array has no method %q", opTable[o].name)
		}
	}
}
