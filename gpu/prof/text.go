package prof

import (
	"encoding/json"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// String returns the report as text: tables, the roofline and the notes.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.headline() + "\n")
	for _, t := range r.tables() {
		b.WriteString("\n" + render.FromRows(render.Left, t).Text())
	}
	if r.Timeline != nil {
		b.WriteString("\n" + r.Timeline.String())
	}
	if text := r.Roofline(); text != "" {
		b.WriteString("\n" + text)
	}
	for _, note := range r.Notes {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

func (r *Report) headline() string {
	launches := 0
	var busy time.Duration
	for i := range r.Kernels {
		launches += r.Kernels[i].Calls
		busy += r.Kernels[i].Total
	}
	s := fmt.Sprintf("%s on %s, %s", render.Count(launches, "launch", "launches"), r.Device, duration(r.Wall))
	if !r.Simulated {
		s += fmt.Sprintf(" in all, %s of them in kernels", duration(busy))
	}
	return s
}

// tables returns the tables that are not empty; the first row of each is the heading.
func (r *Report) tables() [][][]string {
	var list [][][]string
	if len(r.Kernels) > 0 {
		list = append(list, r.KernelTable())
	}
	if len(r.Copies) > 0 {
		list = append(list, r.CopyTable())
	}
	if len(r.Ranges) > 0 {
		list = append(list, r.RangeTable())
	}
	return list
}

// KernelTable returns a row for each kernel, after a row with the headings. Unknown values are empty; columns without any value are
// omitted.
func (r *Report) KernelTable() [][]string {
	time, rates := "time", "GB/s"
	if r.Simulated {
		time, rates = "CPU time", "DRAM bytes/call" // a rate would need the time of a GPU
	}
	rows := [][]string{{"kernel", "calls", time, "share", "mean (min to max)", "grid × block", "registers", "shared", rates, "FLOP/call", "occupancy"}}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		row := []string{
			k.Name, strconv.Itoa(k.Calls), duration(k.Total), fmt.Sprintf("%.0f %%", 100*k.Share), duration(k.Mean), "", "", "", "", "", occupancyOf(k),
		}
		if k.Calls > 1 {
			row[4] += fmt.Sprintf(" (%s to %s)", duration(k.Min), duration(k.Max))
		}
		if k.Grid[0] > 0 {
			row[5] = size(k.Grid) + " × " + size(k.Block)
		}
		if k.Registers > 0 {
			row[6] = strconv.Itoa(k.Registers)
		}
		if n := k.StaticShared + k.DynamicShared; n > 0 {
			row[7] = render.Bytes(uint64(n))
		}
		switch {
		case k.Counted == 0:
		case r.Simulated:
			row[8] = render.Bytes(uint64(k.DRAMBytes()))
		default:
			row[8] = figure(k.GBs())
		}
		if k.countsFlops() {
			row[9] = scaled(k.Flops())
		}
		rows = append(rows, row)
	}
	return filled(rows)
}

// filled returns the rows without the columns that have no value.
func filled(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for column := range rows[0] {
		known := false
		for _, row := range rows[1:] {
			known = known || row[column] != ""
		}
		for i := range rows {
			if known {
				out[i] = append(out[i], rows[i][column])
			}
		}
	}
	return out
}

// occupancyOf returns the achieved and the theoretical occupancy as text.
func occupancyOf(k *Kernel) string {
	var parts []string
	if a := k.Achieved(); a > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %%", 100*a))
	}
	if k.Theoretical > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %%", 100*k.Theoretical))
		if len(parts) == 1 {
			return "at most " + parts[0]
		}
	}
	return strings.Join(parts, " of ")
}

// size formats dimensions without trailing ones.
func size(d [3]int) string {
	n := 3
	for n > 1 && d[n-1] == 1 {
		n--
	}
	var parts []string
	for _, v := range d[:n] {
		parts = append(parts, strconv.Itoa(v))
	}
	if n > 1 {
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return parts[0]
}

// scaled formats a number of operations with a unit prefix.
func scaled(v float64) string {
	unit := 0
	for v >= 1000 && unit < 5 {
		v, unit = v/1000, unit+1
	}
	if unit == 0 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return figure(v) + " " + string(" kMGTP"[unit])
}

// copyNames are the kinds of copies in words.
var copyNames = map[string]string{"HtoD": "host to device", "DtoH": "device to host", "DtoD": "on the device"}

// CopyTable returns a row for each kind of copies and fills, after a row with the headings.
func (r *Report) CopyTable() [][]string {
	time := "time"
	if r.Simulated {
		time = "CPU time"
	}
	rows := [][]string{{"copies", "calls", "bytes", time, "GB/s"}}
	for _, c := range r.Copies {
		name := copyNames[c.Kind]
		if name == "" {
			name = c.Kind
		}
		rows = append(rows, []string{name, strconv.Itoa(c.Calls), render.Bytes(c.Bytes), duration(c.Total), figure(c.GBs())})
	}
	return rows
}

// RangeTable returns a row for each range, after a row with the headings.
func (r *Report) RangeTable() [][]string {
	time := "device time"
	if r.Simulated {
		time = "CPU time"
	}
	rows := [][]string{{"range", "times", "launches", time}}
	for _, g := range r.Ranges {
		rows = append(rows, []string{g.Name, strconv.Itoa(g.Times), strconv.Itoa(g.Launches), duration(g.Device)})
	}
	return rows
}

// MIMEBundle returns the representation in a notebook: text, and HTML with the roofline as an image.
func (r *Report) MIMEBundle() map[string]any {
	var b strings.Builder
	fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(r.headline()))
	for _, t := range r.tables() {
		b.WriteString("<table><thead>")
		for i, row := range t {
			tag, style := "td", ` style="white-space: nowrap"` // headings may be broken into lines, figures not
			if i == 0 {
				tag, style = "th", ""
			}
			b.WriteString("<tr>")
			for _, text := range row {
				fmt.Fprintf(&b, "<%s%s>%s</%[1]s>", tag, style, html.EscapeString(text))
			}
			b.WriteString("</tr>")
			if i == 0 {
				b.WriteString("</thead><tbody>")
			}
		}
		b.WriteString("</tbody></table>")
	}
	if r.Timeline != nil {
		b.WriteString(r.Timeline.page())
	}
	if text := r.Roofline(); text != "" {
		b.WriteString(r.SVG())
		fmt.Fprintf(&b, "<pre>%s</pre>", html.EscapeString(text))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(note))
	}
	return map[string]any{"text/plain": r.String(), "text/html": b.String()}
}

// A JSON is a report that a notebook represents as JSON, for programs.
type JSON struct{ *Report }

// MIMEBundle returns the report as text and as a JSON value.
func (r JSON) MIMEBundle() map[string]any {
	text, err := json.MarshalIndent(r.Report, "", "  ")
	if err != nil { // a number that JSON does not have, such as NaN
		return map[string]any{"text/plain": "writing the profile as JSON: " + err.Error()}
	}
	return map[string]any{"text/plain": string(text), "application/json": json.RawMessage(text)}
}
