package valuefmt

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// maxText is the maximum length of a text in bytes.
const maxText = 20_000

// Text formats values in Go's notation: strings are quoted, so that "1" and 1 differ and spaces are visible, structs have
// field names, and other values are formatted as by fmt, with their own methods. It reads them only as far as they are
// shown, and marks values that contain themselves.
func Text(values ...any) string {
	p := printer{plus: true}
	for i, v := range values {
		if i > 0 {
			p.text(", ")
		}
		if s, ok := v.(string); ok {
			p.quoted(s)
		} else {
			p.top(v)
		}
	}
	return p.String()
}

// Sprint is like fmt.Sprint for one value, with the same maximum length. A string is not quoted.
func Sprint(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	p := printer{}
	p.top(v)
	return p.String()
}

// A printer formats values as fmt does for %v or %+v. Like fmt it follows pointers only at the top level.
type printer struct {
	buf  []byte
	plus bool
	// own reports whether a type's values have a method to format themselves. It is set to false for a type whose method
	// calls itself without end.
	own       map[reflect.Type]bool
	open      map[container]bool // the values that are being formatted
	recursion *cell.Recursion
	sampled   int // length of a map of which only some entries are shown, or 0
}

// A container identifies a value that may contain itself.
type container struct {
	at  unsafe.Pointer
	len int
	typ reflect.Type
}

// full reports whether the maximum length is exceeded.
func (p *printer) full() bool { return len(p.buf) > maxText }

// Write appends at most one byte more than the maximum length.
func (p *printer) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b[:min(len(b), maxText+1-min(len(p.buf), maxText+1))]...)
	return len(b), nil
}

func (p *printer) text(s string) {
	p.buf = append(p.buf, s[:min(len(s), maxText+1-min(len(p.buf), maxText+1))]...)
}

// quoted appends the quoted string, up to the maximum length.
func (p *printer) quoted(s string) {
	// The last bytes may be part of a rune, and are not shown.
	p.text(strconv.Quote(s[:min(len(s), maxText+utf8.UTFMax)]))
}

// String returns the text, with notes on what was omitted.
func (p *printer) String() string {
	s, note := string(p.buf), ""
	if p.full() {
		cut := maxText
		for cut > maxText-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
		note = fmt.Sprintf("… (the first %d bytes; print the value to see it all)", cut)
		if p.sampled > 0 {
			note = fmt.Sprintf("… (%d bytes, with any of the map's %d entries; print the value to see it all)", cut, p.sampled)
		}
	}
	if p.recursion != nil {
		note += " (" + p.recursion.Error() + ")"
	}
	return s + note
}

func (p *printer) verb() string {
	if p.plus {
		return "%+v"
	}
	return "%v"
}

// top formats a value that is not part of another one.
func (p *printer) top(v any) {
	value, ok := v.(reflect.Value)
	if !ok {
		value = reflect.ValueOf(v)
	}
	verb := p.verb()
	if _, ok := v.(fmt.Formatter); ok { // numbers of package big take + for a sign
		verb = "%v"
	}
	switch {
	case v == nil:
		p.text("<nil>")
	case !value.IsValid():
		p.text("<invalid reflect.Value>")
	case p.byMethod(value, verb):
	case value.Kind() == reflect.Pointer && !value.IsNil() && followed(value.Elem().Kind()):
		p.text("&")
		p.value(value.Elem())
	default:
		p.content(value)
	}
}

// followed reports whether a pointer to a value of that kind is formatted as the value.
func followed(k reflect.Kind) bool {
	return k == reflect.Array || k == reflect.Slice || k == reflect.Struct || k == reflect.Map
}

// value formats a part of a value.
func (p *printer) value(v reflect.Value) {
	if !p.full() && !p.byMethod(v, p.verb()) {
		p.content(v)
	}
}

var (
	formatter = reflect.TypeFor[fmt.Formatter]()
	stringer  = reflect.TypeFor[fmt.Stringer]()
	anError   = reflect.TypeFor[error]()
)

// byMethod formats a value by its own method, and reports whether it has one that can be called.
func (p *printer) byMethod(v reflect.Value, verb string) bool {
	if v.Kind() == reflect.Interface || !v.CanInterface() { // the value in an interface follows
		return false
	}
	t := v.Type()
	own, known := p.own[t]
	if !known {
		own = t.NumMethod() > 0 && (t.Implements(formatter) || t.Implements(anError) || t.Implements(stringer))
		if p.own == nil {
			p.own = map[reflect.Type]bool{}
		}
		p.own[t] = own
	}
	if !own {
		return false
	}
	x := v.Interface()
	if inner, ok := x.(reflect.Value); ok { // which fmt would replace by the value it holds
		p.text(inner.String())
		return true
	}
	before := len(p.buf)
	if r := cell.Formatting(func() { fmt.Fprintf(p, verb, x) }); r != nil {
		p.buf, p.own[t], p.recursion = p.buf[:before], false, r
		return false
	}
	return true
}

// content formats a value without its methods.
func (p *printer) content(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		p.text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.text(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.text(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32:
		fmt.Fprint(p, float32(v.Float()))
	case reflect.Float64:
		fmt.Fprint(p, v.Float())
	case reflect.Complex64:
		fmt.Fprint(p, complex64(v.Complex()))
	case reflect.Complex128:
		fmt.Fprint(p, v.Complex())
	case reflect.String:
		p.text(v.String())
	case reflect.Interface:
		if v.IsNil() {
			p.text("<nil>")
			return
		}
		p.value(v.Elem())
	case reflect.Struct:
		p.fields(v)
	case reflect.Map:
		p.within(container{v.UnsafePointer(), v.Len(), v.Type()}, func() { p.entries(v) })
	case reflect.Slice:
		p.within(container{v.UnsafePointer(), v.Len(), v.Type()}, func() { p.elements(v) })
	case reflect.Array:
		p.elements(v)
	default: // pointers, channels, funcs
		if at := v.Pointer(); at != 0 {
			p.text("0x" + strconv.FormatUint(uint64(at), 16))
		} else {
			p.text("<nil>")
		}
	}
}

// within calls write for the elements of a container, unless the container contains itself.
func (p *printer) within(c container, write func()) {
	if c.len == 0 {
		write()
		return
	}
	if p.open[c] {
		p.text("<cycle>")
		return
	}
	if p.open == nil {
		p.open = map[container]bool{}
	}
	p.open[c] = true
	write()
	delete(p.open, c)
}

func (p *printer) elements(v reflect.Value) {
	p.text("[")
	for i := 0; i < v.Len() && !p.full(); i++ {
		if i > 0 {
			p.text(" ")
		}
		p.value(v.Index(i))
	}
	p.text("]")
}

func (p *printer) fields(v reflect.Value) {
	p.text("{")
	for i := 0; i < v.NumField() && !p.full(); i++ {
		if i > 0 {
			p.text(" ")
		}
		if name := v.Type().Field(i).Name; p.plus && name != "" {
			p.text(name + ":")
		}
		p.value(v.Field(i))
	}
	p.text("}")
}

func (p *printer) entries(m reflect.Value) {
	p.text("map[")
	list, all := entriesOf(m)
	if !all {
		p.sampled = m.Len()
	}
	for i, e := range list {
		if p.full() {
			break
		}
		if i > 0 {
			p.text(" ")
		}
		p.value(e.key)
		p.text(":")
		p.value(e.of(m))
	}
	p.text("]")
}
