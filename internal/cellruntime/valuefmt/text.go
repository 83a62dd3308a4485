package valuefmt

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// maxText is how much of a text is shown, in bytes.
const maxText = 20_000

// Text shows values as a Go programmer reads them: strings quoted, so that "1" and 1 differ and spaces are seen, structs
// with their field names, and else as fmt does, with the values' own methods. It looks at them only as far as they are
// shown, and marks what contains itself.
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

// Sprint is fmt.Sprint of one value within the same bounds. A string is left as it is.
func Sprint(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	p := printer{}
	p.top(v)
	return p.String()
}

// A printer writes values as fmt does for %v or %+v. It follows the same pointers: none, but at the top.
type printer struct {
	buf  []byte
	plus bool
	// own says of types whether their values write themselves. That of a type whose method calls itself without end is
	// set to false.
	own       map[reflect.Type]bool
	open      map[container]bool // what is being written
	recursion *cell.Recursion
	sampled   int // length of a map of which any entries are shown, or 0
}

// A container is what may contain itself.
type container struct {
	at  unsafe.Pointer
	len int
	typ reflect.Type
}

// full reports whether there is more than can be shown.
func (p *printer) full() bool { return len(p.buf) > maxText }

// Write keeps what can be shown, and a byte more.
func (p *printer) Write(b []byte) (int, error) {
	p.buf = append(p.buf, b[:min(len(b), maxText+1-min(len(p.buf), maxText+1))]...)
	return len(b), nil
}

func (p *printer) text(s string) {
	p.buf = append(p.buf, s[:min(len(s), maxText+1-min(len(p.buf), maxText+1))]...)
}

// quoted writes as much of the quoted string as can be shown.
func (p *printer) quoted(s string) {
	// The last bytes may be a part of a letter, and are not shown.
	p.text(strconv.Quote(s[:min(len(s), maxText+utf8.UTFMax)]))
}

// String returns what was written, with notes on what is left out.
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

// top writes a value that is not part of another one.
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

// followed reports whether a pointer to such a value is shown as that.
func followed(k reflect.Kind) bool {
	return k == reflect.Array || k == reflect.Slice || k == reflect.Struct || k == reflect.Map
}

// value writes a part of a value.
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

// byMethod has a value write itself, if it has such a method and that is within reach.
func (p *printer) byMethod(v reflect.Value, verb string) bool {
	if v.Kind() == reflect.Interface || !v.CanInterface() { // what is in an interface has its turn
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
	if inner, ok := x.(reflect.Value); ok { // which fmt would take for what it holds
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

// content writes a value without its methods.
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

// within writes what is in a container, unless it is in itself.
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
