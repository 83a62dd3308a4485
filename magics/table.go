package magics

import (
	"fmt"
	"html"
	"strings"
	"text/tabwriter"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// showTable shows rows under a head, and text below them.
func showTable(out kernel.Output, head []string, rows [][]string, below string) {
	var plain, page strings.Builder
	w := tabwriter.NewWriter(&plain, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	page.WriteString("<table><thead><tr>")
	for _, title := range head {
		fmt.Fprintf(&page, "<th style=\"text-align:left\">%s</th>", html.EscapeString(title))
	}
	page.WriteString("</tr></thead><tbody>")
	for _, row := range rows {
		page.WriteString("<tr>")
		for _, text := range row {
			fmt.Fprintf(&page, "<td style=\"text-align:left\"><code>%s</code></td>", html.EscapeString(text))
		}
		page.WriteString("</tr>")
	}
	page.WriteString("</tbody></table>")
	if below != "" {
		fmt.Fprintf(&plain, "\n%s", below)
		fmt.Fprintf(&page, "<p>%s</p>", strings.ReplaceAll(html.EscapeString(strings.TrimSpace(below)), "\n", "<br>"))
	}
	out.Display(kernel.MIMEBundle{"text/plain": plain.String(), "text/html": page.String()}, nil, "")
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

// counted is a number with what it counts.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
