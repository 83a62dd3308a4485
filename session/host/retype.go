package host

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/session/cell"
)

// When a cell adds a method to a type, the type is compiled again, and is another one to the runtime. Variables
// move with it, but what interfaces hold has the type that it had when it was put there. So interfaces that
// can be reached from variables are given the new type. That leaves what only closures, channels and values of
// packages hold.

// A retyping gives values in interfaces the types that were compiled again.
type retyping struct {
	types map[reflect.Type]reflect.Type
	holds map[reflect.Type]bool // whether a value may hold interfaces
	seen  map[place]bool
}

type place struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int
}

// retype gives values in interfaces their new types.
func retype(list []cell.Retyped) {
	if len(list) == 0 {
		return
	}
	r := retyping{map[reflect.Type]reflect.Type{}, map[reflect.Type]bool{}, map[place]bool{}}
	for _, t := range list {
		was, is := reflect.TypeOf(t.Was), reflect.TypeOf(t.Is)
		r.types[was], r.types[was.Elem()] = is, is.Elem()
	}
	cell.EachPointer(func(p any) { r.walk(reflect.ValueOf(p).Elem()) })
}

// now is what a type has become.
func (r *retyping) now(t reflect.Type) reflect.Type {
	if is, ok := r.types[t]; ok {
		return is
	}
	is := t
	if t.Name() == "" {
		switch t.Kind() {
		case reflect.Pointer:
			is = changed(t, r.now(t.Elem()), reflect.PointerTo)
		case reflect.Slice:
			is = changed(t, r.now(t.Elem()), reflect.SliceOf)
		case reflect.Array:
			is = changed(t, r.now(t.Elem()), func(e reflect.Type) reflect.Type { return reflect.ArrayOf(t.Len(), e) })
		case reflect.Map:
			if key, elem := r.now(t.Key()), r.now(t.Elem()); key != t.Key() || elem != t.Elem() {
				is = reflect.MapOf(key, elem)
			}
		}
	}
	r.types[t] = is
	return is
}

// changed is the type that is made of elem, or t itself if elem is its element.
func changed(t, elem reflect.Type, make func(reflect.Type) reflect.Type) reflect.Type {
	if elem == t.Elem() {
		return t
	}
	return make(elem)
}

// walk gives the interfaces in v, which is addressable, and those that can be reached from there their new
// types. It reports whether v itself was changed.
func (r *retyping) walk(v reflect.Value) bool {
	if !r.mayHold(v.Type()) {
		return false
	}
	done := false
	switch v.Kind() {
	case reflect.Interface:
		return r.content(v)
	case reflect.Pointer:
		if !v.IsNil() && r.first(place{v.UnsafePointer(), v.Type(), 0}) {
			r.walk(v.Elem())
		}
	case reflect.Slice:
		if v.Len() > 0 && r.first(place{v.UnsafePointer(), v.Type(), v.Len()}) {
			for i := range v.Len() {
				r.walk(v.Index(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			done = r.walk(v.Index(i)) || done
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			done = r.walk(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()) || done
		}
	case reflect.Map:
		if !v.IsNil() && r.first(place{v.UnsafePointer(), v.Type(), 0}) {
			r.elements(v)
		}
	}
	return done
}

// content gives what an interface holds its new type, if that has the methods.
func (r *retyping) content(v reflect.Value) bool {
	if v.IsNil() {
		return false
	}
	held := reflect.New(v.Elem().Type()).Elem()
	held.Set(v.Elem())
	done := r.walk(held)
	if is := r.now(held.Type()); is != held.Type() && is.AssignableTo(v.Type()) {
		held, done = reflect.NewAt(is, held.Addr().UnsafePointer()).Elem(), true
	}
	if done {
		v.Set(held)
	}
	return done
}

// elements is walk for the keys and values of a map.
func (r *retyping) elements(m reflect.Value) {
	for _, k := range m.MapKeys() {
		key, elem := reflect.New(m.Type().Key()).Elem(), reflect.New(m.Type().Elem()).Elem()
		key.Set(k)
		elem.Set(m.MapIndex(k))
		otherKey, otherElem := r.walk(key), r.walk(elem)
		if otherKey {
			m.SetMapIndex(k, reflect.Value{})
		}
		if otherKey || otherElem {
			m.SetMapIndex(key, elem)
		}
	}
}

func (r *retyping) first(p place) bool {
	if r.seen[p] {
		return false
	}
	r.seen[p] = true
	return true
}

func (r *retyping) mayHold(t reflect.Type) bool {
	holds, ok := r.holds[t]
	if !ok {
		holds = holdsInterfaces(t, map[reflect.Type]bool{})
		r.holds[t] = holds
	}
	return holds
}

// holdsInterfaces reports whether interfaces can be reached from a value of a type. What is inside types of
// packages is theirs, and may be guarded by locks.
func holdsInterfaces(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t.Kind() == reflect.Interface {
		return true
	}
	containers := []string{"", "main", "container/list", "container/ring"}
	if seen[t] || !slices.Contains(containers, t.PkgPath()) {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsInterfaces(t.Elem(), seen)
	case reflect.Map:
		return holdsInterfaces(t.Key(), seen) || holdsInterfaces(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterfaces(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
