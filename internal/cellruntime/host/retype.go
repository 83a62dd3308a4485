package host

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
)

// When a cell adds a method to a type, the type is compiled again, and is a different type to the runtime. Variables
// get the new type, but values in interfaces keep the earlier one. So interfaces that can be reached from variables
// are given the new type. This does not include values that only closures, channels and values of packages' types refer
// to, and values that cannot have the new type: the cell reports those that can be reached from variables.

// A retyping gives values in interfaces the types that were compiled again.
type retyping struct {
	types map[reflect.Type]reflect.Type
	fresh map[reflect.Type]bool // the new types
	// outdated has the names of the types that were compiled again, and the reason if their values cannot be changed. No
	// value has one of the new types yet: the cell that declares them has not begun.
	outdated map[string]string
	holds    map[reflect.Type]bool // whether a value may hold interfaces
	seen     map[place]bool
	kept     func(typ, why string, sure bool) // called for values that could not be changed
}

type place struct {
	at  unsafe.Pointer
	typ reflect.Type
	n   int
}

// retype gives values in interfaces their new types. It returns lines about those that it could not change, with the
// variables that refer to them.
func retype(list []cell.Retyped, variables []cell.Variable) string {
	if len(list) == 0 {
		return ""
	}
	r := retyping{
		types: map[reflect.Type]reflect.Type{}, fresh: map[reflect.Type]bool{}, outdated: map[string]string{},
		holds: map[reflect.Type]bool{}, seen: map[place]bool{},
	}
	for _, t := range list {
		if t.Name != "" {
			r.outdated[t.Name] = t.Why
		}
		if t.Was != nil {
			was, is := reflect.TypeOf(t.Was), reflect.TypeOf(t.Is)
			r.types[was], r.types[was.Elem()] = is, is.Elem()
			r.fresh[is.Elem()] = true
		}
	}
	some := false
	r.kept = func(string, string, bool) { some = true }
	cell.EachPointer(r.from)
	if !some {
		return ""
	}
	var left leftovers
	for _, v := range variables {
		r.seen = map[place]bool{} // values that several variables refer to are reported for each
		r.kept = func(typ, why string, sure bool) {
			left.add(strings.TrimPrefix(v.Name, funcname.Prefix), typ, why, sure)
		}
		r.from(v.Pointer())
	}
	return left.String()
}

// from changes the values that a variable refers to.
func (r *retyping) from(pointer any) {
	if pointer != nil {
		r.walk(reflect.ValueOf(pointer).Elem())
	}
}

// now returns the type that replaces t.
func (r *retyping) now(t reflect.Type) reflect.Type {
	if is, ok := r.types[t]; ok {
		return is
	}
	return t
}

// walk gives the interfaces in v, which is addressable, and those that can be reached from it their new
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
		return r.fields(v)
	case reflect.Map:
		if !v.IsNil() && r.first(place{v.UnsafePointer(), v.Type(), 0}) {
			r.elements(v)
		}
	case reflect.Chan:
		r.waiting(v)
	}
	return done
}

// fields is like walk for a struct.
func (r *retyping) fields(v reflect.Value) (done bool) {
	switch p := v.Addr().UnsafePointer(); v.Type() {
	case syncMap:
		if r.first(place{p, v.Type(), 0}) {
			r.entries((*sync.Map)(p))
		}
		return false
	case atomicValue:
		held := (*atomic.Value)(p).Load()
		if is := reflect.ValueOf(&held).Elem(); r.content(is) && held != nil {
			r.kept(r.oldIn(reflect.TypeOf((*atomic.Value)(p).Load())), "an atomic.Value takes no values of another type", true)
		}
		return false
	}
	for i := range v.NumField() {
		f := v.Field(i)
		done = r.walk(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()) || done
	}
	return done
}

// content gives the value in an interface its new type, if that implements the interface.
func (r *retyping) content(v reflect.Value) bool {
	if v.IsNil() {
		return false
	}
	held := reflect.New(v.Elem().Type()).Elem()
	held.Set(v.Elem())
	done := r.walk(held)
	old := held.Type()
	if is := r.now(old); is != old && is.AssignableTo(v.Type()) {
		held, done = reflect.NewAt(is, held.Addr().UnsafePointer()).Elem(), true
	}
	if typ := r.oldIn(held.Type()); typ != "" {
		r.kept(typ, r.why(typ, held.Type(), v.Type()), true)
	}
	if done {
		v.Set(held)
	}
	return done
}

