package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Report has the findings and counts of check mode for some launches. It is the same every time for the same launches.
type Report struct {
	Launches int
	Findings []Finding // defects, at most one of each kind per line
	Accesses []Access  // counts, by program, kernel and line; nil for a GPU
	// Operations are counted by program, kernel and line, by the simulator only.
	Operations []Operations
	// Efforts are counted by program and kernel, for kernels that ran, by the simulator only.
	Efforts []Effort `json:",omitempty"`
	// Note says how launches were checked, if not by the simulator.
	Note string `json:",omitempty"`
	// Sources has the source of each program, by its name.
	Sources map[string]string `json:"-"`
}

// At returns the counts of a line of a program: one entry for each kernel, kind of memory and operation. The program may be "" if there
// is only one.
func (r *Report) At(program string, line int) []Access {
	var list []Access
	for _, a := range r.Accesses {
		if a.Line == line && (program == "" || a.Program == program) {
			list = append(list, a)
		}
	}
	return list
}

// String returns the summary and a table of the counts, without the columns that have none: JupyterLab breaks lines that are too long.
func (r *Report) String() string {
	s := r.Summary()
	if r.Note != "" {
		s += r.Note + "\n"
	}
	if len(r.Accesses) > 0 {
		s += render.FromRows(render.Left, r.Table()).WithoutEmpty().Text()
	}
	return s + r.flops()
}

// flops returns a line for each kernel that has floating-point operations.
func (r *Report) flops() string {
	var kernels []backend.Operations // sums over lines
	for _, o := range r.Operations {
		sum := backend.Operations(o)
		sum.Line = 0
		kernels = backend.JoinOperations(kernels, &sum)
	}
	var b strings.Builder
	for i := range kernels {
		b.WriteString(kernels[i].Kernel + ": " + flopsOf((*Operations)(&kernels[i])) + "\n")
	}
	return b.String()
}

// flopsOf returns the number of operations as text, such as "1024 FLOP", and how many of them are in double precision.
func flopsOf(o *Operations) string {
	switch {
	case o.FP64 == 0:
		return strconv.FormatUint(o.FP32, 10) + " FLOP"
	case o.FP32 == 0:
		return strconv.FormatUint(o.FP64, 10) + " FLOP in FP64"
	}
	return fmt.Sprintf("%d FLOP, %d of them in FP64", o.FP32+o.FP64, o.FP64)
}

// Summary returns a line for each finding, or one that says that there are none.
func (r *Report) Summary() string {
	if len(r.Findings) == 0 {
		return "no defects found in " + render.Count(r.Launches, "launch", "launches") + "\n"
	}
	var b strings.Builder
	for i := range r.Findings {
		b.WriteString(r.Findings[i].String() + "\n")
	}
	return b.String()
}

// Table returns a row for each count, after a row with the headings. The methods of Access define the columns. A + after the requests
// means that there were more, which were not counted in detail.
func (r *Report) Table() [][]string {
	rows := [][]string{{"line", "kernel", "access", "requests", "bytes", "active lanes", "sectors/request", "conflicts/request", "lanes/address"}}
	for i := range r.Accesses {
		a := &r.Accesses[i]
		row := []string{
			a.Program + ":" + strconv.Itoa(a.Line), a.Kernel, a.Space + " " + a.Op, requests(a), render.Bytes(a.Bytes),
			decimal(a.ActiveLanes()), "", "", "",
		}
		if a.Space == "shared" {
			row[7] = decimal(a.ConflictsPerRequest())
		} else {
			row[6] = sectors(a)
		}
		if a.Op == "atomic" {
			row[8] = decimal(a.LanesPerAddress())
		}
		rows = append(rows, row)
	}
	return rows
}

func requests(a *Access) string {
	s := strconv.FormatUint(a.Requests, 10)
	if a.Lanes > a.Active {
		s += "+"
	}
	return s
}

// sectors returns the number of sectors per request, with the best possible number if that is lower.
func sectors(a *Access) string {
	s := decimal(a.SectorsPerRequest())
	if best := decimal(a.BestSectorsPerRequest()); a.SectorsPerRequest() > a.BestSectorsPerRequest() && best != s {
		s += " (best " + best + ")"
	}
	return s
}

// decimal formats a number with at most one digit after the decimal point.
func decimal(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

// NotesMark is what stands in a listing between a line of source and the notes about it.
const NotesMark = "  | "

// Listing returns the source of the programs with findings and counts after each line.
func (r *Report) Listing() string {
	var names []string
	for name := range r.Sources {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		lines := strings.Split(strings.TrimRight(r.Sources[name], "\n"), "\n")
		width := 0
		for i, line := range lines {
			lines[i] = strings.ReplaceAll(line, "\t", "    ")
			width = max(width, min(len(lines[i]), 80))
		}
		fmt.Fprintf(&b, "%s\n", name)
		for i, line := range lines {
			notes := r.notes(name, i+1)
			row := fmt.Sprintf("%4d  %s", i+1, line)
			if len(notes) > 0 {
				row += strings.Repeat(" ", max(width-len(line), 0)) + NotesMark + strings.Join(notes, "; ")
			}
			b.WriteString(row + "\n")
		}
	}
	return b.String()
}

// notes returns the findings and counts of a line as text.
func (r *Report) notes(program string, line int) []string {
	var list []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Program == program && f.Line == line {
			list = append(list, strings.ToUpper(f.Kind))
		}
	}
	for _, a := range r.At(program, line) {
		note := a.Space + " " + a.Op
		if a.Space == "shared" {
			note += ": " + decimal(a.ConflictsPerRequest()) + " conflicts/request"
		} else {
			note += ": " + sectors(&a) + " sectors/request"
		}
		if a.Op == "atomic" {
			note += ", " + decimal(a.LanesPerAddress()) + " lanes/address"
		}
		if a.ActiveLanes() < 31.95 {
			note += ", " + decimal(a.ActiveLanes()) + " active lanes"
		}
		list = append(list, note)
	}
	for i := range r.Operations {
		if o := &r.Operations[i]; o.Program == program && o.Line == line {
			list = append(list, flopsOf(o))
		}
	}
	return list
}
