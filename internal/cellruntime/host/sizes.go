package host

import (
	"encoding/json"
	"os"
	"reflect"
	"runtime/debug"
	"strconv"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// limitHeap makes Go collect garbage more often when the heap approaches the process's memory limit, a number of bytes in
// text, so that a process is not killed because of unreachable memory.
func limitHeap(text string) {
	const heap = 0.9 // of the memory; the rest is outside Go's heap
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(heap * float64(n)))
	}
}

// sizes replies with the sizes of variables. Cells may change them at the same time, which may crash the process: the request is
// only sent before the process is killed.
func (h *host) sizes(r proto.Request) {
	all := make(proto.Sizes, len(r.Variables))
	for i, v := range r.Variables {
		all[i] = size(v)
	}
	data, _ := json.Marshal(all) // numbers can always be encoded
	h.send(proto.Event{ID: r.ID, Kind: proto.EventDone, Data: data})
}

// size estimates the bytes of a variable and of the values it refers to.
func size(v cell.Variable) (n int64) {
	defer func() {
		if recover() != nil { // the variable was changed at the same time
			n = 0
		}
	}()
	p := reflect.ValueOf(v.Pointer())
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return 0
	}
	m := measure{left: maxVisits, seen: map[uintptr]bool{}}
	return m.value(p.Elem())
}

const (
	// maxVisits is the maximum number of values visited for one variable, and maxElements the maximum number of elements of a slice:
	// the others are assumed to be like these.
	maxVisits   = 100_000
	maxElements = 1000
)

type measure struct {
	left int
	seen map[uintptr]bool
}

// value returns the size of v itself and of the values it refers to.
func (m *measure) value(v reflect.Value) int64 { return int64(v.Type().Size()) + m.behind(v) }

// behind returns the size of the values v refers to.
func (m *measure) behind(v reflect.Value) int64 {
	if m.left--; m.left < 0 {
		return 0
	}
	switch v.Kind() {
	case reflect.String:
		return int64(v.Len())
	case reflect.Slice:
		if v.IsNil() || m.known(v.Pointer()) {
			return 0
		}
		return int64(v.Cap())*int64(v.Type().Elem().Size()) + m.elements(v)
	case reflect.Array:
		return m.elements(v)
	case reflect.Map:
		// A map must not be read while it is written.
		return int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size())
	case reflect.Pointer:
		if v.IsNil() || m.known(v.Pointer()) {
			return 0
		}
		return m.value(v.Elem())
	case reflect.Interface:
		if v.IsNil() {
			return 0
		}
		return m.value(v.Elem())
	case reflect.Struct:
		var n int64
		for i := range v.NumField() {
			n += m.behind(v.Field(i))
		}
		return n
	}
	return 0
}

// elements returns the size of the values that the elements of v refer to, estimated from some of them.
func (m *measure) elements(v reflect.Value) int64 {
	if !refers(v.Type().Elem()) || v.Len() == 0 {
		return 0
	}
	looked := min(v.Len(), maxElements)
	var n int64
	for i := range looked {
		n += m.behind(v.Index(i * (v.Len() / looked)))
	}
	return int64(float64(n) / float64(looked) * float64(v.Len()))
}

// refers reports whether values of a type can refer to others.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return true
	case reflect.Array:
		return refers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if refers(f.Type) {
				return true
			}
		}
	}
	return false
}

// known reports whether the memory at an address has been counted.
func (m *measure) known(at uintptr) bool {
	was := m.seen[at]
	m.seen[at] = true
	return was
}
