package gpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// Finding is a defect that check mode has found.
type Finding = backend.Finding

// Access is what check mode has counted of one line of a kernel: how many accesses of one kind
// to one kind of memory, in how many requests of warps, and what the memory must do for them.
type Access = backend.Access

// Operations is how many floating-point operations one line of a kernel did.
type Operations = backend.Operations

// Effort is how often the threads of one kernel went to global or to shared memory.
type Effort = backend.Effort

// The kinds of findings.
const (
	OutOfBounds      = backend.KindOutOfBounds
	UseAfterFree     = backend.KindUseAfterFree
	NullPointer      = backend.KindNullPointer
	Misaligned       = backend.KindMisaligned
	Uninitialised    = backend.KindUninitialised
	Race             = backend.KindRace
	DivergentBarrier = backend.KindDivergentBarrier
	EarlyExit        = backend.KindEarlyExit
	Deadlock         = backend.KindDeadlock
	WarpMask         = backend.KindWarpMask
	Fault            = backend.KindFault
	Leak             = backend.KindLeak
)

// Report is what check mode saw of some launches. It is the same every time for the same
// launches.
type Report struct {
	Launches int
	Findings []Finding // defects, one of a kind for a line
	Accesses []Access  // counts, by program, kernel and line; there are none of a GPU
	// Operations are likewise ordered. Only the simulator counts them.
	Operations []Operations
	// Efforts are by program and kernel, of kernels that ran. Only the simulator counts them.
	Efforts []Effort `json:",omitempty"`
	// Note says how launches were checked, if that was otherwise than by the simulator.
	Note string `json:",omitempty"`
	// Sources are the programs, by their name.
	Sources map[string]string `json:"-"`
}

// mostFindings is how many defects an error shows.
const mostFindings = 5

// Defects are the findings without mere warnings.
func (r *Report) Defects() []Finding {
	var list []Finding
	for _, f := range r.Findings {
		if !f.Warning {
			list = append(list, f)
		}
	}
	return list
}

// Err is an error that shows the first defects, or nil if there are none.
func (r *Report) Err() error {
	list := r.Defects()
	if len(list) == 0 {
		return nil
	}
	return &CheckError{Findings: list}
}

// CheckError is the error of kernels in which check mode has found defects.
type CheckError struct{ Findings []Finding }

func (e *CheckError) Error() string {
	var b strings.Builder
	if n := len(e.Findings); n == 1 {
		b.WriteString("check mode found a defect:")
	} else {
		fmt.Fprintf(&b, "check mode found %d defects:", n)
	}
	for i := range e.Findings[:min(len(e.Findings), mostFindings)] {
		b.WriteString("\n" + describeFinding(&e.Findings[i]))
	}
	if n := len(e.Findings) - mostFindings; n > 0 {
		fmt.Fprintf(&b, "\nand %d more", n)
	}
	return b.String()
}

// describeFinding is a line about a defect: where, who, what.
func describeFinding(f *Finding) string {
	if f.Kernel == "" {
		return f.Kind + ": " + f.Message
	}
	s := f.Program
	if f.Line > 0 {
		s += ":" + strconv.Itoa(f.Line)
	}
	gap := " "
	switch f.Kind {
	case DivergentBarrier, EarlyExit, Deadlock, WarpMask, Fault: // the message is not about the thread
		gap = ": "
	}
	kind := f.Kind
	if f.Warning {
		kind = "warning: " + kind
	}
	if f.Thread[0] < 0 {
		s += fmt.Sprintf(": %s in %s: %s", kind, f.Kernel, f.Message)
	} else {
		s += fmt.Sprintf(": %s in %s: thread %s of block %s%s%s", kind, f.Kernel, coordinates(f.Thread), coordinates(f.Block), gap, f.Message)
	}
	if f.Count > 1 {
		s += fmt.Sprintf(" (%d times)", f.Count)
	}
	return s
}

func coordinates(c [3]int) string { return fmt.Sprintf("(%d,%d,%d)", c[0], c[1], c[2]) }

