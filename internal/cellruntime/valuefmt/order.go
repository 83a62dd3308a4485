package valuefmt

import (
	"cmp"
	"reflect"
	"slices"
)

// maxSorted is the maximum length of a map whose entries are sorted. Longer ones do not fit into maxText: an entry
// takes at least two bytes.
const maxSorted = maxText / 2

// An entry is a key of a map with its value.
type entry struct {
	key   reflect.Value
	value reflect.Value // only for a key that is not found in the map
}

// of returns the entry's value in its map.
func (e entry) of(m reflect.Value) reflect.Value {
	if e.value.IsValid() {
		return e.value
	}
	return m.MapIndex(e.key)
}

// entriesOf returns the entries of a map in fmt's order. all reports whether these are all; if not, they are as many as can
// be shown.
func entriesOf(m reflect.Value) (list []entry, all bool) {
	n := min(m.Len(), maxSorted)
	list = make([]entry, 0, n)
	iter := m.MapRange()
	for len(list) < n && iter.Next() {
		e := entry{key: iter.Key()}
		if isNaN(e.key) {
			e.value = iter.Value()
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b entry) int { return compare(a.key, b.key) })
	return list, n == m.Len()
}

// isNaN reports whether a key is or contains a NaN, so that it is not found in its map.
func isNaN(key reflect.Value) bool {
	switch key.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Struct, reflect.Array, reflect.Interface:
		return !key.Equal(key)
	}
	return false
}

// compare compares keys as fmt does: numbers and strings by value, false before true, nil first, pointers and channels
// by address, structs and arrays by their elements, interfaces first by the address of the dynamic type.
func compare(a, b reflect.Value) int {
	if a.Type() != b.Type() {
		return -1
	}
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return cmp.Or(cmp.Compare(real(x), real(y)), cmp.Compare(imag(x), imag(y)))
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(number(a.Bool()), number(b.Bool()))
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Struct:
		return compareParts(a.NumField(), a.Field, b.Field)
	case reflect.Array:
		return compareParts(a.Len(), a.Index, b.Index)
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return cmp.Compare(number(!a.IsNil()), number(!b.IsNil()))
		}
		x, y := a.Elem(), b.Elem()
		return cmp.Or(cmp.Compare(reflect.ValueOf(x.Type()).Pointer(), reflect.ValueOf(y.Type()).Pointer()), compare(x, y))
	}
	return 0 // no keys
}

func compareParts(n int, a, b func(int) reflect.Value) int {
	for i := range n {
		if c := compare(a(i), b(i)); c != 0 {
			return c
		}
	}
	return 0
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