// why returns the reason why a value in an interface of type in was not changed; typ is the outdated type in it.
func (r *retyping) why(typ string, held, in reflect.Type) string {
	switch {
	case r.outdated[typ] != "":
		return r.outdated[typ]
	case r.now(held) != held:
		return "the new one does not have all methods of " + strings.TrimPrefix(in.String(), "main.")
	case held.Name() == typ || held.Kind() == reflect.Pointer && held.Elem().Name() == typ:
		return "it is another type now" // than when the value was put there
	}
	return "values of " + strings.ReplaceAll(held.String(), "main.", "") + " are not changed"
}

// typeArgument matches names of types of cells in those of generic types.
var typeArgument = regexp.MustCompile(`\bmain\.([\pL\pN_]+)`)

// oldIn returns the name of an outdated type that t is or is composed of, or "".
func (r *retyping) oldIn(t reflect.Type) string {
	if t.Name() != "" {
		return r.oldName(t)
	}
	var parts []reflect.Type
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		parts = []reflect.Type{t.Elem()}
	case reflect.Map:
		parts = []reflect.Type{t.Key(), t.Elem()}
	case reflect.Func:
		for i := range t.NumIn() {
			parts = append(parts, t.In(i))
		}
		for i := range t.NumOut() {
			parts = append(parts, t.Out(i))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			parts = append(parts, t.Field(i).Type)
		}
	}
	for _, part := range parts {
		if name := r.oldIn(part); name != "" {
			return name
		}
	}
	return ""
}

// oldName is like oldIn for a named type.
func (r *retyping) oldName(t reflect.Type) string {
	if r.fresh[t] {
		return ""
	}
	name, arguments, _ := strings.Cut(t.Name(), "[")
	if _, ok := r.outdated[name]; ok && t.PkgPath() == "main" {
		return name
	}
	for _, m := range typeArgument.FindAllStringSubmatch(arguments, -1) {
		if _, ok := r.outdated[m[1]]; ok {
			return m[1]
		}
	}
	return ""
}

// elements is like walk for the keys and values of a map.
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

// entries is like elements for a sync.Map.
func (r *retyping) entries(m *sync.Map) {
	m.Range(func(k, e any) bool {
		key, elem := k, e
		otherKey, otherElem := r.content(reflect.ValueOf(&key).Elem()), r.content(reflect.ValueOf(&elem).Elem())
		if otherKey {
			m.Delete(k)
		}
		if otherKey || otherElem {
			m.Store(key, elem)
		}
		return true
	})
}

// waiting reports values queued in a channel: goroutines may be about to receive them.
func (r *retyping) waiting(c reflect.Value) {
	if c.Len() == 0 {
		return
	}
	for name, why := range r.outdated {
		if why == "" {
			why = "what is in a channel is not changed"
		}
		r.kept(name, why, false)
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

var (
	syncMap     = reflect.TypeFor[sync.Map]()
	atomicValue = reflect.TypeFor[atomic.Value]()
	anError     = reflect.TypeFor[error]()
)

// isOpen reports whether the inside of a type may be read. Types of packages may guard it by locks. Exceptions are errors and
// contexts with a value, which do not change, and types whose methods or documentation allow it.
func isOpen(t reflect.Type) bool {
	switch t.PkgPath() {
	case "", "main", "container/list", "container/ring":
		return true
	case "context":
		return t.Name() == "valueCtx"
	}
	return t == syncMap || t == atomicValue || t.Implements(anError) || reflect.PointerTo(t).Implements(anError)
}

// holdsInterfaces reports whether interfaces can be reached from a value of a type.
func holdsInterfaces(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t.Kind() == reflect.Interface || t == syncMap || t == atomicValue {
		return true
	}
	if seen[t] || !isOpen(t) {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
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

// leftovers are the variables that refer to values which were not changed, by the reason.
type leftovers struct {
	all []leftover
}

type leftover struct {
	typ, why  string
	sure      bool
	variables []string
}

func (l *leftovers) add(variable, typ, why string, sure bool) {
	i := slices.IndexFunc(l.all, func(o leftover) bool { return o.typ == typ && o.why == why && o.sure == sure })
	if i < 0 {
		i = len(l.all)
		l.all = append(l.all, leftover{typ: typ, why: why, sure: sure})
	}
	if !slices.Contains(l.all[i].variables, variable) {
		l.all[i].variables = append(l.all[i].variables, variable)
	}
}

// String returns a line for each type and reason.
func (l *leftovers) String() string {
	var b strings.Builder
	for _, o := range l.all {
		keep, it := "keep", "them"
		if len(o.variables) == 1 {
			keep, it = "keeps", "it"
		}
		if !o.sure {
			keep = "may keep"
		}
		fmt.Fprintf(&b, "%s %s a %s from before: %s", strings.Join(o.variables, ", "), keep, o.typ, o.why)
		if o.sure {
			b.WriteString(". Assign " + it + " anew")
		}
		b.WriteByte('\n')
	}
	return b.String()
}
