package check

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

// The memory spaces, operations and kinds of findings, as in runtime/check.h.
const (
	spaceIgnored = iota
	spaceGlobal
	spaceShared
	spaceVariable
	spaceFreed
)

const (
	opRead = iota
	opWrite
	opAtomic
	opVolatileRead
	opVolatileWrite
)

// memRange mirrors the runtime's Range.
type memRange struct {
	lo, hi, origin uint64
	cells, set     *byte
	space, id      uint32
}

// Request is the part of a launch that gw_check gets in addition to the parameters of gw_launch.
// It mirrors the runtime's Request.
type Request struct {
	ranges      *memRange
	rangeCount  uint64
	shared      *memRange
	sharedCount uint64
	mapped      *[2]uint64
	mappedCount uint64
	base, size  uint64
	tls         uint64
	tlsAt       uint64
	tlsSize     uint64
	patience    uint64
	// Gang and Cooperative are as in a launch without check mode.
	Gang        [3]uint32
	Cooperative uint32
	meets       uint32
	serial      uint32
	recording   recording
}

// recording mirrors the runtime's Recording.
type recording struct {
	first, blocks uint64
	events        *trace.Event
	capacity      uint64
	frames        uint64 // 1 if the variables of functions are recorded
}

type place struct{ block, thread [3]uint32 }

// rawFinding mirrors the runtime's Finding.
type rawFinding struct {
	kind, op, otherOp, space uint32
	size, id, line, _        uint32
	address, lo, hi          uint64
	pc, otherPC              uint64
	at, other                place
	count                    uint64
	text                     [512]byte
}

// rawCounter mirrors the runtime's Counter.
type rawCounter struct {
	pc                         uint64
	space, op, size, _         uint32
	lanes, requests, active    uint64
	sectors, wavefronts, least uint64
	addresses                  uint64
}

// Result is what gw_check returns. It mirrors the runtime's Result.
type Result struct {
	findings     *rawFinding
	findingCount uint64
	counters     *rawCounter
	counterCount uint64
	live         *rawLive
	liveCount    uint64
	launch       uint64
	efforts      [2]rawEffort
	events       uint64
}

// rawEffort mirrors the runtime's Effort.
type rawEffort struct {
	threads, accesses, most uint64
	at                      place
}

// rawLive mirrors the runtime's Live.
type rawLive struct {
	size, pc, number, launch uint64
	at                       place
}

// A Program is a loaded module of check mode.
type Program struct {
	image *Image
	base  uint64
	cells [][]byte // the state of the module's variables
	// serial tells it from programs that were at the same address before.
	serial uint32
}

// serial is the number of programs that the process has loaded.
var serial atomic.Uint32

// Load prepares a program for launches; tls is the address of SymbolTLS.
func Load(image *Image, tls uintptr) (*Program, error) {
	p := &Program{image: image, base: uint64(tls) - image.tlsSymbol, serial: serial.Add(1)}
	for _, v := range image.globals {
		cells, err := cellsFor(v.size)
		if err != nil {
			p.Unload()
			return nil, fmt.Errorf("allocate the state of variable %s: %w", v.name, err)
		}
		p.cells = append(p.cells, cells)
	}
	return p, nil
}

// Unload frees the state of the program's variables.
func (p *Program) Unload() {
	for _, c := range p.cells {
		_ = unix.Munmap(c) // does not fail for a mapping
	}
	p.cells = nil
}

// A Launch is a prepared launch.
type Launch struct {
	Request Request
	Result  Result

	program *Program
	names   []named // by a range's id
	ranges  []memRange
	shared  []memRange
	hosts   []*buffer         // buffers of this launch only
	events  []byte            // memory for what is recorded; nil if nothing is
	before  map[uint64][]byte // the memory of arguments and variables, by address, if the launch is recorded
}

// named is a range with its name in messages.
type named struct {
	name  string
	views []backend.View // of this buffer, if it is an argument
	start uint64         // where the buffer begins
	size  uint64
	shape shape // of a variable
}

