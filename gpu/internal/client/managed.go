package client

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// managed is the device's part of a ManagedSlice.
type managed struct {
	link *Link
	mem  *Pinned
	// These are guarded by the link's lock.
	block *Block // on the device; nil until a launch needs it
	sent  bool   // whether the device has the host's last writes
	again bool   // whether the last copy back may not have completed
	up    uint64 // the last command that copied it to the device
	back  uint64 // the last command that copied it back
}

// Manage makes page-locked memory managed.
func (l *Link) Manage(m *Pinned) {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	if l.managed == nil {
		l.managed = map[*managed]struct{}{}
	}
	g := &managed{link: l, mem: m}
	m.managed = g
	l.managed[g] = struct{}{}
}

// ManagedCount returns how many pieces of managed memory there are.
func (l *Link) ManagedCount() int {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return len(l.managed)
}

// ManagedBy returns the link of the device that manages the memory, or nil if it is ordinary page-locked memory.
func (m *Pinned) ManagedBy() *Link {
	if m.managed == nil {
		return nil
	}
	return m.managed.link
}

// SendManaged copies the host's writes to managed memory to the device, and returns the device's copy.
func (m *Pinned) SendManaged(made Origin) (*Block, error) { return m.managed.send(made) }

// Unmanage is the inverse of Manage, and frees the device's copy.
func (m *Pinned) Unmanage() {
	g := m.managed
	l := g.link
	l.conn.mu.Lock()
	delete(l.managed, g)
	b := g.block
	g.block = nil
	l.conn.mu.Unlock()
	if b != nil {
		b.Free()
	}
}

// send copies the host's writes to the device, and returns the device's copy.
func (g *managed) send(made Origin) (*Block, error) {
	l := g.link
	l.conn.mu.Lock()
	b := g.block
	l.conn.mu.Unlock()
	if b == nil {
		fresh, err := l.Alloc(uint64(len(g.mem.mem)), made)
		if err != nil {
			return nil, err
		}
		l.conn.mu.Lock()
		if g.block == nil {
			g.block = fresh
		}
		b = g.block
		l.conn.mu.Unlock()
	}
	return b, l.With(func(p *Process) error {
		if b.chunk.lost { // the driver cannot share memory: only the host's copy is left
			g.block, g.sent = nil, false
			return invalid("its contents on the device went with the device process that died; what the host has of it is as it was at the last wait")
		}
		if g.sent {
			return nil
		}
		// The default stream's work precedes later work of all other streams.
		c := &wire.Command{Op: wire.OpUpload, Dst: b.Addr, N: uint64(len(g.mem.mem)), Arg: g.mem.Number}
		if err := l.Submit(p, c, nil, b); err != nil {
			return err
		}
		g.sent, g.up = true, c.Seq
		return nil
	})
}

// CopyBackManaged makes the device copy back what kernels may have written to managed memory. The caller waits for that.
func (l *Link) CopyBackManaged() error {
	l.conn.mu.Lock()
	none := len(l.managed) == 0
	l.conn.mu.Unlock()
	if none {
		return nil
	}
	return l.With(func(p *Process) error {
		var errs []error
		for g := range l.managed {
			if !g.sent {
				continue
			}
			g.sent = false // the host may write after the wait
			a := g.block.Allocation
			if err := a.TakeFault(); err != nil {
				errs = append(errs, err)
			}
			if a.use.last <= max(g.up, g.back) && !g.again {
				continue
			}
			c := &wire.Command{Op: wire.OpDownload, Src: a.Addr, N: uint64(len(g.mem.mem)), Arg: g.mem.Number}
			if err := l.Submit(p, c, nil); err != nil {
				return err
			}
			g.back, g.again = c.Seq, false
		}
		return errors.Join(errs...)
	})
}

// restoreManaged decides which copies are valid after the exit of a process that is known to have completed all commands up to settled.
// Data that was being copied to the device is still here, as of the last wait; data that was only being copied back is still there. The
// lock is held.
func (l *Link) restoreManaged(settled uint64) {
	for g := range l.managed {
		switch {
		case g.up > settled:
			g.sent = false
		case g.back > settled:
			g.sent, g.again = true, true
		}
	}
}
