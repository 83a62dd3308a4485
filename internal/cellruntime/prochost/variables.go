package prochost

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// The names of the handlers for variables. The first two take a map[string]cell.Variable by
// name and answer with a map[string]Content, the last takes a PartsRequest and answers with
// a []Part.
const (
	CallDescribe = "variables.describe"
	CallClear    = "variables.clear"
	CallParts    = "variables.parts"
)

// Content describes the value of a variable.
type Content struct {
	Bytes  int64  // memory of the value itself: elements of a slice, but not what they point to
	Device string // where the memory is, unless it is the host's
	Text   string // excerpt of the value
	Parts  bool   // it has parts: elements or fields
}

// PartsRequest is the request for the parts of a variable, or of a part of it.
type PartsRequest struct {
	Variable cell.Variable
	Path     []int // the number of a part, of a part of that, and so on
}

// Part is an element or field.
type Part struct {
	Name, Type string
	Content
}

const (
	// maxText is the maximum length of a string's excerpt, and maxExcerpt of other values, in characters.
	maxText    = 32
	maxExcerpt = 48
	// maxParts is the maximum number of elements that are listed.
	maxParts = 100
	// maxDepth is the maximum depth of structs and slices in an excerpt.
	maxDepth = 4
	// maxPointers is the maximum number of pointers to pointers that are followed: one may point to itself.
	maxPointers = 100
)

func describe(vars map[string]cell.Variable) (map[string]Content, error) {
	all := map[string]Content{}
	for name, v := range vars {
		if p := v.Pointer(); p != nil {
			all[name] = safely(func() Content { return content(reflect.ValueOf(p).Elem()) })
		}
	}
	return all, nil
}

// clearAll sets variables to their zero values.
func clearAll(vars map[string]cell.Variable) (map[string]Content, error) {
	for _, v := range vars {
		if p := v.Pointer(); p != nil {
			reflect.ValueOf(p).Elem().SetZero()
		}
	}
	return map[string]Content{}, nil
}

func parts(q PartsRequest) ([]Part, error) {
	p := q.Variable.Pointer()
	if p == nil {
		return nil, fmt.Errorf("no variable %s of cell %d", q.Variable.Name, q.Variable.Cell)
	}
	return safely(func() (list []Part) {
		v := reflect.ValueOf(p).Elem()
		for _, i := range q.Path {
			v, _ = part(v, i)
		}
		for i := range partCount(v) {
			value, name := part(v, i)
			list = append(list, Part{Name: name, Type: typeName(value.Type()), Content: content(value)})
		}
		return list
	}), nil
}

// safely calls f, which reads memory that goroutines may change at the same time: half of a slice's
// header can be new and half old.
func safely[T any](f func() T) (t T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }()
	return f()
}

// deviceMemory is a *gpu.Buffer or *gpu.Buffer2D of any element.
type deviceMemory interface {
	Address() uint64
	Bytes() int
	Device() *gpu.Device
}

// onDevice returns v as device memory, or nil.
func onDevice(v reflect.Value) deviceMemory {
	if v.Kind() != reflect.Pointer || v.IsNil() || !v.CanInterface() {
		return nil
	}
	m, ok := v.Interface().(deviceMemory)
	if !ok || m.Address() == 0 { // freed, or a zero value, which has no device
		return nil
	}
	return m
}

// extent returns the number of elements, or of bytes, as text.
func extent(m deviceMemory) string {
	if b, ok := m.(interface{ Len() int }); ok {
		return render.Count(b.Len(), "element", "elements")
	}
	return render.Count(m.Bytes(), "byte", "bytes")
}

// content describes a variable without calling its methods, which may be slow or never return.
// Goroutines may change it at the same time; therefore the elements of maps are not read.
func content(v reflect.Value) Content {
	if m := onDevice(v); m != nil {
		return Content{Bytes: int64(m.Bytes()), Device: m.Device().Name(), Text: extent(m)}
	}
	c := Content{Bytes: int64(v.Type().Size()), Text: text(v), Parts: partCount(v) > 0}
	switch v.Kind() {
	case reflect.String:
		c.Bytes += int64(v.Len())
	case reflect.Slice:
		c.Bytes += int64(v.Cap()) * int64(v.Type().Elem().Size())
	case reflect.Map:
		c.Bytes += int64(v.Len()) * int64(v.Type().Key().Size()+v.Type().Elem().Size())
	case reflect.Pointer:
		if !v.IsNil() {
			c.Bytes += int64(v.Type().Elem().Size())
		}
	}
	return c
}

