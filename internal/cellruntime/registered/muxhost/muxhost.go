// Package muxhost removes patterns that a cell has registered with package http's DefaultServeMux. It is loaded with
// net/http.
//
// An http.ServeMux has no methods to list or remove patterns. A new default ServeMux would not be used by servers that
// have the old one. So this package reads and replaces unexported fields; if they are not as expected, patterns stay,
// and a cell that registers one again fails.
package muxhost

import (
	"net/http"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/registered"
)

func init() { registered.Add(patterns{}) }

type patterns struct{}

// A route is a pattern with its handler.
type route struct {
	pattern reflect.Value // *http.pattern
	handler http.Handler
}

func (r route) field(name string) *string {
	f := r.pattern.Elem().FieldByName(name)
	if !f.IsValid() || f.Kind() != reflect.String {
		return nil
	}
	return (*string)(open(f).Addr().UnsafePointer())
}

func (patterns) Names() map[string]any {
	names := map[string]any{}
	for _, r := range routes(http.DefaultServeMux) {
		names[*r.field("str")] = r.pattern.Pointer()
	}
	return names
}

func (patterns) Remove(names map[string]bool) {
	fresh, mux := http.NewServeMux(), http.DefaultServeMux
	places := map[string]string{}
	for _, r := range routes(mux) {
		if name := *r.field("str"); !names[name] {
			fresh.Handle(name, r.handler)
			places[name] = *r.field("loc")
		}
	}
	for _, r := range routes(fresh) {
		*r.field("loc") = places[*r.field("str")] // messages about conflicts have the position
	}
	lock, ok := field(mux, "mu").Addr().Interface().(*sync.RWMutex)
	if !ok {
		return
	}
	lock.Lock()
	defer lock.Unlock()
	for _, name := range []string{"tree", "index"} {
		field(mux, name).Set(field(fresh, name))
	}
}

// open returns a value that can be set although its field is not exported.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

func field(mux *http.ServeMux, name string) reflect.Value {
	return open(reflect.ValueOf(mux).Elem().FieldByName(name))
}

// isKnown reports whether the fields are as this package expects.
var isKnown = sync.OnceValue(func() bool {
	mux, ok := reflect.TypeFor[http.ServeMux](), true
	has := func(t reflect.Type, name string, kind reflect.Kind) reflect.Type {
		if ok && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		f, there := reflect.StructField{}, false
		if ok && t.Kind() == reflect.Struct {
			f, there = t.FieldByName(name)
		}
		if !there || f.Type.Kind() != kind {
			ok = false
			return t
		}
		return f.Type
	}
	has(mux, "mu", reflect.Struct)
	has(mux, "index", reflect.Struct)
	node := has(mux, "tree", reflect.Struct)
	pattern := has(node, "pattern", reflect.Pointer)
	has(pattern, "str", reflect.String)
	has(pattern, "loc", reflect.String)
	has(node, "handler", reflect.Interface)
	return ok
})

// routes returns the registrations of mux.
func routes(mux *http.ServeMux) []route {
	if !isKnown() {
		return nil
	}
	lock, ok := field(mux, "mu").Addr().Interface().(*sync.RWMutex)
	if !ok {
		return nil
	}
	lock.RLock()
	defer lock.RUnlock()
	var all []route
	tree := field(mux, "tree")
	nodes(tree, tree.Type(), func(node reflect.Value) {
		handler, ok := open(node.FieldByName("handler")).Interface().(http.Handler)
		if pattern := open(node.FieldByName("pattern")); ok && !pattern.IsNil() {
			all = append(all, route{pattern, handler})
		}
	})
	return all
}

// nodes calls f with each node of a type in v, in whatever data structure they are.
func nodes(v reflect.Value, node reflect.Type, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem() == node {
			nodes(v.Elem(), node, f)
		}
	case reflect.Struct:
		if v.Type() == node {
			f(v)
		}
		for i := range v.NumField() {
			nodes(open(v.Field(i)), node, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			nodes(v.Index(i), node, f)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			nodes(v.MapIndex(k), node, f)
		}
	}
}
