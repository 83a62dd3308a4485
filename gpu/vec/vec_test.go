package vec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

// Elements of a buffer that a kernel reads as const float4 *p.
func Example() {
	p := []vec.Float4{{X: 1, Y: 2, Z: 3, W: 1}}
	fmt.Println(unsafe.Sizeof(p[0]), p[0].Z)
	// Output: 16 3
}

// Each type has the size that the CUDA C++ Programming Guide lists for it, section "Built-in Vector Types", and its members in
// order. Except for the alignment, which the allocator of device memory gives, that is its layout.
func TestLayout(t *testing.T) {
	sizes := map[string]int{
		"Char": 1, "Uchar": 1, "Short": 2, "Ushort": 2, "Int": 4, "Uint": 4, "Longlong": 8, "Ulonglong": 8, "Float": 4, "Double": 8,
	}
	types := []any{
		vec.Char2{},
		vec.Char3{},
		vec.Char4{},
		vec.Uchar2{},
		vec.Uchar3{},
		vec.Uchar4{},
		vec.Short2{},
		vec.Short3{},
		vec.Short4{},
		vec.Ushort2{},
		vec.Ushort3{},
		vec.Ushort4{},
		vec.Int2{},
		vec.Int3{},
		vec.Int4{},
		vec.Uint2{},
		vec.Uint3{},
		vec.Uint4{},
		vec.Longlong2{},
		vec.Longlong3{},
		vec.Longlong4{},
		vec.Ulonglong2{},
		vec.Ulonglong3{},
		vec.Ulonglong4{},
		vec.Float2{},
		vec.Float3{},
		vec.Float4{},
		vec.Double2{},
		vec.Double3{},
		vec.Double4{},
	}
	if len(types) != 3*len(sizes) {
		t.Fatalf("%d types for %d kinds of elements", len(types), len(sizes))
	}
	for _, v := range types {
		typ := reflect.TypeOf(v)
		name := strings.TrimRight(typ.Name(), "234")
		n := int(typ.Name()[len(name)] - '0')
		if want := n * sizes[name]; int(typ.Size()) != want || typ.NumField() != n {
			t.Errorf("%v has %d fields and %d bytes, want %d and %d", typ, typ.NumField(), typ.Size(), n, want)
			continue
		}
		for i := range n {
			if f := typ.Field(i); f.Name != string("XYZW"[i]) || int(f.Offset) != i*sizes[name] || f.Type.Kind() == reflect.Uint8 != (name == "Uchar") {
				t.Errorf("field %d of %v is %s %v at %d", i, typ, f.Name, f.Type, f.Offset)
			}
		}
	}
}
