package display

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// Table returns rows as a table: a slice of structs, whose fields are its columns, a slice of maps with keys that are strings, a slice of
// slices, or a map, which becomes a row for each key. Anything else is a row of one column.
//
// A field's tag has the name of its column and its format, in fmt's syntax; "-" leaves the field out:
//
//	type run struct {
//		Size int     `table:"numbers"`
//		Rate float64 `table:"GB/s,%.1f"`
//		Seed int     `table:"-"`
//	}
//	display.Table([]run{{1 << 20, 3150.2, 1}})
//
// By default floating-point numbers have up to six digits and durations up to four. Of more than 60 rows the first and the last 30 are
// shown.
func Table(rows any) Bundle { return newGrid(reflect.ValueOf(rows)) }

// maxRows is the number of rows of a table that are shown.
const maxRows = 60

// A grid is a table of texts.
type grid struct {
	columns []column
	rows    [][]string
	hidden  int // rows between the first and the last half of the shown ones
}

// column is a column whose values are formatted by a verb of fmt, or by write if that is "".
type column struct {
	name, verb string
	number     bool
}

func newGrid(v reflect.Value) *grid {
	v = pointed(v)
	g := &grid{}
	switch v.Kind() {
	case reflect.Invalid:
	case reflect.Map:
		g.keyed(v)
	case reflect.Slice, reflect.Array:
		g.listed(v)
	default:
		list := reflect.MakeSlice(reflect.SliceOf(v.Type()), 1, 1)
		list.Index(0).Set(v)
		g.listed(list)
	}
	return g
}

// shown returns the indices of the rows that are shown, of n, and records how many are not.
func (g *grid) shown(n int) []int {
	list := make([]int, 0, min(n, maxRows))
	for i := range n {
		if n <= maxRows || i < maxRows/2 || i >= n-maxRows/2 {
			list = append(list, i)
		}
	}
	g.hidden = n - len(list)
	return list
}

// listed makes a row of each element.
func (g *grid) listed(list reflect.Value) {
	rows := make([]reflect.Value, 0, maxRows)
	for _, i := range g.shown(list.Len()) {
		rows = append(rows, list.Index(i))
	}
	g.fill(list.Type().Elem(), rows)
}

// keyed makes a row of each key of a map, in sorted order, and puts the key in front.
func (g *grid) keyed(m reflect.Value) {
	keys := m.MapKeys()
	slices.SortFunc(keys, compareKeys)
	values, names := make([]reflect.Value, 0, maxRows), make([]string, 0, maxRows)
	for _, i := range g.shown(len(keys)) {
		values, names = append(values, m.MapIndex(keys[i])), append(names, valuefmt.Sprint(keys[i].Interface()))
	}
	g.fill(m.Type().Elem(), values)
	g.columns = append([]column{{name: "key", number: isNumber(m.Type().Key())}}, g.columns...)
	for i := range g.rows {
		g.rows[i] = append([]string{names[i]}, g.rows[i]...)
	}
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	case a.CanFloat():
		return cmp.Compare(a.Float(), b.Float())
	}
	return strings.Compare(valuefmt.Sprint(a.Interface()), valuefmt.Sprint(b.Interface()))
}

// fill writes a row for each value of that type.
func (g *grid) fill(t reflect.Type, values []reflect.Value) {
	for i := 0; i < maxPointers && t.Kind() == reflect.Pointer; i++ {
		t = t.Elem()
	}
	_, writesItself := reflect.Zero(t).Interface().(fmt.Stringer)
	switch {
	case t.Kind() == reflect.Struct && !writesItself:
		g.structs(t, values)
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		g.maps(t, values)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8, t.Kind() == reflect.Array:
		g.lists(t, values)
	default:
		g.columns = []column{{name: "value", number: isNumber(t)}}
		for _, v := range values {
			g.rows = append(g.rows, []string{write(v, "")})
		}
	}
}

func (g *grid) structs(t reflect.Type, values []reflect.Value) {
	var fields []int
	for i := range t.NumField() {
		f := t.Field(i)
		name, verb := f.Tag.Get("table"), ""
		if at := strings.LastIndex(name, ",%"); at >= 0 {
			name, verb = name[:at], name[at+1:]
		}
		if name == "-" || f.Name == "_" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		fields = append(fields, i)
		g.columns = append(g.columns, column{name, verb, isNumber(f.Type)})
	}
	for _, v := range values {
		row := make([]string, len(fields))
		if v = pointed(v); v.IsValid() {
			v = addressable(v)
			for c, i := range fields {
				row[c] = write(readable(v.Field(i)), g.columns[c].verb)
			}
		}
		g.rows = append(g.rows, row)
	}
}

