package sanitizer

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// noThread is the thread of a finding whose thread is unknown.
var noThread = [3]int{-1, -1, -1}

// A record is a tool's report about one thread: a line, and the indented lines after it.
type record struct {
	head  string
	about []string
}

const prefix = "========="

// records splits a log into records.
func records(log string) []record {
	var list []record
	for line := range strings.Lines(log) {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), prefix)
		switch {
		case !ok || strings.TrimSpace(text) == "":
		case strings.HasPrefix(text, "     ") && len(list) > 0:
			list[len(list)-1].about = append(list[len(list)-1].about, strings.TrimSpace(text))
		default:
			list = append(list, record{head: strings.TrimSpace(text)})
		}
	}
	return list
}

var (
	badAccess     = regexp.MustCompile(`^(?:Potential i|I)nvalid __(\w+)__ (read|write|atomic|reduction)\b.*? of size ([\d,]+) bytes`)
	uninitialised = regexp.MustCompile(`^Uninitialized __(\w+)__ memory read of size ([\d,]+) bytes`)
	hazard        = regexp.MustCompile(`(?i)^(error|warning|info): (?:\([^)]*\) )?Potential (\w+) hazard detected at __shared__ (0x[0-9a-f]+) in block \((\d+),(\d+),(\d+)\)`)
	hazardThread  = regexp.MustCompile(`^(Read|Write|Atomic)\w* Thread \((\d+),(\d+),(\d+)\) at (.*)$`)
	barrierError  = regexp.MustCompile(`^Barrier error detected\.\s*(.*?)\.?$`)
	waiting       = regexp.MustCompile(`^(?:(Deadlock) detected in )?(\S+?)(?: wait)? called by threads starting at \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\).* at (\S+\+0x[0-9a-f]+.*)$`)

	heapError = regexp.MustCompile(`^Malloc/Free error encountered ?: (.*?)\.?$`)
	heapLeak  = regexp.MustCompile(`^Leaked ([\d,]+) bytes at 0x[0-9a-f]+ on the device heap`)

	where    = regexp.MustCompile(`^(?:at|Device Frame:)\s*(?:\[clone [^\]]*\] )?(.*?)\+0x[0-9a-f]+(?: in (.+):(\d+))?`)
	who      = regexp.MustCompile(`^by thread \((\d+),(\d+),(\d+)\) in block \((\d+),(\d+),(\d+)\)`)
	access   = regexp.MustCompile(`^(?:Access to|Address) (0x[0-9a-f]+)(.*)$`)
	nearest  = regexp.MustCompile(`^and is (?:([\d,]+) bytes (before|after)|inside) the nearest allocation at (0x[0-9a-f]+) of size ([\d,]+) bytes`)
	inSource = regexp.MustCompile(`^(.*?)\+0x[0-9a-f]+(?: in (.+):(\d+))?`)
)

// readLog returns the findings of a tool's log, at most one of each kind per line of a kernel. They do not depend on the order of
// the threads.
func readLog(log string, h *helper) []backend.Finding {
	var all []backend.Finding
	for _, r := range records(log) {
		if f, ok := h.finding(&r); ok {
			f.Count, f.Tool = 1, h.tool
			h.doubt(&f, r.origin())
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b backend.Finding) int {
		return cmp.Or(slices.Compare(reversed(a.Block), reversed(b.Block)), slices.Compare(reversed(a.Thread), reversed(b.Thread)))
	})
	var list []backend.Finding
	for _, f := range all {
		at := slices.IndexFunc(list, func(x backend.Finding) bool {
			return x.Kind == f.Kind && x.Program == f.Program && x.Kernel == f.Kernel && x.Line == f.Line
		})
		if at >= 0 {
			list[at].Count++
			list[at].Warning = list[at].Warning && f.Warning
		} else {
			list = append(list, f)
		}
	}
	return list
}

// ProgramOptions returns the options of compute-sanitizer for a whole program, before the program's command: its memcheck writes
// to a file that ReadProgram understands.
func ProgramOptions(log string) []string {
	return []string{
		"--tool", memcheck, "--log-file", log, "--demangle", "no", "--show-backtrace", "device", "--print-limit", strconv.Itoa(maxLogged),
		"--report-api-errors", "no", "--padding", strconv.Itoa(padding),
	}
}

