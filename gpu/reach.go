package gpu

import (
	"errors"
	"slices"
	"syscall"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// peerArgument is a buffer of another device among a kernel's arguments. Its own work is counted otherwise than the kernel's
// device's, so it is no reference like others.
type peerArgument struct {
	reference
	start uint64   // of the whole allocation, for the kernel's device
	by    *process // of the kernel's device, for which that holds
}

// peerChunk is another device's chunk, mapped for a device.
type peerChunk struct {
	addr uint64
	by   *process
}

// mostMoves is how often a launch waits for a new process of its device that has other devices' memory.
const mostMoves = 3

// errMoved says that the device process, which had other devices' memory mapped, is another one by now.
var errMoved = errors.New("the device process was replaced meanwhile")

// reach waits for the other devices' work and makes their buffers ones that the kernel can use.
func (c *Call) reach() error {
	l := c.k.mod.dev.link
	for i := range c.peers {
		r := &c.peers[i]
		a := r.block.allocation
		if a.link.outstanding() {
			if err := a.link.sync(); err != nil {
				return err
			}
		}
		m, err := l.reach(a)
		if errors.Is(err, errNoPeer) {
			param := &c.k.params[r.param]
			return c.k.reject("parameter %s: the buffer is on %s, whose memory %s cannot reach: copy it to a buffer there (gpu.AllocOn, gpu.Copy)",
				describe(param), a.link.name(), l.name())
		}
		if err != nil {
			return err
		}
		r.by, r.start = m.by, m.addr+a.addr-a.chunk.addr
		*(*uint64)(unsafe.Pointer(&c.args[c.k.offsets[r.param]])) = r.there()
	}
	return nil
}

// there is the buffer's address for the kernel's device.
func (r *peerArgument) there() uint64 { return r.start + r.addr - r.block.addr }

// reach maps the chunk of another device's allocation, unless it is mapped.
func (l *link) reach(a *allocation) (peerChunk, error) {
	c := a.chunk
	fd, err := a.share()
	if err != nil {
		return peerChunk{}, err
	}
	defer syscall.Close(fd)
	a.link.mu.Lock()
	if !slices.Contains(c.reachedBy, l) {
		c.reachedBy = append(c.reachedBy, l)
	}
	a.link.mu.Unlock()
	var m peerChunk
	err = l.with(func(p *process) error {
		if m = l.peers[c]; m.by == p {
			return nil
		}
		at, err := l.mapPeer(p, c, fd)
		if err != nil {
			return err
		}
		m = peerChunk{at, p}
		l.peers[c] = m
		return nil
	})
	return m, err
}

// letGo has the devices that reach a chunk, and whoever shares it, give it up, without waiting for them. The lock of the chunk's link is held.
func (c *chunk) letGo() {
	for _, f := range c.sharers {
		go f()
	}
	c.sharers = nil
	for _, l := range c.reachedBy {
		go func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			if m := l.peers[c]; m.by != nil && m.by == l.p {
				// If the process dies, the mapping goes with it.
				_ = l.push(l.p, &wire.Command{Op: wire.OpReleaseChunk, Dst: m.addr}, nil)
			}
			delete(l.peers, c)
		}()
	}
	c.reachedBy = nil
}

// sendAcross is send for a launch with buffers of other devices. It waits for its end, as nobody else knows which device to wait
// for: the buffer's own has nothing to do with it.
func (c *Call) sendAcross(cmd *wire.Command) error {
	var err error
	for range mostMoves {
		if err = c.reach(); err != nil {
			return err
		}
		if err = c.give(cmd); !errors.Is(err, errMoved) {
			break
		}
	}
	if err != nil {
		return err
	}
	return c.k.mod.dev.link.sync()
}

// reached says whether what reach has found holds for the process. The lock is held.
func (c *Call) reached(p *process, stream uint32) error {
	for i := range c.peers {
		if c.peers[i].by != p {
			return errMoved
		}
		if c.k.mod.dev.link.captures[stream] != nil {
			return misuse("", "a launch with a buffer of another device can't be part of a graph, since it waits")
		}
	}
	return nil
}

// leavePeers undoes what watched has told check mode of other devices' buffers. The lock is held.
func (c *Call) leavePeers(p *process) error {
	if !c.k.mod.dev.link.checks.on {
		return nil
	}
	return c.tellPeers(p, wire.OpFreed)
}

// tellPeers has check mode take the allocations of other devices for buffers of this one, or no more. The lock is held.
func (c *Call) tellPeers(p *process, op wire.Op) error {
	seen := map[*allocation]bool{}
	for i := range c.peers {
		a := c.peers[i].block.allocation
		if seen[a] {
			continue
		}
		seen[a] = true
		if err := c.k.mod.dev.link.push(p, &wire.Command{Op: op, Dst: c.peers[i].start, N: a.asked}, nil); err != nil {
			return err
		}
	}
	return nil
}
