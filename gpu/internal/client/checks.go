package client

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// checks is the session's part of a device's check mode: what the device must know about buffers, and what its report needs. The
// connection's lock guards it.
type checks struct {
	conn    *connection
	on      bool // the device knows about the buffers
	all     int  // number of callers that want all launches watched
	how     Checking
	unread  bool              // launches were watched since the last report
	used    atomic.Bool       // whether there may be a report; read without the lock
	retired []*Allocation     // freed allocations, in this order
	sources map[string]string // of the programs with watched launches, by name
}

// checkGap is the size in bytes of the gap after buffers that are made in check mode, so that an index out of bounds does not access
// another buffer.
const checkGap = 64 << 10

func (c *checks) gap() uint64 {
	if c.on {
		return checkGap
	}
	return 0
}

// What was freed while check mode is on is not used again at once, so that a pointer to it does not find another
// buffer: that many, of at most that many bytes each.
const (
	maxRetired     = 64
	maxRetiredSize = 1 << 20
)

// retire keeps a freed allocation and returns one whose memory may be reused, or nil.
func (c *checks) retire(a *Allocation) *Allocation {
	if !c.on || a.Size > maxRetiredSize {
		return a
	}
	c.retired = append(c.retired, a)
	if len(c.retired) <= maxRetired {
		return nil
	}
	a = c.retired[0]
	c.retired = slices.Delete(c.retired, 0, 1)
	return a
}

// allocated and freed inform the device. An exited process needs no information: its successor receives a list of all buffers.
func (c *checks) allocated(a *Allocation) {
	if c.on {
		c.conn.tell(&wire.Command{Op: wire.OpAllocated, Dst: a.Addr, N: a.Asked, Arg: 1})
	}
}

func (c *checks) freed(a *Allocation) {
	if c.on {
		c.conn.tell(&wire.Command{Op: wire.OpFreed, Dst: a.Addr})
	}
}

// watched records that a launch of a program is watched.
func (c *checks) watched(name, source string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[name] = source
	c.unread = true
	c.used.Store(true)
}

// Watch makes the device track buffers, if it does not do so yet. The lock is held.
func (l *Link) Watch(p *Process) error {
	if l.checks.on {
		return nil
	}
	l.checks.on = true
	return l.listBuffers(p)
}

// listBuffers sends a device in check mode the list of buffers. Their contents count as initialized. The lock is held.
func (l *Link) listBuffers(p *Process) error {
	if !l.checks.on {
		return nil
	}
	for a := range l.mem.live.all {
		if a.chunk.lost {
			continue
		}
		if err := l.conn.push(p, &wire.Command{Op: wire.OpAllocated, Dst: a.Addr, N: a.Asked}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Watches reports whether the device tracks buffers. The lock is held.
func (l *Link) Watches() bool { return l.checks.on }

// WatchesAll reports whether all launches are watched. The lock is held.
func (l *Link) WatchesAll() bool { return l.checks.all > 0 }

// Observed reports whether launches are watched or recorded.
func (l *Link) Observed() bool {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.WatchesAll() || l.checks.how.Recorded.N > 0
}

// WatchLaunch makes the next launch, of a kernel of that program, a watched one whose blocks are recorded, and tells the device which memory
// it uses. The lock is held.
func (l *Link) WatchLaunch(p *Process, program *backend.Program, views []backend.View, recorded backend.Blocks) error {
	cmd := &wire.Command{Op: wire.OpViews, Dst: recorded.First, N: recorded.N}
	if l.checks.how.Simulated {
		cmd.Arg |= wire.ViewsSimulated
	}
	if recorded.Locals {
		cmd.Arg |= wire.ViewsLocals
	}
	err := l.conn.push(p, cmd, wire.MarshalViews(views))
	if err == nil {
		l.checks.watched(program.Name, cmp.Or(program.Shown, program.Source))
		for _, s := range program.Beside {
			l.checks.watched(s.Name, s.Text)
		}
	}
	return err
}

// WatchAll makes all launches watched ones until the returned function is called.
func (l *Link) WatchAll() (end func()) {
	add := func(n int) {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		l.checks.all += n
	}
	add(1)
	return func() { add(-1) }
}

// Checking says how launches are checked.
type Checking struct {
	Simulated bool           // the simulator checks the launches of a GPU
	Recorded  backend.Blocks // of each launch
}

// Checking sets how launches are checked, until the returned function is called.
func (l *Link) Checking(how Checking) (end func()) {
	set := func(v Checking) (before Checking) {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		before, l.checks.how = l.checks.how, v
		return before
	}
	before := set(how)
	return func() { set(before) }
}

// Recorded returns the blocks of each launch that are recorded. The lock is held.
func (l *Link) Recorded() backend.Blocks { return l.checks.how.Recorded }

// HasWatched reports whether launches were watched since the last time it was called. It takes no lock.
func (l *Link) HasWatched() bool { return l.checks.used.Swap(false) }

// UnreadReport reports whether launches were watched since the last report.
func (l *Link) UnreadReport() bool {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.checks.unread
}

// TakeReport returns the device's report, and the sources of the programs.
func (l *Link) TakeReport() (r *backend.Report, sources map[string]string, err error) {
	req := &wire.Report{}
	err = l.With(func(p *Process) error {
		l.checks.unread = false
		if err := l.conn.request(p, req, -1); err != nil {
			return err
		}
		sources = l.checks.sources
		l.checks.sources = nil
		return nil
	})
	return &req.Report, sources, err
}
