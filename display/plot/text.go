package plot

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// maxRows is the number of lines of numbers that a chart has as text.
const maxRows = 40

// joined returns the non-empty parts of a text, one below the other.
func joined(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, "\n")
}

// linesText returns a table: a row for each x, a column for each series.
func linesText(x, y Axis, series []Series) string {
	rows := map[float64][]string{}
	header := []string{x.Label}
	if x.Label == "" {
		header[0] = "x"
	}
	for i, s := range series {
		name := s.name
		if name == "" {
			name = y.Label
		} else if y.Label != "" {
			name += " (" + y.Label + ")"
		}
		header = append(header, name)
		for j, at := range s.x {
			row := rows[at]
			for len(row) <= i {
				row = append(row, "")
			}
			if row[i] != "" {
				row[i] += ", " // the same x occurs twice
			}
			row[i] += number(s.y[j], 4)
			rows[at] = row
		}
	}
	keys := slices.Sorted(maps.Keys(rows))
	table := [][]string{header}
	for _, i := range picked(len(keys)) {
		row := append([]string{exact(keys[i])}, rows[keys[i]]...)
		for len(row) < len(header) {
			row = append(row, "")
		}
		table = append(table, row)
	}
	text := aligned(table)
	if n := len(keys); n > maxRows {
		text += fmt.Sprintf("\n%d of %d rows", maxRows, n)
	}
	return text
}

// exact formats a number; integers keep all their digits, as sizes are known by them.
func exact(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return number(v, 6)
}

// picked returns the numbers from 0 to n-1, or evenly spaced ones of them if they are too many for a text.
func picked(n int) []int {
	list := make([]int, min(n, maxRows))
	for i := range list {
		list[i] = i
		if n > maxRows {
			list[i] = i * (n - 1) / (maxRows - 1)
		}
	}
	return list
}

// barsText returns a line for each bar.
func barsText(unit string, names []string, values []float64) string {
	const longest = 40
	_, most := Axis{}.bounds(values)
	table := make([][]string, len(names))
	for i, name := range names {
		table[i] = []string{name, number(values[i], 4)}
	}
	lines := strings.Split(aligned(table), "\n")
	for i, v := range values {
		if n := int(longest*v/most + 0.5); most > 0 && n > 0 && (Axis{}).drawable(v) {
			lines[i] += "  " + strings.Repeat("█", n)
		}
	}
	return joined(unit, strings.Join(lines, "\n"))
}

// heatText returns a table as shades, a character for one or more values.
func heatText(table [][]float64, lo, hi float64) string {
	const widest, highest = 64, 24
	shades := []rune(" ░▒▓█")
	height, width := len(table), len(table[0])
	rows, columns := min(height, highest), min(width, widest)
	var b strings.Builder
	fmt.Fprintf(&b, "%d × %d values from %s (blank) to %s (█)\n", height, width, number(lo, 4), number(hi, 4))
	for r := range rows {
		b.WriteByte('|')
		for c := range columns {
			// The mean of the values that share the character.
			sum, n := 0.0, 0
			for i := r * height / rows; i < (r+1)*height/rows; i++ {
				for j := c * width / columns; j < (c+1)*width/columns; j++ {
					if v := table[i][j]; (Axis{}).drawable(v) {
						sum += fraction(v, lo, hi)
						n++
					}
				}
			}
			mark := '?'
			if n > 0 {
				mark = shades[min(len(shades)-1, int(sum/float64(n)*float64(len(shades))))]
			}
			b.WriteRune(mark)
		}
		b.WriteString("|\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// aligned returns a table in columns: the first aligned left, the others right.
func aligned(rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	table := render.FromRows(render.Right, rows)
	table.Columns[0].Align = render.Left
	return strings.TrimSuffix(table.Text(), "\n")
}
