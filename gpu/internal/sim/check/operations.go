package check

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Floating-point operations are counted by what is put in front of each such instruction of the
// compiler's output: it adds to a number of that instruction's own. Loads, an address computation and a
// store change no flags, and need one register, which operationFlags take from the compiler.
// All threads of a launch run on one processor, so nothing is lost.

// operationFlags make room for the counting code, where that is known: on amd64.
func operationFlags() []string {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	return []string{"-ffixed-r11"}
}

// The names that the rewritten assembly has for its counters, and for the table of what they count.
const (
	operationCounters = "gw_operations"
	operationSites    = ".gw_sites"
)

// arithmetic are instructions of SSE, AVX and FMA that compute, and calls of the C library's fused
// multiply-add.
var (
	arithmetic = regexp.MustCompile(`^v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)(?:132|213|231))([sp])([sd])\t(.*)`)
	fusedCall  = regexp.MustCompile(`^(?:call|jmp)\t(fmaf?)(?:@|$)`)
)

// An operation is what an instruction computes.
type operation struct {
	metric string
	n      int // how often, by one thread
}

// operationOf is what a line of assembly computes.
func operationOf(text string) (op operation, ok bool) {
	if m := fusedCall.FindStringSubmatch(text); m != nil {
		if m[1] == "fmaf" {
			return operation{backend.MetricFFMA, 1}, true
		}
		return operation{backend.MetricDFMA, 1}, true
	}
	m := arithmetic.FindStringSubmatch(text)
	if m == nil {
		return op, false
	}
	kinds := [2]string{backend.MetricFFMA, backend.MetricDFMA}
	switch m[1] {
	case "add", "sub":
		kinds = [2]string{backend.MetricFAdd, backend.MetricDAdd}
	case "mul", "div", "sqrt":
		kinds = [2]string{backend.MetricFMul, backend.MetricDMul}
	}
	op = operation{kinds[0], 1}
	double := m[3] == "d"
	if double {
		op.metric = kinds[1]
	}
	if m[2] == "p" { // of all parts of a register
		bytes := 16
		if strings.Contains(m[4], "%ymm") {
			bytes = 32
		} else if strings.Contains(m[4], "%zmm") {
			bytes = 64
		}
		if op.n = bytes / 4; double {
			op.n = bytes / 8
		}
	}
	return op, true
}

// counted are the metrics by their numbers in the table.
var counted = []string{
	backend.MetricFAdd, backend.MetricFMul, backend.MetricFFMA, backend.MetricDAdd, backend.MetricDMul, backend.MetricDFMA,
}

// An operationWriter puts counting code into assembly.
type operationWriter struct {
	out   *bytes.Buffer
	sites []operation
}

// before is asked before a line is written.
func (w *operationWriter) before(text string) {
	if runtime.GOARCH != "amd64" {
		return
	}
	op, ok := operationOf(text)
	if !ok {
		return
	}
	n := len(w.sites)
	w.sites = append(w.sites, op)
	fmt.Fprintf(w.out, ".Lgw_site%d:\n\tmovq\t%[2]s+%[3]d(%%rip), %%r11\n\tleaq\t%[4]d(%%r11), %%r11\n\tmovq\t%%r11, %[2]s+%[3]d(%%rip)\n",
		n, operationCounters, 8*n, op.n)
}

// end writes the counters and their table: for each its instruction's place, counted from the entry
// itself, and its metric.
func (w *operationWriter) end() {
	if len(w.sites) == 0 {
		return
	}
	fmt.Fprintf(w.out, "\t.section\t.bss.%[1]s,\"aw\",@nobits\n\t.align 8\n%[1]s:\n\t.zero\t%[2]d\n\t.section\t%[3]s,\"a\",@progbits\n",
		operationCounters, 8*len(w.sites), operationSites)
	for i, op := range w.sites {
		fmt.Fprintf(w.out, "\t.long\t.Lgw_site%d - .\n\t.long\t%d\n", i, slices.Index(counted, op.metric))
	}
}

// A site is an instruction that is counted.
type site struct {
	place  Place
	metric string
}

// readSites reads the table. Operations of the simulator's own atomic functions are left out: a GPU's memory does those.
func (m *Image) readSites(f *elf.File) error {
	section := f.Section(operationSites)
	if section == nil {
		return nil
	}
	data, err := section.Data()
	if err != nil {
		return fmt.Errorf("reading where operations are counted: %w", err)
	}
	for at := 0; at+8 <= len(data); at += 8 {
		pc := section.Addr + uint64(at) + uint64(int64(int32(binary.LittleEndian.Uint32(data[at:]))))
		s := site{place: m.lines.At(pc + 1)}
		if metric := int(binary.LittleEndian.Uint32(data[at+4:])); metric < len(counted) {
			s.metric = counted[metric]
		}
		if file, _ := m.lines.innermost(pc); path.Base(file) == "atomic.h" {
			s.metric = ""
		}
		m.sites = append(m.sites, s)
	}
	return nil
}

// operations are the counters of a loaded program.
func (p *Program) operations() []uint64 {
	if len(p.image.sites) == 0 || p.image.countersAt == 0 {
		return nil
	}
	at := uintptr(p.base + p.image.countersAt)
	return unsafe.Slice((*uint64)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), len(p.image.sites))
}

// addOperations puts what the launch has computed into a report.
func (l *Launch) addOperations(r *backend.Report, program, kernel string) {
	for i, n := range l.program.operations() {
		s := &l.program.image.sites[i]
		if n == 0 || s.metric == "" {
			continue
		}
		o := backend.Operations{Program: cmp.Or(s.place.File, program), Kernel: kernel, Line: s.place.Line}
		switch s.metric {
		case backend.MetricFAdd, backend.MetricFMul:
			o.FP32 = n
		case backend.MetricFFMA:
			o.FP32 = 2 * n
		case backend.MetricDAdd, backend.MetricDMul:
			o.FP64 = n
		default:
			o.FP64 = 2 * n
		}
		r.Operations = backend.JoinOperations(r.Operations, &o)
	}
}

// countOperations adds them up by metric. There are none where nothing is counted, and all where there is
// something to count.
func (l *Launch) countOperations(c backend.Counters) {
	if runtime.GOARCH != "amd64" {
		return
	}
	for _, metric := range counted {
		c[metric] = 0
	}
	for i, n := range l.program.operations() {
		if metric := l.program.image.sites[i].metric; metric != "" {
			c[metric] += float64(n)
		}
	}
}
