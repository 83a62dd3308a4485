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

// Floating-point operations are counted by code inserted before each such instruction of the
// compiler's output, which adds to the instruction's own counter. This code changes no flags, and
// needs registers, which operationFlags reserve. All threads of a launch run on one operating
// system thread, so the counters need no atomic operations.

// counters is the code that counts on one processor architecture.
type counters struct {
	flags     []string                                  // of the compiler
	operation func(text string) (op operation, ok bool) // what a line of assembly computes
	code      string                                    // a format with the counter and what is added to it
}

var counterKinds = map[string]*counters{
	"amd64": {
		flags:     []string{"-ffixed-r11"},
		operation: operationOf,
		code:      "\tmovq\t%[1]s(%%rip), %%r11\n\tleaq\t%[2]d(%%r11), %%r11\n\tmovq\t%%r11, %[1]s(%%rip)\n",
	},
	"arm64": {
		flags:     []string{"-ffixed-x14", "-ffixed-x15"},
		operation: operationOfARM,
		code:      "\tadrp\tx14, %[1]s\n\tldr\tx15, [x14, :lo12:%[1]s]\n\tadd\tx15, x15, %[2]d\n\tstr\tx15, [x14, :lo12:%[1]s]\n",
	},
}

// countersOf returns nil if nothing is counted: clang cannot reserve registers of amd64.
func countersOf(clang bool) *counters {
	if clang && runtime.GOARCH == "amd64" {
		return nil
	}
	return counterKinds[runtime.GOARCH]
}

func operationFlags(clang bool) []string {
	if c := countersOf(clang); c != nil {
		return slices.Clone(c.flags)
	}
	return nil
}

// The names of the counters in the rewritten assembly, and of the table of what they count.
const (
	operationCounters = "gw_operations"
	operationSites    = ".gw_sites"
)

// arithmetic matches instructions of SSE, AVX and FMA that compute, and calls of the C library's
// fused multiply-add.
var (
	arithmetic = regexp.MustCompile(`^v?(add|sub|mul|div|sqrt|fn?m(?:add|sub)(?:132|213|231))([sp])([sd])\t(.*)`)
	fusedCall  = regexp.MustCompile(`^(?:call|jmp)\t(fmaf?)(?:@|$)`)
)

// An operation is what an instruction computes.
type operation struct {
	metric string
	n      int // how many, by one thread
}

// operationOf returns the operation that a line of assembly for amd64 computes.
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
	if m[2] == "p" { // of all elements of a register
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

// armArithmetic matches instructions of arm64 that compute.
var (
	armArithmetic = regexp.MustCompile(`^(fadd|fsub|fabd|fmul|fnmul|fdiv|fsqrt|fn?madd|fn?msub|fml[as])\t([sdv])\d+(?:\.(\d)([sd]))?,`)
	armFusedCall  = regexp.MustCompile(`^bl?\t(fmaf?)$`)
)

// operationOfARM returns the operation that a line of assembly for arm64 computes.
func operationOfARM(text string) (op operation, ok bool) {
	if m := armFusedCall.FindStringSubmatch(text); m != nil {
		return operationOf("call\t" + m[1])
	}
	m := armArithmetic.FindStringSubmatch(text)
	if m == nil {
		return op, false
	}
	op.n = 1
	size := m[2]
	if size == "v" { // all elements of a register
		if size = m[4]; size == "" {
			return op, false
		}
		op.n = int(m[3][0] - '0')
	}
	kinds := [2]string{backend.MetricFFMA, backend.MetricDFMA}
	switch m[1] {
	case "fadd", "fsub", "fabd":
		kinds = [2]string{backend.MetricFAdd, backend.MetricDAdd}
	case "fmul", "fnmul", "fdiv", "fsqrt":
		kinds = [2]string{backend.MetricFMul, backend.MetricDMul}
	}
	op.metric = kinds[0]
	if size == "d" {
		op.metric = kinds[1]
	}
	return op, true
}

// counted are the metrics, indexed by their numbers in the table.
var counted = []string{
	backend.MetricFAdd, backend.MetricFMul, backend.MetricFFMA, backend.MetricDAdd, backend.MetricDMul, backend.MetricDFMA,
}

// An operationWriter inserts counting code in assembly.
type operationWriter struct {
	out     *bytes.Buffer
	counter *counters // nil if nothing is counted
	sites   []operation
}

// before is called before a line is written.
func (w *operationWriter) before(text string) {
	if w.counter == nil {
		return
	}
	op, ok := w.counter.operation(text)
	if !ok {
		return
	}
	n := len(w.sites)
	w.sites = append(w.sites, op)
	fmt.Fprintf(w.out, ".Lgw_site%d:\n", n)
	fmt.Fprintf(w.out, w.counter.code, fmt.Sprintf("%s+%d", operationCounters, 8*n), op.n)
}

// end writes the counters and their table, which exists wherever operations can be counted: eight bytes, and for each
// counter the address of its instruction, relative to the entry itself, and its metric.
func (w *operationWriter) end() {
	if w.counter == nil {
		return
	}
	if len(w.sites) > 0 {
		fmt.Fprintf(w.out, "\t.section\t.bss.%[1]s,\"aw\",@nobits\n\t.align 8\n%[1]s:\n\t.zero\t%[2]d\n", operationCounters, 8*len(w.sites))
	}
	fmt.Fprintf(w.out, "\t.section\t%s,\"a\",@progbits\n\t.zero\t%d\n", operationSites, sitesHead)
	for i, op := range w.sites {
		fmt.Fprintf(w.out, "\t.long\t.Lgw_site%d - .\n\t.long\t%d\n", i, slices.Index(counted, op.metric))
	}
}

// sitesHead is the number of bytes before the first entry of the table.
const sitesHead = 8

// A site is a counted instruction.
type site struct {
	place  Place
	metric string
}

// readSites reads the table. Operations of the simulator's own atomic functions are omitted: on a GPU its memory executes them.
func (m *Image) readSites(f *elf.File) error {
	section := f.Section(operationSites)
	if section == nil {
		return nil
	}
	data, err := section.Data()
	if err != nil {
		return fmt.Errorf("read the counters of operations: %w", err)
	}
	m.counts = true
	for at := sitesHead; at+8 <= len(data); at += 8 {
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

// operations returns the counters of a loaded program.
func (p *Program) operations() []uint64 {
	if len(p.image.sites) == 0 || p.image.countersAt == 0 {
		return nil
	}
	at := uintptr(p.base + p.image.countersAt)
	return unsafe.Slice((*uint64)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), len(p.image.sites))
}

// addOperations adds the operations of the launch to a report.
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

// countOperations adds the operations to c by metric. It adds nothing if operations are not counted,
// and all metrics otherwise.
func (l *Launch) countOperations(c backend.Counters) {
	if !l.program.image.counts {
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
