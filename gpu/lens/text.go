package lens

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A count is how often a line ran.
type count struct {
	warps   int // steps of warps
	threads int // steps of threads
}

// counts returns how often each of the trace's lines ran.
func counts(t *trace.Trace) []count {
	list := make([]count, len(t.Lines))
	for _, b := range t.Blocks {
		for _, w := range b.Warps {
			for i, line := range w.Lines {
				list[line].warps++
				list[line].threads += bits.OnesCount32(w.Masks[i])
			}
		}
	}
	return list
}

// String returns the source of each kernel with the number of times that each line ran, the findings, and what was left out.
func (r *Recording) String() string {
	if r.Empty() {
		return "no kernel was launched\n"
	}
	var b strings.Builder
	for i, t := range r.launches {
		if i > 0 {
			b.WriteString("\n")
		}
		r.write(&b, t)
	}
	if r.skipped > 0 {
		fmt.Fprintf(&b, "%s not kept: a recording has at most %d\n", render.Count(r.skipped, "more launch was", "more launches were"), mostLaunches)
	}
	return b.String()
}

func (r *Recording) write(b *strings.Builder, t *trace.Trace) {
	b.WriteString(title(t) + "\n")
	for _, block := range t.Blocks {
		fmt.Fprintf(b, "block %s: %s, %s, %s\n", position(block.Index), render.Count(len(block.Warps), "warp", "warps"),
			render.Count(block.Ticks, "step", "steps"), render.Count(len(block.Barriers), "barrier", "barriers"))
	}
	all := counts(t)
	for _, file := range files(t) {
		rows := [][]string{{programOf(t, file), "warps", "threads", "active", ""}}
		source := r.source(t, file)
		for i, c := range all {
			if t.Lines[i].File != file || t.Lines[i].Line == 0 {
				continue
			}
			line := t.Lines[i].Line
			code := ""
			if line <= len(source) {
				code = strings.ReplaceAll(source[line-1], "\t", "    ")
			}
			rows = append(rows, []string{
				strconv.Itoa(line), strconv.Itoa(c.warps), strconv.Itoa(c.threads), fmt.Sprintf("%.0f %%", 100*float64(c.threads)/float64(32*c.warps)), code,
			})
		}
		slices.SortFunc(rows[1:], func(x, y []string) int {
			n, _ := strconv.Atoi(x[0])
			m, _ := strconv.Atoi(y[0])
			return n - m
		})
		table := render.FromRows(render.Right, rows)
		table.Columns[4].Align = render.Left
		b.WriteString(table.Text())
	}
	for _, f := range t.Findings {
		fmt.Fprintf(b, "%s:%d: %s: %s\n", programOf(t, f.File), f.Line, f.Kind, f.Message)
	}
	for _, note := range t.Notes {
		b.WriteString(note + "\n")
	}
}

// title returns a launch as "sum<<<3, 64>>>".
func title(t *trace.Trace) string {
	return fmt.Sprintf("%s<<<%s, %s>>>", t.Kernel, size(t.Grid), size(t.Threads))
}

func size(v [3]int) string {
	switch {
	case v[2] > 1:
		return position(v)
	case v[1] > 1:
		return fmt.Sprintf("(%d, %d)", v[0], v[1])
	}
	return strconv.Itoa(v[0])
}

func position(v [3]int) string { return fmt.Sprintf("(%d,%d,%d)", v[0], v[1], v[2]) }

// files returns the files of the lines that ran, the program first.
func files(t *trace.Trace) []string {
	var list []string
	for _, l := range t.Lines {
		if l.Line > 0 && !slices.Contains(list, l.File) {
			list = append(list, l.File)
		}
	}
	slices.Sort(list)
	return list
}

// source returns the lines of a file, or nil if its text is not known.
func (r *Recording) source(t *trace.Trace, file string) []string {
	text, ok := r.sources[programOf(t, file)]
	if !ok {
		return nil
	}
	return strings.Split(text, "\n")
}
