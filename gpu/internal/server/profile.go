package server

import (
	"cmp"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// device returns the device itself, without a recorder.
func (s *server) device() backend.Device {
	if s.recorder != nil {
		return s.recorder.Device
	}
	return s.dev
}

// startProfile replaces the device by a recorder.
func (s *server) startProfile(r *wire.StartProfile) error {
	if s.recorder != nil {
		return &backend.Error{Code: 1, Name: "CUDA_ERROR_INVALID_VALUE", Message: "a profile of this device is under way"}
	}
	recorder, err := newRecorder(s.dev, !r.TimesOnly)
	if err != nil {
		return err
	}
	for _, name := range s.ranges.names() {
		recorder.enter(name.id, name.name)
	}
	s.recorder, s.dev = recorder, recorder
	return nil
}

// stopProfile reverses startProfile and answers with the profile. A device process that has replaced another one has no profile.
func (s *server) stopProfile(req *wire.StopProfile) error {
	profile := &backend.Profile{Notes: []string{"The device's process was replaced after a fault: what it did before is missing."}}
	if r := s.recorder; r != nil {
		s.recorder, s.dev = nil, r.Device
		var err error
		if profile, err = r.stop(); err != nil {
			return err
		}
	}
	req.Profile = *profile
	return nil
}

// runGraph launches a graph. If the device is a Capturer, the launch is recorded; otherwise the graph's commands are.
func (s *server) runGraph(graph, stream uint32) error {
	if s.recorder == nil || s.graphs.capture == nil {
		return s.graphs.launch(graph, stream)
	}
	return s.recorder.graph(stream, func() error { return s.graphs.launch(graph, stream) })
}

// recorder is a device that records all work. The device itself measures it if it is a Profiler. Otherwise it is measured from
// outside: with events, or by the host's clock if the device is synchronous.
type recorder struct {
	backend.Device
	profiler backend.Profiler // nil if the work is measured from outside
	counter  backend.Counter  // nil if the device is no Counter
	events   *stopwatches     // nil if work is not measured by events
	clock    string
	notes    []string

	asked   []asked // by tag, from 1
	seen    map[workShape]bool
	records []backend.Record // of work that was measured from outside
	base    time.Time        // the beginning by the host's clock
	start   time.Duration    // the beginning by the clock of the records
	ranges  []*backend.RangeWork
	spans   []backend.Span // that ended; their beginnings are by the clock of the records
	open    []openRange
	inside  []int // indices of the open ranges; replaced rather than changed, since elements of asked share it
}

// asked is work that the session has submitted, under a tag.
type asked struct {
	as     backend.Record // the fields known before it runs
	fn     uint32         // of a launch
	stream uint32
	inside []int // the ranges that were open
}

type openRange struct {
	id    uint32
	index int
	begin time.Duration
}

// newRecorder returns a recorder whose profile begins now.
func newRecorder(d backend.Device, count bool) (*recorder, error) {
	r, err := makeRecorder(d, count)
	if err == nil {
		r.start = r.now()
	}
	return r, err
}

func makeRecorder(d backend.Device, count bool) (*recorder, error) {
	r := &recorder{Device: d, clock: "host", seen: map[workShape]bool{}, base: time.Now()}
	r.counter, _ = d.(backend.Counter)
	if d.Properties().Simulated {
		return r, nil
	}
	if p, ok := d.(backend.Profiler); ok {
		err := p.StartProfile(count)
		if err == nil {
			r.profiler, r.clock = p, "CUPTI"
			return r, nil
		}
		r.notes = append(r.notes, "Kernels were only timed: "+err.Error()+".")
	}
	var err error
	r.events, err = newStopwatches(d)
	r.clock = "events"
	return r, err
}

// now returns the time by the clock of the records.
func (r *recorder) now() time.Duration {
	switch {
	case r.profiler != nil:
		return r.profiler.Now()
	case r.events != nil:
		return r.events.now()
	}
	return time.Since(r.base)
}

// enter and leave update the open ranges.
func (r *recorder) enter(id uint32, name string) {
	index := -1
	for i, w := range r.ranges {
		if w.Name == name {
			index = i
		}
	}
	if index < 0 {
		index = len(r.ranges)
		r.ranges = append(r.ranges, &backend.RangeWork{Name: name})
	}
	r.ranges[index].Times++
	r.open = append(r.open, openRange{id, index, r.now()})
	r.look()
}

func (r *recorder) leave(id uint32) {
	for i, o := range r.open {
		if o.id == id {
			r.end(o)
			r.open = append(r.open[:i:i], r.open[i+1:]...)
			break
		}
	}
	r.look()
}

// end records the time of a range.
func (r *recorder) end(o openRange) {
	r.spans = append(r.spans, backend.Span{Name: r.ranges[o.index].Name, Begin: o.begin, Time: r.now() - o.begin})
}

func (r *recorder) look() {
	seen := map[int]bool{}
	r.inside = nil
	for _, o := range r.open {
		if !seen[o.index] { // a range may be within one of the same name
			seen[o.index] = true
			r.inside = append(r.inside, o.index)
		}
	}
}

// do does work and records it. The fields of rec are used if it is measured from outside.
func (r *recorder) do(rec backend.Record, fn, stream uint32, work func() error) error {
	rec.Tag = uint64(len(r.asked)) + 1
	r.asked = append(r.asked, asked{rec, fn, stream, r.inside})
	if r.profiler != nil {
		r.profiler.Tag(rec.Tag)
		defer r.profiler.Tag(0)
		return work()
	}
	if r.events != nil {
		return r.events.time(stream, work, func(begin, took time.Duration) {
			rec.Begin, rec.Time = begin, took
			r.records = append(r.records, rec)
		})
	}
	rec.Begin = r.now()
	err := work()
	rec.Time = r.now() - rec.Begin
	if err == nil {
		if r.counter != nil && rec.Kind == backend.WorkKernel {
			rec.Counters = r.counter.Counted()
		}
		r.records = append(r.records, rec)
	}
	return err
}

// first reports whether this is the first launch of a kernel with this shape. Only that one is counted, as counting takes long.
func (r *recorder) first(rec *backend.Record, fn uint32) bool {
	shape := shapeOf(rec, fn)
	if r.seen[shape] {
		return false
	}
	r.seen[shape] = true
	return true
}

func (r *recorder) Launch(l *backend.Launch) error {
	rec := backend.Record{Kind: backend.WorkKernel, Grid: l.Grid, Block: l.Block, DynamicShared: int(l.SharedBytes)}
	launch := r.Device.Launch
	if r.profiler != nil && r.first(&rec, l.Func) {
		launch = func(l *backend.Launch) error { return r.profiler.LaunchCounted(uint64(len(r.asked)), l) }
	}
	return r.do(rec, l.Func, l.Stream, func() error { return launch(l) })
}

func (r *recorder) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	return r.do(copied(backend.WorkHtoD, uint64(len(src))), 0, stream, func() error { return r.Device.CopyHtoD(dst, src, stream) })
}