// text returns an excerpt of a value.
func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		return render.Count(v.Len(), "element", "elements") + ": " + excerpt(v)
	case reflect.Array:
		return render.Count(v.Len(), "element", "elements") + ": " + excerpt(v)
	}
	return excerpt(v)
}

// excerpt returns the beginning of a value's text.
func excerpt(v reflect.Value) string {
	var b strings.Builder
	write(&b, v, 0)
	s := b.String()
	if utf8.RuneCountInString(s) > maxExcerpt && v.Kind() != reflect.String {
		s = strings.TrimRight(string([]rune(s)[:maxExcerpt]), " ") + "…"
	}
	return s
}

// write appends the text of v, and stops soon after the maximum length.
func write(b *strings.Builder, v reflect.Value, depth int) {
	if depth > maxDepth || b.Len() > 4*maxExcerpt {
		b.WriteString("…")
		return
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Chan, reflect.Interface, reflect.Pointer, reflect.Func, reflect.UnsafePointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
	}
	list := func(open string, n int, item func(i int), end string) {
		b.WriteString(open)
		for i := range n {
			if i > 0 {
				b.WriteString(" ")
			}
			if b.Len() > 4*maxExcerpt {
				b.WriteString("…")
				break
			}
			item(i)
		}
		b.WriteString(end)
	}
	switch v.Kind() {
	case reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 32))
	case reflect.Float64:
		b.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case reflect.Complex64, reflect.Complex128:
		fmt.Fprint(b, v.Complex())
	case reflect.String:
		b.WriteString(quote(v.String()))
	case reflect.Slice, reflect.Array:
		list("[", v.Len(), func(i int) { write(b, v.Index(i), depth+1) }, "]")
	case reflect.Struct:
		list("{", v.NumField(), func(i int) {
			b.WriteString(v.Type().Field(i).Name + ":")
			write(b, v.Field(i), depth+1)
		}, "}")
	case reflect.Map:
		b.WriteString(render.Count(v.Len(), "entry", "entries"))
	case reflect.Chan:
		fmt.Fprintf(b, "%d of %d buffered", v.Len(), v.Cap())
	case reflect.Interface:
		b.WriteString(typeName(v.Elem().Type()) + "(")
		write(b, v.Elem(), depth+1)
		b.WriteString(")")
	case reflect.Pointer:
		if m := onDevice(v); m != nil {
			b.WriteString(extent(m) + " on " + m.Device().Name())
			return
		}
		b.WriteString("&")
		write(b, v.Elem(), depth+1)
	case reflect.Func:
		b.WriteString("func")
	default:
		fmt.Fprintf(b, "%#x", v.Pointer())
	}
}

// inner returns the value that has v's parts: what it points to, or holds as an interface.
func inner(v reflect.Value) reflect.Value {
	for range maxPointers {
		if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer {
			return v
		}
		if v.IsNil() || onDevice(v) != nil {
			break
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

func partCount(v reflect.Value) int {
	switch v = inner(v); v.Kind() {
	case reflect.Struct:
		return v.NumField()
	case reflect.Slice, reflect.Array:
		return min(v.Len(), maxParts)
	}
	return 0
}

// part returns a part and its name. It panics if there is none: parts must not have been removed
// since they were counted.
func part(v reflect.Value, i int) (reflect.Value, string) {
	v = inner(v)
	if v.Kind() == reflect.Struct {
		return v.Field(i), v.Type().Field(i).Name
	}
	return v.Index(i), fmt.Sprintf("[%d]", i)
}

// typeName returns the name of a type as in cells.
func typeName(t reflect.Type) string { return strings.ReplaceAll(t.String(), "main.", "") }

func quote(s string) string {
	if len(s) <= maxText*utf8.UTFMax && utf8.RuneCountInString(s) <= maxText {
		return strconv.Quote(s)
	}
	runes := []rune(s[:min(len(s), maxText*utf8.UTFMax)])
	return strconv.Quote(string(runes[:maxText])) + "…"
}
