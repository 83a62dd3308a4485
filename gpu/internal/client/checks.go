package client

import (
	"slices"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// checks is the session's part of a device's check mode: what the device must know about buffers, and what its report needs. The
// connection's lock guards it.
type checks struct {
	conn *connection
	on   bool // the device knows about the buffers
	all  int  // of those who want all launches watched
	// simulated says that the simulator is to look at the launches of a GPU.
	simulated bool
	unread    bool              // launches were watched since the last report
	used      atomic.Bool       // there may be something to report; read without the lock
	retired   []*Allocation     // were freed, in this order
	sources   map[string]string // of the programs with watched launches, by name
}

// checkGap is what is left free after buffers that are made while check mode is on, in
// bytes, so that an index beyond the end finds no other buffer.
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

// retire takes an allocation that was freed and returns one whose memory may be used again, or nil.
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

// allocated and freed keep the device informed. A process that has exited needs no more: its successor is told of all buffers.
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

// watched notes that a launch of a program is watched.
func (c *checks) watched(name, source string) {
	if c.sources == nil {
		c.sources = map[string]string{}
	}
	c.sources[name] = source
	c.unread = true
	c.used.Store(true)
}

// Watch makes the device keep books about buffers, if it does not do so yet. The lock is held.
func (l *Link) Watch(p *Process) error {
	if l.checks.on {
		return nil
	}
	l.checks.on = true
	return l.listBuffers(p)
}

// listBuffers tells a device that has check mode on which buffers there are. What is in them
// counts as set. The lock is held.
func (l *Link) listBuffers(p *Process) error {
	if !l.checks.on {
		return nil
	}
	for a := range l.mem.live {
		if a.chunk.lost {
			continue
		}
		if err := l.conn.push(p, &wire.Command{Op: wire.OpAllocated, Dst: a.Addr, N: a.Asked}, nil); err != nil {
			return err
		}
	}
	return nil
}

// Watches reports whether the device keeps books about buffers. The lock is held.
func (l *Link) Watches() bool { return l.checks.on }

// WatchesAll reports whether all launches are watched. The lock is held.
func (l *Link) WatchesAll() bool { return l.checks.all > 0 }

// WatchLaunch has the next launch, of a kernel of that program, watched, and tells the device what it works on. The lock is held.
func (l *Link) WatchLaunch(p *Process, program *backend.Program, views []backend.View) error {
	err := l.conn.push(p, &wire.Command{Op: wire.OpViews, Arg: Flag(l.checks.simulated)}, wire.MarshalViews(views))
	if err == nil {
		l.checks.watched(program.Name, program.Source)
	}
	return err
}

// WatchAll has all launches watched until the returned function is called.
func (l *Link) WatchAll() (end func()) {
	add := func(n int) {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		l.checks.all += n
	}
	add(1)
	return func() { add(-1) }
}

// Simulate sets whether it is the simulator that looks at the launches of a GPU, until the returned function is called.
func (l *Link) Simulate(simulated bool) (end func()) {
	set := func(v bool) (before bool) {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		before, l.checks.simulated = l.checks.simulated, v
		return before
	}
	before := set(simulated)
	return func() { set(before) }
}

// HasWatched reports whether launches were watched since the last time it was called. It takes no lock.
func (l *Link) HasWatched() bool { return l.checks.used.Swap(false) }

// UnreadReport reports whether launches were watched since the last report.
func (l *Link) UnreadReport() bool {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.checks.unread
}

// TakeReport returns what the device has seen, and the sources of the programs.
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