func (r *recorder) CopyDtoH(dst []byte, src uint64, stream uint32) error {
	return r.do(copied(backend.WorkDtoH, uint64(len(dst))), 0, stream, func() error { return r.Device.CopyDtoH(dst, src, stream) })
}

func (r *recorder) CopyDtoD(dst, src, n uint64, stream uint32) error {
	return r.do(copied(backend.WorkDtoD, n), 0, stream, func() error { return r.Device.CopyDtoD(dst, src, n, stream) })
}

func (r *recorder) CopyRect(c *backend.Rect) error {
	kind := backend.WorkDtoD
	if c.SrcHost != nil {
		kind = backend.WorkHtoD
	} else if c.DstHost != nil {
		kind = backend.WorkDtoH
	}
	return r.do(copied(kind, c.Width*c.Rows), 0, c.Stream, func() error { return r.Device.CopyRect(c) })
}

func (r *recorder) Fill(dst uint64, pattern []byte, n uint64, stream uint32) error {
	return r.do(copied(backend.WorkFill, n), 0, stream, func() error { return r.Device.Fill(dst, pattern, n, stream) })
}

func copied(kind backend.WorkKind, n uint64) backend.Record {
	return backend.Record{Kind: kind, Bytes: n}
}

// graph records the launch of a graph. Measured from outside, it is one piece of work.
func (r *recorder) graph(stream uint32, launch func() error) error {
	return r.do(backend.Record{Kind: backend.WorkGraph}, 0, stream, launch)
}