// Prepare prepares a launch of a kernel of the program with sharedBytes of dynamic shared memory.
// The chunks are pairs of addresses, the bounds of mapped memory. A thread that runs for the time
// patience without a load or store is stopped.
func (m *Memory) Prepare(p *Program, views []backend.View, chunks [][2]uint64, sharedBytes uint32, patience time.Duration) (*Launch, error) {
	m.adopt(chunks)
	l := &Launch{program: p}
	clear(p.operations())
	inChunk := func(lo, hi uint64) bool {
		return slices.ContainsFunc(chunks, func(c [2]uint64) bool { return lo >= c[0] && hi <= c[1] })
	}
	l.hosts = hostBuffers(views)
	for _, b := range l.hosts {
		chunks = append(chunks, [2]uint64{b.addr &^ (pageSize - 1), (b.end() + pageSize - 1) &^ (pageSize - 1)})
	}
	for _, b := range slices.Concat(m.buffers, l.hosts) {
		if b.cells == nil {
			var err error
			if b.cells, err = cellsFor(b.size); err != nil {
				return nil, fmt.Errorf("allocate the state of a buffer of %d bytes: %w", b.size, err)
			}
		}
		r := memRange{lo: b.addr, hi: b.end(), origin: b.addr &^ 15, cells: &b.cells[0], set: unsafe.SliceData(b.set), space: spaceGlobal}
		mine := l.addName(named{start: b.addr, size: b.size})
		parts := parts(b, views)
		if len(parts) == 0 {
			l.add(r, mine)
		}
		for _, part := range parts {
			r.lo, r.hi = part[0].Addr, 0
			for _, v := range part {
				r.hi = max(r.hi, v.Addr+v.Size)
			}
			l.add(r, l.addName(named{name: part[0].Name, views: part, start: b.addr, size: b.size}))
		}
	}
	for _, f := range m.freed {
		if inChunk(f.Addr, f.Addr+f.Size) {
			l.add(memRange{lo: f.Addr, hi: f.Addr + f.Size, space: spaceFreed}, l.addName(named{size: f.Size}))
		}
	}
	for i, v := range p.image.globals {
		lo := p.base + v.at
		r := memRange{lo: lo, hi: lo + v.size, origin: lo &^ 15, cells: &p.cells[i][0], space: spaceVariable}
		l.add(r, l.addName(named{name: v.name, start: lo, size: v.size, shape: v.shape}))
	}
	slices.SortFunc(l.ranges, func(a, b memRange) int { return cmp.Compare(a.lo, b.lo) })
	for _, v := range p.image.shared {
		size := v.size
		if v.dynamic {
			size = uint64(sharedBytes)
		}
		if size > 0 || v.dynamic { // an array without elements has a name in messages, too
			l.shared = append(l.shared, memRange{lo: v.at, hi: v.at + size, space: v.space(), id: l.addName(named{name: v.name, size: size, shape: v.shape})})
		}
	}
	l.Request = Request{
		ranges: unsafe.SliceData(l.ranges), rangeCount: uint64(len(l.ranges)),
		shared: unsafe.SliceData(l.shared), sharedCount: uint64(len(l.shared)),
		mapped: unsafe.SliceData(chunks), mappedCount: uint64(len(chunks)),
		base: p.base, size: p.image.size,
		tls: p.base + p.image.tlsSymbol, tlsAt: p.image.tlsAt, tlsSize: p.image.tlsSize,
		patience: uint64(patience),
		meets:    p.image.meets, serial: p.serial,
	}
	return l, nil
}

// pageSize is the page size of host memory in bytes.
const pageSize = 4096

// hostBuffers returns buffers for the views of host memory; views that overlap share one.
func hostBuffers(views []backend.View) []*buffer {
	var list []*buffer
	for _, v := range slices.SortedFunc(slices.Values(views), func(a, b backend.View) int { return cmp.Compare(a.Addr, b.Addr) }) {
		if !v.Host || v.Size == 0 {
			continue
		}
		if n := len(list); n > 0 && v.Addr < list[n-1].end() {
			list[n-1].size = max(list[n-1].end(), v.Addr+v.Size) - list[n-1].addr
			continue
		}
		list = append(list, &buffer{addr: v.Addr, size: v.Size})
	}
	return list
}

// Close frees what was allocated for this launch only.
func (l *Launch) Close() {
	for _, b := range l.hosts {
		b.unmap()
	}
	l.hosts = nil
	l.closeRecording()
}

func (l *Launch) add(r memRange, id uint32) {
	r.id = id
	l.ranges = append(l.ranges, r)
}

func (l *Launch) addName(n named) uint32 {
	l.names = append(l.names, n)
	return uint32(len(l.names) - 1)
}

// parts returns the views of a buffer in groups, by address; views that touch or overlap are one group.
func parts(b *buffer, views []backend.View) [][]backend.View {
	var mine []backend.View
	for _, v := range views {
		if v.Addr >= b.addr && v.Addr < b.end() && v.Size > 0 {
			v.Size = min(v.Size, b.end()-v.Addr)
			mine = append(mine, v)
		}
	}
	slices.SortStableFunc(mine, func(a, b backend.View) int { return cmp.Compare(a.Addr, b.Addr) })
	var list [][]backend.View
	end := uint64(0)
	for _, v := range mine {
		if n := len(list); n > 0 && v.Addr <= end {
			list[n-1] = append(list[n-1], v)
		} else {
			list = append(list, []backend.View{v})
		}
		end = max(end, v.Addr+v.Size)
	}
	return list
}

// Tired clears all records of accesses, which is necessary when the runtime's clock reaches its
// maximum.
func (m *Memory) Tired(programs []*Program) {
	m.forget()
	for _, p := range programs {
		for _, c := range p.cells {
			clear(c)
		}
	}
}
