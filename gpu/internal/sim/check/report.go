package check

import (
	"bytes"
	"cmp"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// kinds are the names of the kinds of findings, indexed by the runtime's numbers.
var kinds = [...]string{
	1:  backend.KindOutOfBounds,
	2:  backend.KindUseAfterFree,
	3:  backend.KindNullPointer,
	4:  backend.KindMisaligned,
	5:  backend.KindUninitialised,
	6:  backend.KindRace,
	7:  backend.KindDivergentBarrier,
	8:  backend.KindEarlyExit,
	9:  backend.KindDeadlock,
	10: backend.KindWarpMask,
	11: backend.KindFault,
	12: backend.KindInactiveLane,
}

// AddTo adds the results of the launch to a report.
func (l *Launch) AddTo(r *backend.Report, program, kernel string) {
	r.Launches++
	res := &l.Result
	findings := unsafe.Slice(res.findings, res.findingCount)
	for i := range findings {
		raw := &findings[i]
		at := l.where(raw.pc, raw.line)
		f := backend.Finding{
			Kind: kinds[raw.kind], Program: cmp.Or(at.File, program), Kernel: kernel, Line: at.Line,
			Block: ints(raw.at.block), Thread: ints(raw.at.thread),
			Message: l.explain(raw), Warning: kinds[raw.kind] == backend.KindEarlyExit, Count: int(raw.count),
		}
		switch raw.space {
		case spaceGlobal, spaceVariable:
			f.Space = "global"
		case spaceShared:
			f.Space = "shared"
		}
		AddFinding(r, f)
	}
	for _, raw := range unsafe.Slice(res.counters, res.counterCount) {
		at := l.where(raw.pc, 0)
		a := backend.Access{
			Program: cmp.Or(at.File, program), Kernel: kernel, Line: at.Line, Space: "global", Op: "load", Size: int(raw.size),
			Lanes: raw.lanes, Bytes: raw.lanes * uint64(raw.size), Requests: raw.requests, Active: raw.active,
			Sectors: raw.sectors, Wavefronts: raw.wavefronts, BestWavefronts: raw.least, Addresses: raw.addresses,
		}
		if raw.space == spaceShared {
			a.Space = "shared"
		}
		switch raw.op {
		case opWrite, opVolatileWrite:
			a.Op = "store"
		case opAtomic:
			a.Op = "atomic"
		}
		AddAccess(r, &a)
	}
	l.addOperations(r, program, kernel)
	for i, space := range [...]string{"global", "shared"} {
		e := &res.efforts[i]
		r.Efforts = backend.JoinEfforts(r.Efforts, &backend.Effort{
			Program: program, Kernel: kernel, Space: space, Threads: e.threads, Accesses: e.accesses,
			Most: e.most, Block: ints(e.at.block), Thread: ints(e.at.thread),
		})
	}
}

// where returns the line of an instruction, or the known line if there is one, in the instruction's file.
func (l *Launch) where(pc uint64, known uint32) Place {
	at := Place{Line: int(known)}
	if pc < l.program.image.size {
		if found := l.program.image.lines.At(pc); known == 0 || found.Line == at.Line {
			at = found
		}
	}
	return at
}

// AddFinding adds a finding, unless its line has one of the same kind.
func AddFinding(r *backend.Report, f backend.Finding) {
	i := slices.IndexFunc(r.Findings, func(o backend.Finding) bool {
		return o.Kind == f.Kind && o.Program == f.Program && o.Kernel == f.Kernel && o.Line == f.Line
	})
	if i >= 0 {
		r.Findings[i].Count += f.Count
		return
	}
	r.Findings = append(r.Findings, f)
}

// AddAccess adds counts to those of the same line.
func AddAccess(r *backend.Report, a *backend.Access) {
	i, found := slices.BinarySearchFunc(r.Accesses, a, func(x backend.Access, a *backend.Access) int { return x.Compare(a) })
	if found {
		r.Accesses[i].Add(a)
		return
	}
	r.Accesses = slices.Insert(r.Accesses, i, *a)
}

func ints(v [3]uint32) [3]int { return [3]int{int(v[0]), int(v[1]), int(v[2])} }

func text(b []byte) string {
	s, _, _ := bytes.Cut(b, []byte{0})
	return string(s)
}