// At lists what was counted on a line of a program: one entry for each kernel, kind of memory
// and operation. The program may be left out ("") if there is only one.
func (r *Report) At(program string, line int) []Access {
	var list []Access
	for _, a := range r.Accesses {
		if a.Line == line && (program == "" || a.Program == program) {
			list = append(list, a)
		}
	}
	return list
}

// add joins another report to this one.
func (r *Report) add(o *Report) {
	r.Launches += o.Launches
	if r.Note == "" {
		r.Note = o.Note
	}
	for _, f := range o.Findings {
		same := func(x Finding) bool {
			return x.Kind == f.Kind && x.Program == f.Program && x.Kernel == f.Kernel && x.Line == f.Line && f.Line != 0
		}
		if i := slices.IndexFunc(r.Findings, same); i >= 0 {
			r.Findings[i].Count += f.Count
		} else {
			r.Findings = append(r.Findings, f)
		}
	}
	for i := range o.Accesses {
		at, found := slices.BinarySearchFunc(r.Accesses, &o.Accesses[i], func(x Access, a *Access) int { return x.Compare(a) })
		if found {
			r.Accesses[at].Add(&o.Accesses[i])
		} else {
			r.Accesses = slices.Insert(r.Accesses, at, o.Accesses[i])
		}
	}
	for i := range o.Operations {
		r.Operations = backend.JoinOperations(r.Operations, &o.Operations[i])
	}
	for i := range o.Efforts {
		r.Efforts = backend.JoinEfforts(r.Efforts, &o.Efforts[i])
	}
	if r.Sources == nil {
		r.Sources = map[string]string{}
	}
	for name, text := range o.Sources {
		r.Sources[name] = text
	}
}

// String is the summary and a table of the counts.
func (r *Report) String() string {
	s := r.Summary()
	if r.Note != "" {
		s += r.Note + "\n"
	}
	if len(r.Accesses) > 0 {
		s += table(r.Table())
	}
	return s + r.flops()
}

// flops is a line for each kernel that computes.
func (r *Report) flops() string {
	var kernels []Operations // sums over lines
	for _, o := range r.Operations {
		o.Line = 0
		kernels = backend.JoinOperations(kernels, &o)
	}
	var b strings.Builder
	for i := range kernels {
		b.WriteString(kernels[i].Kernel + ": " + flopsOf(&kernels[i]) + "\n")
	}
	return b.String()
}

// flopsOf is "1024 FLOP", and says how many of them are in double precision.
func flopsOf(o *Operations) string {
	switch {
	case o.FP64 == 0:
		return strconv.FormatUint(o.FP32, 10) + " FLOP"
	case o.FP32 == 0:
		return strconv.FormatUint(o.FP64, 10) + " FLOP in FP64"
	}
	return fmt.Sprintf("%d FLOP, %d of them in FP64", o.FP32+o.FP64, o.FP64)
}

// Summary is a line for each finding, or one that says that there are none.
func (r *Report) Summary() string {
	if len(r.Findings) == 0 {
		return "no defects found in " + plural(r.Launches, "launch", "launches") + "\n"
	}
	var b strings.Builder
	for i := range r.Findings {
		b.WriteString(describeFinding(&r.Findings[i]) + "\n")
	}
	return b.String()
}

// Table is the counts as rows, the first of them the heading. What the columns mean is in
// Access's methods. A + behind the requests says that there were more, which were not looked
// at one by one.
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

// sectors is the number per request, with the best possible if that is less.
func sectors(a *Access) string {
	s := decimal(a.SectorsPerRequest())
	if best := decimal(a.BestSectorsPerRequest()); a.SectorsPerRequest() > a.BestSectorsPerRequest() && best != s {
		s += " (best " + best + ")"
	}
	return s
}

// decimal writes a number with at most one digit behind the point.
func decimal(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// table aligns columns.
func table(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-len(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// Listing is the source of the programs with what was seen of each line behind it.
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
			text := fmt.Sprintf("%4d  %s", i+1, line)
			if len(notes) > 0 {
				text += strings.Repeat(" ", max(width-len(line), 0)) + "  | " + strings.Join(notes, "; ")
			}
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// notes is what is to be said about a line.
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
