package valuefmt

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// DefaultRows is the number of elements that are shown of a long value.
const DefaultRows = 20

// What is short is shown by Text in one piece: texts of at most that many bytes, structs of at most a line.
const (
	shortText   = 400
	shortStruct = 100
	shortString = 2000
)

// Result is like Text, but of a single long slice, map, string or matrix it returns the beginning and the end with at most rows
// elements, and the type and shape; a large struct has a line for each field. If rows is 0, it is the same as Text.
func Result(rows int, values ...any) string {
	if len(values) == 1 && rows > 0 && values[0] != nil {
		l := layout{rows: max(rows, 2)}
		if text, ok := l.value(values[0]); ok {
			return text
		}
	}
	return Text(values...)
}

type layout struct{ rows int }

// grid is implemented by the matrices of gonum.
type grid interface {
	Dims() (rows, columns int)
	At(row, column int) float64
}

// value returns the layout of a value; not ok if it has none, since it is short or has methods to format itself.
func (l layout) value(v any) (text string, ok bool) {
	rv := reflect.ValueOf(v)
	if rv.Kind() == reflect.Pointer && rv.IsNil() {
		return "", false
	}
	switch v := v.(type) {
	case time.Time:
		return v.Round(0).String(), true // without the monotonic clock's reading
	case error:
		return chain(v)
	case string:
		return l.string(v)
	}
	if p := (&printer{plus: true}); p.formatsItself(rv) {
		return "", false
	}
	if g, isGrid := v.(grid); isGrid {
		return l.grid(g)
	}
	prefix := ""
	if rv.Kind() == reflect.Pointer && followed(rv.Elem().Kind()) {
		rv, prefix = rv.Elem(), "&"
	}
	switch rv.Kind() {
	case reflect.Slice, reflect.Array:
		if len(Text(v)) > shortText {
			text, ok = l.list(rv)
		}
	case reflect.Map:
		if len(Text(v)) > shortText {
			text, ok = l.entries(rv), true
		}
	case reflect.Struct:
		if len(Text(v)) > shortStruct {
			text, ok = l.fields(rv, ""), true
		}
	}
	return prefix + text, ok
}

// maxWrapped is the maximum number of wrapped errors whose types are shown.
const maxWrapped = 10

// chain returns an error with the types of the errors that it wraps.
func chain(err error) (text string, ok bool) {
	defer func() {
		if recover() != nil { // in a method of the error
			text, ok = "", false
		}
	}()
	var types []string
	for e := err; e != nil && len(types) < maxWrapped; e = errors.Unwrap(e) {
		types = append(types, reflect.TypeOf(e).String())
	}
	if len(types) == 1 {
		return "", false
	}
	return Text(err) + "\n" + strings.Join(types, ", which wraps "), true
}

// string returns the beginning and the end of a long string.
func (l layout) string(s string) (string, bool) {
	if len(s) <= shortString {
		return "", false
	}
	head, tail := s[:shortString*3/4], s[len(s)-shortString/4:]
	for !utf8.RuneStart(tail[0]) && len(tail) > shortString/4-utf8.UTFMax {
		tail = tail[1:]
	}
	for n := 1; n < utf8.UTFMax && !utf8.RuneStart(s[len(head)]); n++ {
		head = s[:len(head)+1]
	}
	return fmt.Sprintf("%s … %s\n%s of %d bytes", strconv.Quote(head), strconv.Quote(tail), "string", len(s)), true
}

// indices returns those of n elements that are shown; gap is the position before which some are left out, or 0.
func indices(n, most int) (list []int, gap int) {
	if n <= most {
		most = n
	} else {
		gap = (most + 1) / 2
	}
	for i := range most {
		if gap > 0 && i >= gap {
			i += n - most
		}
		list = append(list, i)
	}
	return list, gap
}

// list lays out a slice or array: numbers in lines, rows of numbers as a matrix, and others one below the other.
func (l layout) list(v reflect.Value) (string, bool) {
	n := v.Len()
	about := fmt.Sprintf("%s of %s", v.Type(), render.Count(n, "element", "elements"))
	if columns, ok := rectangular(v); ok {
		cell := func(i, j int) string { return l.element(v.Index(i).Index(j)) }
		return l.matrix(n, columns, cell) + fmt.Sprintf("\n%s of %d×%d", v.Type(), n, columns), true
	}
	list, gap := indices(n, l.rows)
	parts := make([]string, 0, len(list)+1)
	for k, i := range list {
		if gap > 0 && k == gap {
			parts = append(parts, "…")
		}
		parts = append(parts, l.element(v.Index(i)))
	}
	if scalar(v.Type().Elem().Kind()) {
		return "[" + strings.Join(parts, " ") + "]\n" + about, true
	}
	return strings.Join(parts, "\n") + "\n" + about, true
}

// scalar reports whether values of that kind are short.
func scalar(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128
}