// ReadProgram returns the findings of a whole program's log. The files are the base names of the program's own.
func ReadProgram(log string, files []string) []backend.Finding {
	h := &helper{tool: memcheck, program: true, files: map[string]bool{}}
	for _, name := range files {
		h.files[name] = true
	}
	list := readLog(log, h)
	for i := range list {
		list[i].Kernel = plainKernel(list[i].Kernel)
	}
	return list
}

// maxName is the maximum length of a symbol's name in a message.
const maxName = 80

// doubt turns findings of racecheck and synccheck in a library's header into warnings: the tools do not support all the ways in
// which CUDA's own atomic objects, barriers and copies synchronize threads.
func (h *helper) doubt(f *backend.Finding, origin string) {
	if len(f.Kernel) > maxName {
		f.Kernel = f.Kernel[:maxName] + "…"
	}
	if f.Kind != backend.KindRace && f.Kind != backend.KindDivergentBarrier || origin == "" || h.files[origin] {
		return
	}
	f.Warning = true
	f.Message += fmt.Sprintf(" (the tool says so of %s, a library's header, whose ways to order threads it does not all know)", origin)
}

var inFile = regexp.MustCompile(` in (\S+):\d+$`)

// origin returns the name of the file in which the defect is.
func (r *record) origin() string {
	for _, line := range r.about {
		if m := inFile.FindStringSubmatch(line); m != nil {
			return path.Base(m[1])
		}
	}
	return ""
}

// reversed returns coordinates in the order for comparing threads: x varies fastest.
func reversed(c [3]int) []int { return []int{c[2], c[1], c[0]} }

// details are the contents of the lines after a record's first line.
type details struct {
	address    uint64
	misaligned bool
	near       neighbour
}

// details parses the lines after a record's first line. It sets the finding's position.
func (h *helper) details(f *backend.Finding, about []string) (d details) {
	for _, line := range about {
		if m := where.FindStringSubmatch(line); m != nil {
			h.locate(f, m[1], m[2], m[3])
		} else if m := who.FindStringSubmatch(line); m != nil {
			f.Thread, f.Block = triple(m[1:4]), triple(m[4:7])
		} else if m := access.FindStringSubmatch(line); m != nil {
			d.address, d.misaligned = hex(m[1]), strings.Contains(m[2], "misaligned")
		}
		if line == "and is located in the device heap" {
			d.near.heap = true
		}
		if m := nearest.FindStringSubmatch(line); m != nil {
			d.near = neighbour{addr: hex(m[3]), size: amount(m[4]), gap: amount(m[1]), before: m[2] == "before"}
		}
	}
	return d
}

// finding returns the finding of a record, if it is about a defect of a kernel.
func (h *helper) finding(r *record) (backend.Finding, bool) {
	f := backend.Finding{Thread: noThread}
	d := h.details(&f, r.about)
	freeing := heapError.FindStringSubmatch(r.head)
	if (d.near.heap || freeing != nil) && h.job != nil && h.job.leadsTo(d.address) {
		h.strange = true
		return f, false
	}
	if m := hazard.FindStringSubmatch(r.head); m != nil {
		return h.race(m, r.about)
	}
	if m := badAccess.FindStringSubmatch(r.head); m != nil {
		f.Kind, f.Message = h.explainAccess(m[1], verbOf(m[2]), amount(m[3]), d)
	} else if m := uninitialised.FindStringSubmatch(r.head); m != nil {
		f.Kind, f.Message = h.explainUninitialised(m[1], d.address)
	} else if r.head == "Stack overflow" {
		f.Kind, f.Message = backend.KindFault, "the thread's stack is full: functions call each other too deep"
	} else if freeing != nil {
		f.Kind, f.Message = explainFree(freeing[1])
	} else if m := heapLeak.FindStringSubmatch(r.head); m != nil {
		f.Kind, f.Warning = backend.KindLeak, true
		f.Message = fmt.Sprintf("%s that kernels took from the heap were not freed: they are gone until the device process ends", plural(amount(m[1]), "byte"))
	} else if m := barrierError.FindStringSubmatch(r.head); m != nil {
		f.Kind, f.Message = explainBarrier(m[1])
	} else if m := waiting.FindStringSubmatch(r.head); m != nil {
		f.Thread, f.Block = triple(m[3:6]), triple(m[6:9])
		if at := inSource.FindStringSubmatch(m[9]); at != nil {
			h.locate(&f, at[1], at[2], at[3])
		}
		f.Kind, f.Message = backend.KindDeadlock, "waits at "+m[2]+" for threads that never come"
	} else {
		return f, false
	}
	return f, true
}

