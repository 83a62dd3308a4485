package prof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// A Timeline has what a device did by time. Beginnings count from the start of the profile.
type Timeline struct {
	Events  []Event
	Spans   []Span // of ranges
	Skipped int    `json:",omitempty"` // events and spans that were left out: a profile keeps 20 000 of each
}

// An Event is a launch, a copy or a fill.
type Event struct {
	Name        string // of a kernel
	Kind        string // "kernel", "graph", "HtoD", "DtoH", "DtoD" or "fill"
	Stream      int    // 0 is the default stream; the others are numbered in the order in which they were created
	Grid, Block [3]int // of a kernel
	Bytes       uint64 `json:",omitempty"` // of a copy or fill
	Begin, Time time.Duration
}

// A Span is the time between Range and the call of the function that it has returned, as the device's process has seen them: work that was
// launched within a range may end after it.
type Span struct {
	Name        string
	Begin, Time time.Duration
}

// WithTimeline keeps the time of each launch, copy and range, which the report then shows as a picture. Kernels run as they always do, as with
// WithTimesOnly, since counting would change the times.
func WithTimeline() Option { return func(o *options) { o.timeline, o.timesOnly = true, true } }

func newTimeline(p *hook.Profiled) *Timeline {
	t := &Timeline{Events: []Event{}, Skipped: p.Skipped}
	handles := map[uint32]bool{0: true}
	for _, e := range p.Events {
		handles[e.Stream] = true
	}
	order := slices.Sorted(maps.Keys(handles))
	for _, e := range p.Events {
		stream, _ := slices.BinarySearch(order, e.Stream)
		event := Event{Kind: string(e.Kind), Stream: stream, Grid: whole(e.Grid), Block: whole(e.Block), Bytes: e.Bytes, Begin: e.Begin, Time: e.Time}
		if e.Kind == backend.WorkKernel {
			event.Name = nameOf(p, e.Func, e.Symbol)
		}
		t.Events = append(t.Events, event)
	}
	for _, s := range p.Spans {
		t.Spans = append(t.Spans, Span(s))
	}
	return t
}

// A track is a row of a timeline. Its bars do not overlap.
type track struct {
	label  string // "" if it continues the row above
	ranges bool
	bars   []bar
}

type bar struct {
	begin, time time.Duration
	event       *Event // nil for a range
	name        string
}

// tracks returns the rows of the picture: ranges, nested ones below the others, then streams. A stream whose work overlaps, as that of a
// graph may, has several.
func (t *Timeline) tracks() []track {
	spans := make([]bar, len(t.Spans))
	for i, s := range t.Spans {
		spans[i] = bar{begin: s.Begin, time: s.Time, name: s.Name}
	}
	list := split("ranges", true, spans)
	streams := map[int][]bar{}
	for i := range t.Events {
		e := &t.Events[i]
		streams[e.Stream] = append(streams[e.Stream], bar{e.Begin, e.Time, e, cmp.Or(e.Name, copyNames[e.Kind], e.Kind)})
	}
	for _, stream := range slices.Sorted(maps.Keys(streams)) {
		label := "default stream"
		if stream > 0 {
			label = fmt.Sprintf("stream %d", stream)
		}
		list = append(list, split(label, false, streams[stream])...)
	}
	return list
}

// maxTracks is the maximum number of rows of a stream. Bars that find no room in them are put into the last.
const maxTracks = 8

// split distributes bars, which are sorted by their beginnings, to rows in which they do not overlap.
func split(label string, ranges bool, bars []bar) []track {
	var list []track
	var ends []time.Duration
	for _, b := range bars {
		row := slices.IndexFunc(ends, func(end time.Duration) bool { return end <= b.begin })
		if row < 0 && len(list) < maxTracks {
			row = len(list)
			list, ends = append(list, track{ranges: ranges}), append(ends, 0)
		}
		if row < 0 {
			row = maxTracks - 1
		}
		list[row].bars = append(list[row].bars, b)
		ends[row] = max(ends[row], b.begin+b.time)
	}
	if len(list) > 0 {
		list[0].label = label
	}
	return list
}

// length returns the time that a timeline covers.
func (t *Timeline) length() time.Duration {
	var end time.Duration
	for _, e := range t.Events {
		end = max(end, e.Begin+e.Time)
	}
	for _, s := range t.Spans {
		end = max(end, s.Begin+s.Time)
	}
	return end
}

// textColumns is the number of columns for the time in a timeline as text.
const textColumns = 72

// String returns the timeline as text: a row for each stream, in which a character stands for a part of the time.
func (t *Timeline) String() string {
	length := t.length()
	if length <= 0 {
		return ""
	}
	tracks := t.tracks()
	width := len("default stream")
	var b strings.Builder
	end := duration(length)
	fmt.Fprintf(&b, "%*s 0%*s\n", -width, "", textColumns-1, end)
	for _, row := range tracks {
		fmt.Fprintf(&b, "%*s %s\n", -width, row.label, row.text(length))
	}
	b.WriteString("# kernels, = copies and fills, - ranges")
	if t.Skipped > 0 {
		fmt.Fprintf(&b, "; the last %d events are left out", t.Skipped)
	}
	return b.String() + "\n"
}

// text returns the row as text. Where a kernel and a copy share a character the kernel is shown.
func (r *track) text(length time.Duration) string {
	line := []byte(strings.Repeat(" ", textColumns))
	column := func(at time.Duration) int { return min(int(float64(at)/float64(length)*textColumns), textColumns-1) }
	for _, b := range r.bars {
		mark := byte('=')
		switch {
		case r.ranges:
			mark = '-'
		case b.event.isKernel():
			mark = '#'
		}
		first := max(column(b.begin), 0)
		last := max(column(b.begin+b.time-1), first)
		for i := first; i <= last; i++ {
			if line[i] != '#' {
				line[i] = mark
			}
		}
	}
	return strings.TrimRight(string(line), " ")
}

func (e *Event) isKernel() bool {
	return e.Kind == string(backend.WorkKernel) || e.Kind == string(backend.WorkGraph)
}