func (g *grid) maps(t reflect.Type, values []reflect.Value) {
	names := map[string]bool{}
	for _, v := range values {
		if v = pointed(v); v.IsValid() {
			for _, k := range v.MapKeys() {
				names[k.String()] = true
			}
		}
	}
	keys := slices.Sorted(maps.Keys(names))
	numbers := make([]bool, len(keys))
	for i := range numbers {
		numbers[i] = true
	}
	for _, v := range values {
		row := make([]string, len(keys))
		v = pointed(v)
		for i, k := range keys {
			if !v.IsValid() {
				continue
			}
			if e := v.MapIndex(reflect.ValueOf(k).Convert(t.Key())); e.IsValid() {
				row[i] = write(e, "")
				e = pointed(e)
				numbers[i] = numbers[i] && e.IsValid() && isNumber(e.Type())
			}
		}
		g.rows = append(g.rows, row)
	}
	for i, k := range keys {
		g.columns = append(g.columns, column{name: k, number: numbers[i]})
	}
}

func (g *grid) lists(t reflect.Type, values []reflect.Value) {
	widest := 0
	for _, v := range values {
		if v = pointed(v); v.IsValid() {
			widest = max(widest, v.Len())
		}
	}
	for i := range widest {
		g.columns = append(g.columns, column{name: fmt.Sprint(i), number: isNumber(t.Elem())})
	}
	for _, v := range values {
		row := make([]string, widest)
		if v = pointed(v); v.IsValid() {
			for i := range v.Len() {
				row[i] = write(v.Index(i), "")
			}
		}
		g.rows = append(g.rows, row)
	}
}

// maxPointers is the number of pointers to pointers that are followed: one may point to itself.
const maxPointers = 100

// pointed follows pointers and interfaces; the result is invalid at the end of a nil.
func pointed(v reflect.Value) reflect.Value {
	for range maxPointers {
		if !v.IsValid() || v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

// addressable returns a copy of a struct whose fields have addresses.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// readable returns a field as if it were exported: types declared in cells have fields in lower case, and methods such as a
// time.Duration's String are to be called for those too.
func readable(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// write formats a value for the table; for an error or a Stringer it returns its text.
func write(v reflect.Value, verb string) string {
	if !v.IsValid() {
		return ""
	}
	if verb == "" {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() {
				return ""
			}
		case reflect.Float32, reflect.Float64:
			verb = "%.6g"
		case reflect.Int64:
			if d, ok := v.Interface().(time.Duration); ok {
				return rounded(d).String()
			}
		}
	}
	if verb == "" {
		return valuefmt.Sprint(v.Interface())
	}
	return fmt.Sprintf(verb, v.Interface())
}

// rounded rounds a duration to four digits: measured ones have no more.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d.Abs() >= 10_000*unit {
		unit *= 10
	}
	return d.Round(unit)
}

func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

// MIMEBundle returns the table as HTML and as text.
func (g *grid) MIMEBundle() map[string]any {
	table := g.table()
	text, page := "", table.HTML()
	if len(g.columns) > 0 {
		text = table.Text()
	}
	if note := g.note(); note != "" {
		text, page = text+note+"\n", page+"\n<p>"+note+"</p>"
	}
	return map[string]any{"text/html": page, "text/plain": strings.TrimSuffix(text, "\n")}
}

// table returns the grid with numbers to the right.
func (g *grid) table() *render.Table {
	t := &render.Table{Rows: g.rows, Rule: true}
	if g.hidden > 0 {
		t.Gap = maxRows / 2
	}
	for _, c := range g.columns {
		align := render.Left
		if c.number {
			align = render.Right
		}
		t.Columns = append(t.Columns, render.Column{Name: c.name, Align: align})
	}
	return t
}

// note returns what a reader has to know about the rows, or "".
func (g *grid) note() string {
	switch {
	case len(g.rows) == 0:
		return "(no rows)"
	case g.hidden > 0:
		return fmt.Sprintf("%d rows, of which the first and the last %d are shown", len(g.rows)+g.hidden, maxRows/2)
	}
	return ""
}
