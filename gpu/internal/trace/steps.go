package trace

// A step is one line that one thread ran, with its accesses.
type step struct {
	pc, line int
	last     int    // the place of the line that ran last: a loop's head has several
	depth    uint64 // of the stack: larger in a function that was called
	accesses []*Event
	frame    FrameBytes // if it is recorded
}

// A stretch is the steps of the lanes of a warp between two places where all of them meet.
type stretch [32][]step

// A warpSteps collects the steps of a warp.
type warpSteps struct {
	stretches []*stretch         // of one epoch, from barrier to barrier
	last      [32]step           // the step that a lane is in
	top       [32]uint64         // the stack pointer of a lane's first step
	seen      uint32             // lanes that have begun
	fresh     [32]bool           // the lane's last line has begun a step
	depths    [32]map[int]uint64 // of the stack, by line
}

// collect returns the steps of the block's warps, by epoch: the time between two barriers. Threads run one after the other between two
// meetings, so the events between two meetings are the threads' in turn.
func (b *builder) collect(events []Event, warps int) [][]*warpSteps {
	state := make([]*warpSteps, warps)
	for i := range state {
		state[i] = &warpSteps{}
	}
	var epochs [][]*warpSteps
	endEpoch := func() {
		epoch := make([]*warpSteps, warps)
		for i, w := range state {
			epoch[i] = &warpSteps{stretches: w.stretches}
			w.stretches = nil
		}
		epochs = append(epochs, epoch)
	}
	for i := range events {
		e := &events[i]
		w := state[min(int(e.Thread)/32, warps-1)]
		switch {
		case e.Kind == BarrierPassed:
			endEpoch()
		case e.Kind == WarpMet:
			w.stretches = append(w.stretches, &stretch{})
		case e.Kind == FrameHas:
			w.addBytes(e)
		default:
			b.add(w, e)
		}
	}
	endEpoch()
	return epochs
}

// add adds an event of a thread to its lane.
func (b *builder) add(w *warpSteps, e *Event) {
	if len(w.stretches) == 0 {
		w.stretches = append(w.stretches, &stretch{})
	}
	lane := e.Thread % 32
	list := &w.stretches[len(w.stretches)-1][lane]
	s := &w.last[lane]
	next := step{pc: int(e.PC), last: int(e.PC), line: b.line(e.PC), depth: w.depths[lane][b.line(e.PC)]}
	if e.Kind == LineRuns {
		if w.seen>>lane&1 == 0 {
			w.seen |= 1 << lane
			w.top[lane] = e.Address
			w.depths[lane] = map[int]uint64{}
		}
		next.depth = w.top[lane] - e.Address
		w.depths[lane][next.line] = next.depth
		// Code that is further on belongs to the same visit of the line: the end of a loop's turn and its condition.
		if len(*list) > 0 && s.line == next.line && s.last < next.last {
			s.last, s.depth = next.last, next.depth
			w.fresh[lane] = false
			return
		}
		*s = next
		w.fresh[lane] = true
		next.frame.CFA = e.Before + 2*8 // the caller's frame pointer and the return address are between
		*list = append(*list, next)
		return
	}
	// A line goes on after a function that it has called, or where the threads have met. On processors where nothing says where lines begin,
	// accesses do.
	if b.trace.Lines[next.line].Line > 0 && s.line != next.line || w.seen>>lane&1 == 0 && len(*list) == 0 {
		*s = next
		*list = append(*list, next)
	} else if len(*list) == 0 {
		*list = append(*list, *s)
	}
	now := &(*list)[len(*list)-1]
	now.accesses = append(now.accesses, e)
}

// A meeting is a step of several lanes.
type meeting struct {
	mask  uint32
	line  int
	lanes [32]*step
}

// merged returns the order in which a warp runs the steps of its lanes: of those that lanes have next, the deepest in called functions comes
// first, and among these the one whose code comes first. Lanes that have this one run it together. Compilers put the code after a branch
// behind its parts, and that after a loop behind the loop, so lanes wait for each other there. (S. Collange, "Stack-less SIMT reconvergence
// at low cost", 2011.)
func (s *stretch) merged() []meeting {
	var list []meeting
	var next [32]int
	for {
		var best *step
		for lane := range s {
			if next[lane] == len(s[lane]) {
				continue
			}
			if c := &s[lane][next[lane]]; best == nil || c.depth > best.depth || c.depth == best.depth && c.pc < best.pc {
				best = c
			}
		}
		if best == nil {
			return list
		}
		m := meeting{line: best.line}
		for lane := range s {
			if next[lane] < len(s[lane]) {
				if c := &s[lane][next[lane]]; c.depth == best.depth && c.pc == best.pc {
					m.mask |= 1 << lane
					m.lanes[lane] = c
					next[lane]++
				}
			}
		}
		list = append(list, m)
	}
}
