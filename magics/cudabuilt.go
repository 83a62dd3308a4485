package magics

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// showBuilt returns the result of compiling a cell's program, as text and as HTML.
func showBuilt(b *gpuhost.Built, show gpuhost.Show, source string) kernel.MIMEBundle {
	d := &document{}
	made := cmp.Or(b.Arch, b.Device)
	if b.Compiler != "" {
		made += ", " + b.Compiler
	}
	if b.Unread != "" {
		d.paragraph("What NVIDIA's compiler makes of this is not known: " + b.Unread)
	}
	if len(b.Kernels) == 0 {
		d.paragraph("There are no kernels to tell of: a template has code only for the arguments that somebody asks for.")
	}
	if show.Info && len(b.Kernels) > 0 {
		d.paragraph("Resources (" + made + ")")
		d.table(resourceRows(b))
		for i := range b.Kernels {
			showOccupancy(d, b, &b.Kernels[i], show)
		}
		if b.Occupancy == nil {
			d.paragraph("The occupancy is left out: it needs the limits of a device of " + b.Arch + ", and " + b.Device + " is another (%gpu picks one, as in %gpu sim:a100).")
		}
	}
	lines := strings.Split(source, "\n")
	if show.PTX && b.Unread == "" {
		for i := range b.Kernels {
			showCode(d, b.Kernels[i].Name+": PTX ("+made+")", b.Kernels[i].PTX, lines)
		}
	}
	if show.SASS && b.Unread == "" {
		if b.SASSProblem != "" {
			d.paragraph("No SASS: " + b.SASSProblem)
		}
		for i := range b.Kernels {
			if b.SASSProblem == "" {
				showCode(d, b.Kernels[i].Name+": SASS ("+made+")", b.Kernels[i].SASS, lines)
			}
		}
	}
	return kernel.MIMEBundle{"text/plain": strings.TrimRight(d.plain.String(), "\n"), "text/html": d.page.String()}
}

// resourceRows returns a row for each kernel.
func resourceRows(b *gpuhost.Built) [][]string {
	rows := [][]string{{"kernel", "registers", "shared", "stack", "spill stores", "spill loads", "constant", "barriers", "threads a block"}}
	for i := range b.Kernels {
		k := &b.Kernels[i]
		r := &k.Resources
		most := "any"
		if r.MaxThreads > 0 {
			most = "at most " + strconv.Itoa(r.MaxThreads)
		}
		rows = append(rows, []string{
			k.Name, number(r.Registers), bytesOf(r.Shared), bytesOf(r.Stack), bytesOf(r.SpillStores), bytesOf(r.SpillLoads),
			bytesOf(r.Constant), number(r.Barriers), most,
		})
	}
	return rows
}

func number(n int) string {
	if n == gpu.Unknown {
		return "unknown"
	}
	return strconv.Itoa(n)
}

func bytesOf(n int) string {
	if n == gpu.Unknown {
		return "unknown"
	}
	return strconv.Itoa(n) + " B"
}

func showOccupancy(d *document, b *gpuhost.Built, k *gpu.BuiltKernel, show gpuhost.Show) {
	table := b.Occupancy[k.Name]
	if table == nil {
		return
	}
	title := fmt.Sprintf("Occupancy of %s on %s", k.Name, b.Device)
	if show.Shared > 0 {
		title += fmt.Sprintf(", with %d B of dynamic shared memory", show.Shared)
	}
	if k.Resources.Registers == gpu.Unknown {
		title += "; registers are unknown and not counted"
	}
	d.paragraph(title)
	rows := [][]string{{"threads a block", "blocks", "warps", "occupancy", "limited by", ""}}
	for _, r := range table {
		row := []string{strconv.Itoa(r.Threads), strconv.Itoa(r.Blocks), fmt.Sprintf("%d of %d", r.Warps, b.WarpSlots), fmt.Sprintf("%.0f %%", 100*r.Fraction), strings.Join(r.Limits, ", "), ""}
		if r.Blocks == 0 {
			row[4] = "too much: " + row[4]
		}
		if r.Best {
			row[5] = "best"
		}
		rows = append(rows, row)
	}
	d.table(rows)
}

// A place is a line of a file.
type place struct {
	file string
	line int
}

// showCode adds a kernel's code, grouped by the lines of the source and folded.
func showCode(d *document, title string, code []gpu.Instruction, source []string) {
	byPlace := map[place][]gpu.Instruction{}
	var places []place
	count := 0
	for _, at := range code {
		p := place{at.File, at.Line}
		if byPlace[p] == nil {
			places = append(places, p)
		}
		byPlace[p] = append(byPlace[p], at)
		if !strings.HasSuffix(at.Text, ":") {
			count++
		}
	}
	own := func(p place) bool {
		return strings.HasSuffix(p.file, programSuffix) && p.line >= 1 && p.line <= len(source)
	}
	slices.SortStableFunc(places, func(x, y place) int {
		if own(x) != own(y) { // headers, and code without a line, are last
			if own(x) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.line, y.line))
	})
	d.open(fmt.Sprintf("%s, %d instructions", title, count))
	for _, p := range places {
		head := "no line"
		switch {
		case own(p):
			head = fmt.Sprintf("%4d  %s", p.line, source[p.line-1])
		case p.file != "":
			head = fmt.Sprintf("%s:%d", p.file, p.line)
		}
		d.open(head)
		d.code(byPlace[p])
		d.close()
	}
	d.close()
}

// A document is written as text and as HTML at the same time.
type document struct {
	plain, page strings.Builder
	depth       int
}

func (d *document) paragraph(text string) {
	fmt.Fprintf(&d.plain, "%s\n", text)
	fmt.Fprintf(&d.page, "<p>%s</p>", render.Inline(text))
}

func (d *document) table(rows [][]string) {
	table := render.FromRows(render.Default, rows)
	fmt.Fprintf(&d.plain, "%s\n", table.Text())
	d.page.WriteString(table.HTML())
}

// open begins a folded section of the HTML, under a heading.
func (d *document) open(heading string) {
	fmt.Fprintf(&d.plain, "%s\n", heading)
	style := ""
	if d.depth > 0 {
		style = ` style="margin-left:1em"`
	}
	fmt.Fprintf(&d.page, "<details%s><summary><code style=\"white-space:pre\">%s</code></summary>", style, html.EscapeString(heading))
	d.depth++
}

func (d *document) close() {
	d.depth--
	if d.depth == 0 {
		d.plain.WriteString("\n")
	}
	d.page.WriteString("</details>")
}

func (d *document) code(code []gpu.Instruction) {
	var text strings.Builder
	for _, at := range code {
		switch {
		case strings.HasSuffix(at.Text, ":"):
			fmt.Fprintf(&text, "      %s\n", at.Text)
		case at.Address >= 0:
			fmt.Fprintf(&text, "        %04x  %s\n", at.Address, at.Text)
		default:
			fmt.Fprintf(&text, "        %s\n", at.Text)
		}
	}
	d.plain.WriteString(text.String())
	fmt.Fprintf(&d.page, "<pre>%s</pre>", html.EscapeString(text.String()))
}