// stop ends the profile and returns it.
func (r *recorder) stop() (*backend.Profile, error) {
	for _, o := range r.open {
		r.end(o)
	}
	var err error
	switch {
	case r.profiler != nil:
		var notes []string
		r.records, notes, err = r.profiler.StopProfile()
		r.notes = append(r.notes, notes...)
	case r.events != nil:
		err = r.events.stop()
	}
	if err != nil {
		return nil, err
	}
	p := &backend.Profile{Clock: r.clock, Notes: r.notes}
	works := map[workShape]*backend.Work{}
	var order []*backend.Work
	for i := range r.records {
		rec := &r.records[i]
		a := r.askedFor(rec)
		if rec.Kind == backend.WorkKernel && rec.Grid[0] == 0 { // the device reports only its time
			rec.Grid, rec.Block, rec.DynamicShared = a.as.Grid, a.as.Block, a.as.DynamicShared
		}
		shape := shapeOf(rec, a.fn)
		w := works[shape]
		if w == nil {
			w = &backend.Work{
				Kind: shape.kind, Func: shape.fn, Symbol: shape.symbol, Grid: shape.grid, Block: shape.block,
				Registers: rec.Registers, StaticShared: rec.StaticShared, DynamicShared: shape.shared, Min: rec.Time,
			}
			works[shape] = w
			order = append(order, w)
		}
		add(w, rec)
		for _, index := range a.inside {
			in := r.ranges[index]
			in.Device += rec.Time
			if rec.Kind == backend.WorkKernel || rec.Kind == backend.WorkGraph {
				in.Launches++
			}
		}
	}
	for _, w := range order {
		p.Work = append(p.Work, *w)
	}
	for _, w := range r.ranges {
		p.Ranges = append(p.Ranges, *w)
	}
	r.timeline(p)
	return p, nil
}

// askedFor returns what the session has submitted to make a record: the zero value if that is unknown.
func (r *recorder) askedFor(rec *backend.Record) asked {
	if rec.Tag > 0 && rec.Tag <= uint64(len(r.asked)) {
		return r.asked[rec.Tag-1]
	}
	return asked{}
}

// timeline adds the pieces of work and the ranges by time.
func (r *recorder) timeline(p *backend.Profile) {
	for i := range r.records {
		rec := &r.records[i]
		a := r.askedFor(rec)
		shape := shapeOf(rec, a.fn)
		p.Events = append(p.Events, backend.Event{
			Kind: rec.Kind, Func: shape.fn, Symbol: shape.symbol, Stream: a.stream, Grid: shape.grid, Block: shape.block,
			Bytes: rec.Bytes, Begin: rec.Begin - r.start, Time: rec.Time,
		})
	}
	p.Spans = r.spans
	for i := range p.Spans {
		p.Spans[i].Begin -= r.start
	}
	// A range that encloses another comes first, also if both begin at the same time.
	slices.SortStableFunc(p.Spans, func(a, b backend.Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.Time, a.Time))
	})
	slices.SortStableFunc(p.Events, func(a, b backend.Event) int { return cmp.Compare(a.Begin, b.Begin) })
	kept := min(len(p.Events), backend.MaxEvents)
	spans := min(len(p.Spans), backend.MaxEvents)
	p.Skipped = len(p.Events) - kept + len(p.Spans) - spans
	p.Events, p.Spans = p.Events[:kept], p.Spans[:spans]
}

// workShape is the key by which work is summed up in a profile.
type workShape struct {
	kind        backend.WorkKind
	fn          uint32
	symbol      string
	grid, block [3]uint32
	shared      int
}

func shapeOf(r *backend.Record, fn uint32) workShape {
	if r.Kind != backend.WorkKernel {
		return workShape{kind: r.Kind}
	}
	s := workShape{kind: r.Kind, fn: fn, grid: r.Grid, block: r.Block, shared: r.DynamicShared}
	if fn == 0 {
		s.symbol = r.Symbol
	}
	return s
}

func add(w *backend.Work, r *backend.Record) {
	w.Calls++
	w.Bytes += r.Bytes
	w.Total += r.Time
	w.Min, w.Max = min(w.Min, r.Time), max(w.Max, r.Time)
	if r.Counters == nil {
		return
	}
	if w.Counters == nil {
		w.Counters = backend.Counters{}
	}
	w.Counted++
	w.CountedTime += r.Time
	w.Counters.Add(r.Counters, w.Counted)
}
