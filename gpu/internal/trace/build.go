package trace

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	// keptRows is the maximum number of rows of one memory, of 32 bytes or, of shared memory, 32 banks.
	keptRows = 1024
	sector   = 32  // bytes
	banks    = 128 // bytes of all banks of shared memory
)

// A Launch is what is known of a launch whose events were recorded.
type Launch struct {
	Program, Kernel string
	Grid, Block     [3]int
	Line            func(pc uint32) Line
	Region          func(id uint32, addr uint64) (Region, bool)
	// Locals returns the name and the variables of the function that has an instruction. It is nil if they are not recorded.
	Locals func(pc uint32, frame FrameBytes) (string, []Local)
}

// Build returns the trace of a launch. recorded is how many events there were, of which events are the first.
func Build(l Launch, events []Event, recorded uint64) *Trace {
	b := &builder{
		launch: l, lineOf: map[uint32]int{}, memory: map[memoryKey]*memory{},
		trace: &Trace{Program: l.Program, Kernel: l.Kernel, Grid: l.Grid, Threads: l.Block},
	}
	if recorded > uint64(len(events)) {
		b.note("the first %d of %d events are recorded: choose fewer blocks or less data to see all", len(events), recorded)
	}
	byBlock := map[uint32][]Event{}
	var order []uint32
	for _, e := range events {
		if byBlock[e.Block] == nil {
			order = append(order, e.Block)
		}
		byBlock[e.Block] = append(byBlock[e.Block], e)
	}
	slices.Sort(order)
	for _, number := range order {
		b.block(number, byBlock[number])
	}
	b.finish()
	if blocks := l.Grid[0] * l.Grid[1] * l.Grid[2]; len(order) < blocks {
		b.note("%d of %d blocks are recorded", len(order), blocks)
	}
	return b.trace
}

// A builder makes a Trace.
type builder struct {
	launch Launch
	trace  *Trace
	lineOf map[uint32]int
	memory map[memoryKey]*memory
	locals int // that are kept
}

func (b *builder) note(format string, args ...any) {
	b.trace.Notes = append(b.trace.Notes, fmt.Sprintf(format, args...))
}

// line returns the index of the line of an instruction.
func (b *builder) line(pc uint32) int {
	if i, ok := b.lineOf[pc]; ok {
		return i
	}
	at := b.launch.Line(pc)
	i := slices.Index(b.trace.Lines, at)
	if i < 0 {
		i = len(b.trace.Lines)
		b.trace.Lines = append(b.trace.Lines, at)
	}
	b.lineOf[pc] = i
	return i
}

// block adds the steps of a block. Its warps run at the same time, one step in each tick, from barrier to barrier.
func (b *builder) block(number uint32, events []Event) {
	grid, size := b.launch.Grid, b.launch.Block
	threads := size[0] * size[1] * size[2]
	n := int(number)
	out := &Block{Index: [3]int{n % grid[0], n / grid[0] % grid[1], n / grid[0] / grid[1]}}
	at := len(b.trace.Blocks)
	b.trace.Blocks = append(b.trace.Blocks, out)
	warps := (threads + 31) / 32
	for range warps {
		out.Warps = append(out.Warps, &Warp{Ticks: []int{}, Lines: []int{}, Masks: []uint32{}, Accesses: []Access{}})
	}
	epochs := b.collect(events, warps)
	for i, epoch := range epochs {
		end := out.Ticks
		for w, steps := range epoch {
			tick := out.Ticks
			for _, s := range steps.stretches {
				for _, m := range s.merged() {
					b.meeting(at, out.Warps[w], tick, &m)
					tick++
				}
			}
			end = max(end, tick)
		}
		out.Ticks = end
		if i+1 < len(epochs) {
			out.Barriers = append(out.Barriers, end)
		}
	}
}

// meeting adds a step of a warp with its accesses.
func (b *builder) meeting(block int, w *Warp, tick int, m *meeting) {
	number := len(w.Ticks)
	w.Ticks, w.Lines, w.Masks = append(w.Ticks, tick), append(w.Lines, m.line), append(w.Masks, m.mask)
	b.frames(w, number, m)
	for k := 0; ; k++ {
		var kinds []accessKey
		with := map[accessKey]*Access{}
		more := false
		for lane, s := range m.lanes {
			if s == nil || k >= len(s.accesses) {
				continue
			}
			more = true
			for _, part := range b.parts(block, s.accesses[k]) {
				a := with[part.accessKey]
				if a == nil {
					a = &Access{Step: number, Memory: part.memory, Op: part.op}
					with[part.accessKey] = a
					kinds = append(kinds, part.accessKey)
				}
				a.Mask |= 1 << lane
				a.Words = append(a.Words, part.word)
				a.Values = append(a.Values, part.value)
				if part.op == "a" {
					a.Olds = append(a.Olds, part.old)
				}
			}
		}
		if !more {
			return
		}
		slices.SortStableFunc(kinds, func(x, y accessKey) int { return cmp.Compare(x.pc, y.pc) })
		for _, key := range kinds {
			a := with[key]
			a.shorten()
			w.Accesses = append(w.Accesses, *a)
		}
	}
}

// An accessKey tells accesses apart that are not made together.
type accessKey struct {
	pc     uint32
	memory int
	op     string
	part   int // of an access of several words
}

// A part is a word of an access.
type part struct {
	accessKey
	word       int
	value, old any
}

// shorten leaves out what follows from the rest.
func (a *Access) shorten() {
	if n := len(a.Words); n > 1 {
		stride := a.Words[1] - a.Words[0]
		regular := true
		for i := 2; i < n; i++ {
			regular = regular && a.Words[i]-a.Words[i-1] == stride
		}
		if regular {
			a.Words, a.Stride = a.Words[:1], &stride
		}
	}
	for _, list := range []*[]any{&a.Values, &a.Olds} {
		if len(*list) > 1 && !slices.ContainsFunc(*list, func(v any) bool { return v != (*list)[0] }) {
			*list = (*list)[:1]
		}
	}
}