// verbOf returns the verb for an access, by the tool's name for it.
func verbOf(access string) string {
	switch strings.ToLower(access) {
	case "read":
		return "reads"
	case "write":
		return "writes"
	}
	return "changes (atomically)"
}

func (h *helper) explainUninitialised(space string, address uint64) (kind, message string) {
	if space == "shared" {
		return backend.KindUninitialised, fmt.Sprintf("reads byte %d of shared memory, which no thread of the block has written: shared memory begins with leftovers", address)
	}
	return backend.KindUninitialised, fmt.Sprintf("reads %s, which nothing has written since the buffer was made: gpu.Zeros or a copy gives it values", h.nameOf(address))
}

func explainFree(problem string) (kind, message string) {
	if strings.Contains(problem, "Double free") {
		return backend.KindUseAfterFree, "frees memory that was freed before: it may be somebody else's by then"
	}
	return backend.KindFault, "frees an address that malloc has not given (" + problem + ")"
}

func explainBarrier(problem string) (kind, message string) {
	lower := strings.ToLower(problem)
	switch {
	case strings.Contains(problem, "wait"):
		return backend.KindDivergentBarrier, "a barrier object is not waited for as it must be: " + problem
	case strings.Contains(problem, "warp"):
		return backend.KindDivergentBarrier, "not all threads of the warp come to this barrier: a __syncthreads() must not stand where only some threads go"
	case strings.Contains(lower, "argument"), strings.Contains(lower, "mask"):
		return backend.KindWarpMask, "the mask does not name the threads that come to this function: " + problem
	}
	return backend.KindDivergentBarrier, "not all threads of the block come to this barrier: a __syncthreads() must not stand where only some threads go"
}

// locate sets the line and the kernel of a finding. The first frame is the position of the defect; if that is in a function,
// later frames lead to the kernel. For a function of a library, the line is that of the call.
func (h *helper) locate(f *backend.Finding, symbol, file, line string) {
	if name := path.Base(file); line != "" && (f.Line == 0 || !h.files[f.Program] && h.files[name]) {
		f.Line, _ = strconv.Atoi(line)
		f.Program = name
	}
	symbol = strings.TrimSpace(symbol)
	if i := strings.IndexByte(symbol, '('); i > 0 {
		symbol = symbol[:i]
	}
	if parts := strings.Split(symbol, "$"); len(parts) > 2 && parts[0] == "" {
		symbol = parts[1] // a function that is specific to this kernel
	}
	if k, ok := h.symbols[symbol]; ok {
		f.Kernel = k.name
		f.Program = cmp.Or(f.Program, k.program)
	} else if f.Kernel == "" {
		f.Kernel = symbol
	}
}

// A neighbour is the allocation that is nearest to an address.
type neighbour struct {
	addr      uint64
	size, gap int  // in bytes; gap is 1 if the address follows the allocation immediately
	before    bool // the address is before it
	heap      bool // the address is in the heap, between blocks of malloc
}

func (n neighbour) String() string {
	return n.position() + " that are a variable of the program, or from malloc"
}

// position returns where the address is, such as "4 bytes behind the end of 256 bytes".
func (n neighbour) position() string {
	side := "behind the end"
	if n.before {
		side = "before the start"
	}
	return fmt.Sprintf("%s %s of %s", plural(n.gap, "byte"), side, plural(n.size, "byte"))
}

// These addresses are used for the devices' own chunks, which package driver maps, and for host memory that package gpu has
// page-locked. Helpers have no memory there, so pointers to it are those to freed memory.
const (
	ourMemory    = 0x4000_0000_0000
	ourMemoryEnd = 0x5400_0000_0000
)

