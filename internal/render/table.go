package render

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Align is the alignment of a column's texts.
type Align string

// In text, Default is the same as Left; in HTML it is Right for columns of quantities, and Left for others.
const (
	Default Align = ""
	Left    Align = "left"
	Right   Align = "right"
)

// Column is the header of a column.
type Column struct {
	Name  string
	Align Align
}

// Columns returns columns of the same alignment.
func Columns(align Align, names ...string) []Column {
	columns := make([]Column, len(names))
	for i, name := range names {
		columns[i] = Column{name, align}
	}
	return columns
}

// A Table is a header and rows of texts. A row may have fewer texts than there are columns, not more.
type Table struct {
	Columns []Column
	Rows    [][]string
	Gap     int  // the row before which rows were omitted; 0 if none were
	Rule    bool // in text, a line separates the header from the rows
	Code    bool // in HTML, texts that are no quantities have a monospaced font
}

// WithoutEmpty returns the table without the columns in which there is no text.
func (t *Table) WithoutEmpty() *Table {
	some := *t
	some.Columns, some.Rows = nil, make([][]string, len(t.Rows))
	for i, c := range t.Columns {
		has := func(row []string) bool { return i < len(row) && row[i] != "" }
		if !slices.ContainsFunc(t.Rows, has) {
			continue
		}
		some.Columns = append(some.Columns, c)
		for r, row := range t.Rows {
			if i < len(row) {
				some.Rows[r] = append(some.Rows[r], row[i])
			}
		}
	}
	return &some
}

// FromRows returns a table of rows, of which the first is the header.
func FromRows(align Align, rows [][]string) *Table {
	return &Table{Columns: Columns(align, rows[0]...), Rows: rows[1:]}
}

// gap marks omitted rows.
const gap = "⋮"

// Text returns the table in lines of aligned columns. Each line ends in a newline, without trailing spaces.
func (t *Table) Text() string {
	lines := make([][]string, 0, len(t.Rows)+2)
	head := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = c.Name
	}
	lines = append(lines, head)
	for i, row := range t.Rows {
		if t.Gap > 0 && i == t.Gap {
			lines = append(lines, slices.Repeat([]string{gap}, len(t.Columns)))
		}
		lines = append(lines, row)
	}
	widths := make([]int, len(t.Columns))
	for _, line := range lines {
		for i, text := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	if t.Rule {
		rule := make([]string, len(widths))
		for i, w := range widths {
			rule[i] = strings.Repeat("─", w)
		}
		lines = slices.Insert(lines, 1, rule)
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(t.line(line, widths) + "\n")
	}
	return b.String()
}

// line returns a row of texts in columns of the given widths.
func (t *Table) line(row []string, widths []int) string {
	var b strings.Builder
	for i, text := range row {
		space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
		if i > 0 {
			b.WriteString("  ")
		}
		text = strings.ReplaceAll(text, "\n", " ")
		if t.Columns[i].Align == Right {
			b.WriteString(space + text)
		} else {
			b.WriteString(text + space)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// HTML returns the table as an HTML element, with escaped texts.
func (t *Table) HTML() string {
	var b strings.Builder
	b.WriteString("<table style=\"font-variant-numeric: tabular-nums\">\n<thead><tr>")
	aligns := t.aligns()
	for i, c := range t.Columns {
		b.WriteString(element("th", aligns[i], escaped(c.Name)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for i, row := range t.Rows {
		if t.Gap > 0 && i == t.Gap {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\" style=\"text-align: center\">%s</td></tr>\n", len(t.Columns), gap)
		}
		b.WriteString("<tr>")
		for c, text := range row {
			text = escaped(text)
			if t.Code && aligns[c] != Right {
				text = "<code style=\"background: none; padding: 0\">" + text + "</code>"
			}
			b.WriteString(element("td", aligns[c], text))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

// quantity matches a number, with its unit and what it is a part of: "4.0 KiB", "94 %", "16 of 32", "8 (best 4)".
var quantity = regexp.MustCompile(`^[-+]?\d[\d.,]*(?:e[-+]?\d+)?\+?(?: ?[%µ\pL][\pL/²]*)?(?: of [\d.]+.{0,4}| \(best [\d.]+\))?$`)

// aligns returns the alignments of the columns in HTML.
func (t *Table) aligns() []Align {
	aligns := make([]Align, len(t.Columns))
	for i, c := range t.Columns {
		aligns[i] = c.Align
		if c.Align == Default {
			aligns[i] = t.alignOf(i)
		}
	}
	return aligns
}

// alignOf returns Right for a column in which there is a quantity and nothing else.
func (t *Table) alignOf(column int) Align {
	found := Left
	for _, row := range t.Rows {
		switch {
		case column >= len(row) || row[column] == "" || row[column] == unknown:
		case !quantity.MatchString(row[column]):
			return Left
		default:
			found = Right
		}
	}
	return found
}

// unknown is the text of a quantity that is not known.
const unknown = "unknown"

// shortText is the number of characters up to which a text is not broken into lines.
const shortText = 24

// element returns a cell. Headers, quantities and short texts are not broken into lines.
func element(tag string, align Align, content string) string {
	wrap := ""
	if tag == "th" || align == Right || utf8.RuneCountInString(content) <= shortText {
		wrap = "; white-space: nowrap"
	}
	return fmt.Sprintf("<%s style=\"text-align: %s%s\">%s</%[1]s>", tag, cmp.Or(align, Left), wrap, content)
}

func escaped(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br/>")
}
