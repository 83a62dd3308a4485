package trace

import (
	"fmt"
	"slices"
	"sort"
)

// Shortened returns a trace with about that part of the steps, from 0 to 1: the first blocks, or of a single one the first ticks. A note says so.
func (t *Trace) Shortened(part float64) *Trace {
	s := *t
	s.Notes = slices.Clone(t.Notes)
	if n := len(t.Blocks); n > 1 {
		left := max(1, int(part*float64(n)))
		s.Blocks = t.Blocks[:left]
		s.Notes = append(s.Notes, fmt.Sprintf("the picture has the first %d of %d recorded blocks, so that it does not become too large", left, n))
		s.Memory = make([]*Memory, len(t.Memory))
		for i, m := range t.Memory {
			s.Memory[i] = m
			if m.Block >= left {
				empty := *m
				empty.Rows, empty.Values = nil, nil
				s.Memory[i] = &empty
			}
		}
		return &s
	}
	if len(t.Blocks) == 0 {
		return &s
	}
	b := *t.Blocks[0]
	ticks := max(1, int(part*float64(b.Ticks)))
	s.Notes = append(s.Notes, fmt.Sprintf("the picture has the first %d of %d recorded steps, so that it does not become too large", ticks, b.Ticks))
	b.Ticks = ticks
	b.Barriers = b.Barriers[:sort.SearchInts(b.Barriers, ticks+1)]
	b.Warps = nil
	for _, w := range t.Blocks[0].Warps {
		n := sort.SearchInts(w.Ticks, ticks)
		accesses := sort.Search(len(w.Accesses), func(i int) bool { return w.Accesses[i].Step >= n })
		frames := sort.Search(len(w.Frames), func(i int) bool { return w.Frames[i].Step >= n })
		b.Warps = append(b.Warps, &Warp{Ticks: w.Ticks[:n], Lines: w.Lines[:n], Masks: w.Masks[:n], Accesses: w.Accesses[:accesses], Frames: w.Frames[:frames]})
	}
	s.Blocks = []*Block{&b}
	return &s
}
