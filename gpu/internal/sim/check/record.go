package check

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

// mostEvents is the maximum number of events of a recorded launch. They take 48 bytes each, as far as there are any.
const mostEvents = 1 << 20

// mostKept is how many bytes of arguments and variables are kept as they are before the launch.
const mostKept = 16 << 20

// heapWindow is how many bytes of memory from malloc are shown as one, since a trace does not know its pieces.
const heapWindow = 1 << 20

// Record makes the launch record blocks, if there are any.
func (l *Launch) Record(blocks backend.Blocks) error {
	if blocks.N == 0 {
		return nil
	}
	events, err := pages(mostEvents * uint64(unsafe.Sizeof(trace.Event{})))
	if err != nil {
		return fmt.Errorf("allocate memory for the recording: %w", err)
	}
	l.events = events
	l.before = map[uint64][]byte{}
	left := uint64(mostKept)
	for _, r := range l.ranges {
		n := &l.names[r.id]
		if size := r.hi - r.lo; (len(n.views) > 0 || n.name != "") && size <= left && r.space != spaceFreed {
			l.before[r.lo] = slices.Clone(contents(r.lo, size))
			left -= size
		}
	}
	l.Request.recording = recording{
		first: blocks.First, blocks: blocks.N, capacity: mostEvents,
		events: (*trace.Event)(unsafe.Pointer(unsafe.SliceData(events))),
	}
	if blocks.Locals {
		l.Request.recording.frames = 1
	}
	return nil
}

// AddTrace adds what was recorded of the launch to a report.
func (l *Launch) AddTrace(r *backend.Report, program, kernel string, launch *backend.Launch) {
	n := min(l.Result.events, mostEvents)
	of := trace.Launch{Program: program, Kernel: kernel, Grid: ints(launch.Grid), Block: ints(launch.Block), Line: l.lineOf, Region: l.region}
	if l.Request.recording.frames != 0 {
		of.Locals = l.locals
	}
	t := trace.Build(of, unsafe.Slice(l.Request.recording.events, n), l.Result.events)
	for _, raw := range unsafe.Slice(l.Result.findings, l.Result.findingCount) {
		at := l.where(raw.pc, raw.line)
		t.Findings = append(t.Findings, trace.Finding{
			Kind: kinds[raw.kind], File: at.File, Line: at.Line, Block: ints(raw.at.block), Thread: ints(raw.at.thread), Message: l.explain(&raw),
		})
	}
	data, err := t.Encode()
	if err != nil {
		r.Note = cmp.Or(r.Note, err.Error())
		return
	}
	r.Traces = append(r.Traces, backend.Trace{Program: program, Kernel: kernel, Data: data})
}

func (l *Launch) lineOf(pc uint32) trace.Line {
	at := l.program.image.lines.At(uint64(pc))
	return trace.Line{File: at.File, Line: at.Line}
}

// region returns the memory of a range's id that an address is in.
func (l *Launch) region(id uint32, addr uint64) (trace.Region, bool) {
	if i := slices.IndexFunc(l.shared, func(r memRange) bool { return r.id == id }); i >= 0 {
		n := &l.names[id]
		return trace.Region{Name: n.name, Shared: true, Start: l.shared[i].lo, Base: l.shared[0].lo, Size: n.size, Elem: int(n.shape.elem), Type: n.shape.typ, Dims: n.shape.dims}, true
	}
	if id == heapRange {
		return trace.Region{Name: "memory from malloc", Start: addr &^ (heapWindow - 1), Size: heapWindow}, true
	}
	if int(id) >= len(l.names) {
		return trace.Region{}, false
	}
	n := &l.names[id]
	r := trace.Region{Name: n.name, Start: n.start, Size: n.size, Elem: int(n.shape.elem), Type: n.shape.typ, Dims: n.shape.dims, Before: l.before[n.start]}
	if len(n.views) > 0 {
		v := n.at(addr)
		r.Name, r.Start, r.Size, r.Elem, r.Type, r.Dims = v.Name, v.Addr, v.Size, v.Elem, v.Type, nil
		r.Before = l.before[v.Addr]
	}
	r.Name = cmp.Or(r.Name, fmt.Sprintf("a buffer of %s", count(r.Size, "byte")))
	return r, true
}

// contents returns bytes of a range of the launch.
func contents(addr, n uint64) []byte {
	at := uintptr(addr)
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), n)
}

// closeRecording frees the memory of the events.
func (l *Launch) closeRecording() {
	if l.events != nil {
		_ = unix.Munmap(l.events) // does not fail for a mapping
		l.events = nil
	}
}
