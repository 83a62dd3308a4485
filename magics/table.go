package magics

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// showTable shows rows under a head, and text below them.
func showTable(out kernel.Output, head []string, rows [][]string, below string) {
	var plain, md strings.Builder
	w := tabwriter.NewWriter(&plain, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	fmt.Fprintf(&md, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, text := range row {
			if text != "" {
				text = "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
			}
			cells[i] = text
		}
		fmt.Fprintf(&md, "| %s |\n", strings.Join(cells, " | "))
	}
	if below != "" {
		fmt.Fprintf(&plain, "\n%s", below)
		fmt.Fprintf(&md, "\n%s", below)
	}
	out.Display(kernel.MIMEBundle{"text/plain": plain.String(), "text/markdown": md.String()}, nil, "")
}

// cut shortens text to n characters.
func cut(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// byteSize words a number of bytes.
func byteSize(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