// rectangular returns the number of columns of a slice of slices of numbers, all equally long.
func rectangular(v reflect.Value) (columns int, ok bool) {
	elem := v.Type().Elem()
	if k := elem.Kind(); k != reflect.Slice && k != reflect.Array || !scalar(elem.Elem().Kind()) || v.Len() == 0 {
		return 0, false
	}
	columns = v.Index(0).Len()
	for i := range v.Len() {
		if v.Index(i).Len() != columns {
			return 0, false
		}
	}
	return columns, columns > 0
}

// matrixDigits is the number of digits of the numbers of a matrix.
const matrixDigits = 6

func (l layout) grid(g grid) (text string, ok bool) {
	defer func() {
		if recover() != nil { // in a method of the matrix
			text, ok = "", false
		}
	}()
	rows, columns := g.Dims()
	cell := func(i, j int) string { return strconv.FormatFloat(g.At(i, j), 'g', matrixDigits, 64) }
	return l.matrix(rows, columns, cell) + fmt.Sprintf("\n%T of %d×%d", g, rows, columns), true
}

// matrixColumns is the maximum number of columns of a matrix that are shown.
const matrixColumns = 10

// matrix returns the corners of a matrix, its columns aligned.
func (l layout) matrix(rows, columns int, cell func(i, j int) string) string {
	if rows == 0 || columns == 0 {
		return "[]"
	}
	down, downGap := indices(rows, l.rows)
	across, acrossGap := indices(columns, matrixColumns)
	var lines [][]string
	for k, i := range down {
		if downGap > 0 && k == downGap {
			lines = append(lines, []string{"⋮"})
		}
		var line []string
		for m, j := range across {
			if acrossGap > 0 && m == acrossGap {
				line = append(line, "…")
			}
			line = append(line, cell(i, j))
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for k, line := range lines {
		if k > 0 {
			b.WriteString("\n")
		}
		for i, text := range line {
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text)) + text)
		}
	}
	return b.String()
}

// entries lays out a map, an entry in each line.
func (l layout) entries(v reflect.Value) string {
	all, sorted := entriesOf(v)
	list, gap := indices(len(all), l.rows)
	if !sorted { // nothing is at the end
		list, gap = list[:(len(list)+1)/2], 0
	}
	var lines []string
	for k, i := range list {
		if gap > 0 && k == gap {
			lines = append(lines, "…")
		}
		lines = append(lines, l.element(all[i].key)+": "+l.element(all[i].of(v)))
	}
	about := fmt.Sprintf("%s of %s", v.Type(), render.Count(v.Len(), "entry", "entries"))
	if !sorted {
		lines, about = append(lines, "…"), about+", of which any are shown"
	}
	return strings.Join(append(lines, about), "\n")
}

// maxElement is the maximum length of an element in bytes.
const maxElement = 200

// element returns a part of a value in a line.
func (l layout) element(v reflect.Value) string {
	p := &printer{plus: true}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.String && !p.formatsItself(v) {
		p.quoted(v.String())
	} else {
		p.value(v)
	}
	text := strings.ReplaceAll(string(p.buf), "\n", "⏎")
	if len(text) > maxElement {
		text = strings.ToValidUTF8(text[:maxElement], "") + "…"
	}
	return text
}

// maxDepth is the number of structs in one another whose fields have lines of their own.
const maxDepth = 4

// fields lays out a struct, a field in each line.
func (l layout) fields(v reflect.Value, indent string) string {
	const step = "    "
	var b strings.Builder
	b.WriteString(v.Type().String() + "{\n")
	for i := range v.NumField() {
		fmt.Fprintf(&b, "%s%s%s: %s\n", indent, step, v.Type().Field(i).Name, l.field(v.Field(i), indent+step))
	}
	b.WriteString(indent + "}")
	return b.String()
}

// field lays out the value of a field.
func (l layout) field(v reflect.Value, indent string) string {
	p := &printer{plus: true}
	p.value(v)
	inner := v
	if inner.Kind() == reflect.Interface && !inner.IsNil() {
		inner = inner.Elem()
	}
	switch own := p.formatsItself(inner); {
	case own || len(p.buf) <= shortStruct:
	case inner.Kind() == reflect.Struct && len(indent) < 4*maxDepth:
		return l.fields(inner, indent)
	case inner.Kind() == reflect.Slice || inner.Kind() == reflect.Array:
		list, gap := indices(inner.Len(), min(l.rows, 6))
		var parts []string
		for k, i := range list {
			if gap > 0 && k == gap {
				parts = append(parts, "…")
			}
			parts = append(parts, l.element(inner.Index(i)))
		}
		return fmt.Sprintf("[%s] (%s)", strings.Join(parts, " "), render.Count(inner.Len(), "element", "elements"))
	case inner.Kind() == reflect.Map:
		return fmt.Sprintf("%s (%s)", l.element(inner), render.Count(inner.Len(), "entry", "entries"))
	}
	return l.element(v)
}

// formatsItself reports whether a value has a method for its own text that can be called.
func (p *printer) formatsItself(v reflect.Value) bool {
	if !v.IsValid() || !v.CanInterface() {
		return false
	}
	t := v.Type()
	return t.NumMethod() > 0 && (t.Implements(formatter) || t.Implements(anError) || t.Implements(stringer))
}
