package render

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// Align is the alignment of a column's texts.
type Align string

// In text, Default is the same as Left; in HTML it is the front end's default for tables.
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
	Code    bool // in HTML, the rows have a monospaced font
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
	b.WriteString("<table>\n<thead><tr>")
	for _, c := range t.Columns {
		b.WriteString(element("th", c.Align, escaped(c.Name)))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for i, row := range t.Rows {
		if t.Gap > 0 && i == t.Gap {
			fmt.Fprintf(&b, "<tr><td colspan=\"%d\" style=\"text-align: center\">%s</td></tr>\n", len(t.Columns), gap)
		}
		b.WriteString("<tr>")
		for c, text := range row {
			text = escaped(text)
			if t.Code {
				text = "<code>" + text + "</code>"
			}
			b.WriteString(element("td", t.Columns[c].Align, text))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n</table>")
	return b.String()
}

func element(tag string, align Align, content string) string {
	style := ""
	if align != Default {
		style = fmt.Sprintf(" style=\"text-align: %s\"", align)
	}
	return fmt.Sprintf("<%s%s>%s</%[1]s>", tag, style, content)
}

func escaped(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br/>")
}
