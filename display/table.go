package display

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// Table shows rows as a table: a slice of structs, whose fields are its columns, a slice of maps with keys that are strings, a
// slice of slices, or a map, which becomes a row for each key. Anything else is a row of one column.
//
// A field's tag says what its column is called and how it is written, in fmt's way; "-" leaves it out:
//
//	type run struct {
//		Size int     `table:"numbers"`
//		Rate float64 `table:"GB/s,%.1f"`
//		Seed int     `table:"-"`
//	}
//	display.Table([]run{{1 << 20, 3150.2, 1}})
//
// Where no tag says otherwise, numbers with a point have up to six digits and durations up to four.
// Of more than 60 rows the first and the last 30 are shown.
func Table(rows any) Bundle { return newGrid(reflect.ValueOf(rows)) }

// mostRows is how many rows of a table are shown.
const mostRows = 60

// A grid is a table of texts.
type grid struct {
	columns []column
	rows    [][]string
	hidden  int // rows between the first and the last half of those that are shown
}

type column struct {
	name, verb string
	number     bool // of numbers, which are written to the right
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

// shown are the numbers of the rows that are shown, of so many; it notes how many are not.
func (g *grid) shown(n int) []int {
	list := make([]int, 0, min(n, mostRows))
	for i := range n {
		if n <= mostRows || i < mostRows/2 || i >= n-mostRows/2 {
			list = append(list, i)
		}
	}
	g.hidden = n - len(list)
	return list
}

// listed makes a row of each element.
func (g *grid) listed(list reflect.Value) {
	rows := make([]reflect.Value, 0, mostRows)
	for _, i := range g.shown(list.Len()) {
		rows = append(rows, list.Index(i))
	}
	g.fill(list.Type().Elem(), rows)
}

// keyed makes a row of each key of a map, in their order, and puts the key in front.
func (g *grid) keyed(m reflect.Value) {
	keys := m.MapKeys()
	slices.SortFunc(keys, compareKeys)
	values, names := make([]reflect.Value, 0, mostRows), make([]string, 0, mostRows)
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
	for i := 0; i < mostPointers && t.Kind() == reflect.Pointer; i++ {
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

// mostPointers is how many pointers to pointers are followed: one may point to itself.
const mostPointers = 100

// pointed follows pointers and interfaces; the result is invalid at the end of a nil.
func pointed(v reflect.Value) reflect.Value {
	for range mostPointers {
		if !v.IsValid() || v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface {
			return v
		}
		v = v.Elem()
	}
	return reflect.Value{}
}

// addressable is a copy of a struct whose fields have addresses.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// readable is a field as if it were exported: a cell's own types have fields in lower case, and methods such as a
// time.Duration's String are to be called for those too.
func readable(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// write is how a value stands in the table; of an error or a Stringer what it says.
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

// rounded leaves a time four digits: what is measured has no more.
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

// MIMEBundle gives the table as HTML and as text.
func (g *grid) MIMEBundle() map[string]any {
	return map[string]any{"text/html": g.html(), "text/plain": g.text()}
}

// note says what is not shown.
func (g *grid) note() string {
	switch {
	case len(g.rows) == 0:
		return "(no rows)"
	case g.hidden > 0:
		return fmt.Sprintf("%d rows, of which the first and the last %d are shown", len(g.rows)+g.hidden, mostRows/2)
	}
	return ""
}

// cut is whether rows are left out in front of this one.
func (g *grid) cut(row int) bool { return g.hidden > 0 && row == mostRows/2 }

func (g *grid) html() string {
	var b strings.Builder
	cell := func(tag, text string, c column) {
		align := "left"
		if c.number {
			align = "right"
		}
		fmt.Fprintf(&b, `<%s style="text-align: %s">%s</%[1]s>`, tag, align, strings.ReplaceAll(html.EscapeString(text), "\n", "<br/>"))
	}
	b.WriteString("<table>\n<thead><tr>")
	for _, c := range g.columns {
		cell("th", c.name, c)
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for r, row := range g.rows {
		if g.cut(r) {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\" style=\"text-align: center\">⋮</td></tr>\n", len(g.columns))
		}
		b.WriteString("<tr>")
		for i, text := range row {
			cell("td", text, g.columns[i])
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>")
	if note := g.note(); note != "" {
		b.WriteString("\n<p>" + note + "</p>")
	}
	return b.String()
}

func (g *grid) text() string {
	widths := make([]int, len(g.columns))
	lines := [][]string{make([]string, len(g.columns))}
	for i, c := range g.columns {
		lines[0][i] = c.name
	}
	for r, row := range g.rows {
		if g.cut(r) {
			lines = append(lines, slices.Repeat([]string{"⋮"}, len(g.columns)))
		}
		lines = append(lines, slices.Clone(row))
	}
	for _, line := range lines {
		for i, text := range line {
			line[i] = strings.ReplaceAll(text, "\n", " ")
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for n, line := range lines {
		var l strings.Builder
		for i, text := range line {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i > 0 {
				l.WriteString("  ")
			}
			if g.columns[i].number {
				l.WriteString(space + text)
			} else {
				l.WriteString(text + space)
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
		if n == 0 && len(widths) > 0 {
			rules := make([]string, len(widths))
			for i, w := range widths {
				rules[i] = strings.Repeat("─", w)
			}
			b.WriteString(strings.Join(rules, "  ") + "\n")
		}
	}
	if note := g.note(); note != "" {
		b.WriteString(note + "\n")
	}
	return strings.TrimPrefix(strings.TrimSuffix(b.String(), "\n"), "\n")
}