func (h *helper) explainAccess(space, verb string, size int, d details) (kind, message string) {
	address, near := d.address, d.near
	switch {
	case d.misaligned:
		return backend.KindMisaligned, fmt.Sprintf("%s %d bytes at once at %s, which does not begin at a multiple of %d bytes: a GPU ends the kernel for that", verb, size, h.nameOf(address), size)
	case space == "global" && address >= ourMemory && address < ourMemoryEnd:
		return backend.KindUseAfterFree, fmt.Sprintf("%s %s at %#x, where there is no buffer any more: a pointer to it was kept somewhere", verb, plural(size, "byte"), address)
	case space == "global" && address < 1<<16:
		return backend.KindNullPointer, fmt.Sprintf("%s %s at address %#x: the pointer is null", verb, plural(size, "byte"), address)
	case space != "global":
		return backend.KindOutOfBounds, fmt.Sprintf("%s %s at byte %d of %s memory, which is beyond what the kernel has: check the index before using it", verb, plural(size, "byte"), address, space)
	}
	if near.heap {
		return backend.KindOutOfBounds, fmt.Sprintf("%s %s of the heap at %#x, which malloc has not given, or free has taken back", verb, plural(size, "byte"), address)
	}
	p := h.copyFrom(near.addr)
	if near.gap > padding {
		p = nil // the intended buffer is unknown
	}
	if h.program && near.gap > 0 {
		return backend.KindOutOfBounds, fmt.Sprintf("%s %s %s: check the index before using it", verb, plural(size, "byte"), near.position())
	}
	if (p == nil || len(p.views) == 0) && near.gap > 0 && near.gap < 1<<10 {
		return backend.KindOutOfBounds, fmt.Sprintf("%s %s %s: check the index before using it", verb, plural(size, "byte"), near)
	}
	if p == nil || len(p.views) == 0 {
		return backend.KindOutOfBounds, fmt.Sprintf("%s %s at %#x, where there is no buffer, and nothing that malloc has given", verb, plural(size, "byte"), address)
	}
	v := p.view(address)
	if v.Elem > 0 {
		return backend.KindOutOfBounds, v.OutOfBounds(verb, address)
	}
	return backend.KindOutOfBounds, fmt.Sprintf("%s %s at byte %d of %s, which has %s: check the index before using it",
		verb, plural(size, "byte"), int64(address)-int64(v.Addr), v.Name, plural(int(v.Size), "byte"))
}

// race returns the finding of a hazard between two threads.
func (h *helper) race(m []string, about []string) (backend.Finding, bool) {
	f := backend.Finding{Kind: backend.KindRace, Block: triple(m[4:7]), Thread: noThread, Warning: !strings.EqualFold(m[1], "error")}
	type side struct {
		verb   string
		thread [3]int
		line   int
	}
	var sides []side
	for _, line := range about {
		t := hazardThread.FindStringSubmatch(line)
		if t == nil {
			continue
		}
		s := side{verb: verbOf(t[1]), thread: triple(t[2:5])}
		if at := inSource.FindStringSubmatch(t[5]); at != nil {
			if len(sides) == 1 {
				f.Line, f.Program = 0, "" // the finding has the line of the later access
			}
			h.locate(&f, at[1], at[2], at[3])
			s.line = f.Line
		}
		sides = append(sides, s)
	}
	if len(sides) < 2 {
		return f, false
	}
	first, second := sides[0], sides[1]
	f.Thread = second.thread
	f.Message = fmt.Sprintf("%s a byte of shared memory, which thread (%d,%d,%d) %s", second.verb, first.thread[0], first.thread[1], first.thread[2], first.verb)
	if first.line > 0 {
		f.Message += fmt.Sprintf(" on line %d", first.line)
	}
	f.Message += ", with no __syncthreads() between: which comes first is chance"
	return f, true
}

// nameOf returns a name for an address in a copy, such as x[3].
func (h *helper) nameOf(addr uint64) string {
	for i := range h.placed {
		if p := &h.placed[i]; addr >= p.addr && addr-p.addr < p.Size && len(p.views) > 0 {
			v := p.view(addr)
			if v.Elem > 0 {
				return fmt.Sprintf("%s[%d]", v.Name, (addr-v.Addr)/uint64(v.Elem))
			}
			return fmt.Sprintf("byte %d of %s", addr-v.Addr, v.Name)
		}
	}
	return fmt.Sprintf("address %#x", addr)
}

func (h *helper) copyFrom(addr uint64) *placed {
	for i := range h.placed {
		if h.placed[i].addr == addr {
			return &h.placed[i]
		}
	}
	return nil
}

// view returns the view of an address: the last one that starts at or before it.
func (p *placed) view(addr uint64) backend.View {
	best := p.views[0]
	for _, v := range p.views {
		if v.Addr <= addr && v.Addr > best.Addr {
			best = v
		}
	}
	return best
}

func triple(texts []string) (c [3]int) {
	for i := range c {
		c[i], _ = strconv.Atoi(texts[i])
	}
	return c
}

func hex(text string) uint64 {
	v, _ := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
	return v
}

// amount parses a number with commas between its digits.
func amount(text string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
