package client

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/memfd"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/internal/statusfile"
)

// A savedChunk is a copy of a chunk in host memory, made when its device was suspended.
type savedChunk struct {
	fd    int
	spans []wire.Span // that are in use
	bytes uint64      // their size
}

// An idle watches one device process and suspends the device when it was not used for some time.
type idle struct {
	after time.Duration // 0 for never
	why   error         // why it was not suspended the last time
}

// SuspendAfter makes the device be suspended whenever it was not used for that long, or never, for 0. It must be called before the device
// is opened.
func (l *Link) SuspendAfter(d time.Duration) { l.idle.after = d }

// watchIdle suspends the device when the process has received no command for some time. since is when it received the command numbered
// seq. The lock is held.
func (l *Link) watchIdle(p *Process, seq uint64, since time.Time) {
	const looks = 10 // in that time
	if l.idle.after == 0 {
		return
	}
	time.AfterFunc(l.idle.after/looks, func() {
		l.conn.mu.Lock()
		defer l.conn.mu.Unlock()
		if l.conn.p != p {
			return // its successor is watched
		}
		now := time.Now()
		if l.conn.progress.seq != seq {
			since = now
		} else if now.Sub(since) >= l.idle.after {
			if l.idle.why = l.suspend(p); l.idle.why == nil {
				return
			}
			l.publish()
			since = now
		}
		l.watchIdle(p, l.conn.progress.seq, since)
	})
}

// publish updates the status file. The lock is held.
func (l *Link) publish() {
	if l.status == nil {
		l.status = statusfile.New(statusfile.Device)
	}
	saved, held, why, current, pid := l.mem.savedBytes(), uint64(0), "", "", 0
	if l.conn.p != nil {
		held, pid = l.mem.heap.Reserved(), l.conn.p.pid
	}
	if l.current {
		current = "current"
	}
	if l.idle.why != nil {
		why = l.idle.why.Error()
	}
	l.status.Set(l.Name(), l.Properties().Name, held, saved, why, l.Properties().TotalMemory, pid, current)
}

// SetCurrent sets whether the device is the session's current one, which other processes can read.
func (l *Link) SetCurrent(current bool) {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.current = current
	if l.status != nil {
		l.publish()
	}
}

// Suspend ends the device process and keeps the contents of the device's memory in host memory, until the device is used again. Then all
// of it is as before, at the same addresses, other than the times of events. It returns an error, and does nothing, if the device has
// work, or has something that cannot be restored.
func (l *Link) Suspend() error {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	if l.conn.p == nil {
		return nil
	}
	return l.suspend(l.conn.p)
}

// suspend is Suspend with the lock held.
func (l *Link) suspend(p *Process) (err error) {
	defer func() {
		if err != nil {
			l.mem.discardSaved()
		}
	}()
	if l.conn.busy() || pointer.Load[Error](&l.faults.pending) != nil || l.faults.unreported.Load() || len(l.captures) > 0 {
		return errors.New("it has work, or errors that nobody has asked for")
	}
	if l.checks.unread {
		return errors.New("it has a report of check mode that nobody has read")
	}
	for h, m := range l.state.modules.entries {
		if err := m.(*LoadedModule).replaceable(&l.conn, p, h); err != nil {
			return err
		}
	}
	if err := l.mem.save(p, pointer.Load[wire.Hello](&l.hello).Properties.Simulated); err != nil {
		return err
	}
	l.mem.closeSaved()
	l.conn.use(nil)
	l.conn.progress.reset()
	l.mem.reclaim(func(*usage) bool { return true })
	l.publish()
	p.Kill()
	return nil
}

// replaceable returns an error if the module has something that a new process cannot be given.
func (m *LoadedModule) replaceable(c *connection, p *Process, handle uint32) error {
	req := &wire.Changed{Module: handle, Image: m.Image.Data}
	for name, data := range m.globals {
		req.Globals = append(req.Globals, wire.Global{Name: name, Data: data})
	}
	if err := c.request(p, req, -1); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if req.What != "" {
		return fmt.Errorf("%s: %s", m.Name, req.What)
	}
	return nil
}

// save copies all chunks to host memory, unless they are host memory. The lock is held.
func (m *allocator) save(p *Process, isHost bool) error {
	for _, c := range m.chunks {
		if c.fd < 0 {
			return errors.New("the driver cannot restore memory at its address")
		}
		if c.shared != nil || len(c.mappedBy) > 0 {
			return errors.New("its memory is shared with other code, or with other devices")
		}
	}
	if isHost {
		return nil
	}
	spans := map[*chunk][]wire.Span{}
	for a := range m.live.all {
		spans[a.chunk] = append(spans[a.chunk], wire.Span{Offset: a.Addr - a.chunk.addr, Size: a.Size})
	}
	for _, c := range m.chunks {
		if err := m.saveChunk(p, c, spans[c]); err != nil {
			return err
		}
	}
	return nil
}

// saveChunk copies the parts of a chunk that are in use to host memory. The lock is held.
func (m *allocator) saveChunk(p *Process, c *chunk, spans []wire.Span) error {
	fd, err := memfd.Create("gopherwarp-suspended", int(c.size))
	if err != nil {
		return err
	}
	c.saved = &savedChunk{fd: fd, spans: spans}
	for _, s := range spans {
		c.saved.bytes += s.Size
	}
	return m.conn.request(p, &wire.MoveChunk{Addr: c.addr, Spans: spans}, fd)
}

// discardSaved removes the copies in host memory: the chunks exist on the device. The lock is held.
func (m *allocator) discardSaved() {
	for _, c := range m.chunks {
		if c.saved != nil {
			syscall.Close(c.saved.fd)
			c.saved = nil
		}
	}
}

// closeSaved releases the chunks of which there are copies on the device, or those that were allocated in vain for a process that could
// not be given all of them. The lock is held.
func (m *allocator) closeSaved() {
	for _, c := range m.chunks {
		if c.saved != nil && c.fd >= 0 {
			syscall.Close(c.fd)
			c.fd = -1
		}
	}
}

// savedBytes returns the size of the copies in host memory. The lock is held.
func (m *allocator) savedBytes() (n uint64) {
	for _, c := range m.chunks {
		if c.saved != nil {
			n += c.saved.bytes
		}
	}
	return n
}

// restoreSaved allocates a chunk of which there is a copy at its address, and copies the copy back. The lock is held.
func (m *allocator) restoreSaved(p *Process, c *chunk) error {
	req := &wire.CreateChunk{Size: c.size, Addr: c.addr}
	err := m.conn.request(p, req, -1)
	if err == nil {
		c.fd = req.Chunk.FD
		err = m.conn.request(p, &wire.MoveChunk{Addr: c.addr, Spans: c.saved.spans, Back: true}, c.saved.fd)
	}
	if cause := outOfMemory(err); cause != nil {
		e := *cause
		e.Message += fmt.Sprintf(". The device was suspended, and its %s of buffers were moved to host memory, where they still are. Others use the device's memory now: try again later",
			render.Bytes(m.savedBytes()))
		return &e
	}
	return err
}
