package gpu

import (
	"errors"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// peerArgument is a buffer of another device among a kernel's arguments. Its own work is counted otherwise than the kernel's
// device's, so it is no reference like others.
type peerArgument struct {
	reference
	start uint64          // of the whole allocation, for the kernel's device
	by    *client.Process // of the kernel's device, for which that holds
}

// maxMoves is how often a launch waits for a new process of its device that has other devices' memory.
const maxMoves = 3

// errMoved says that the device process, which had other devices' memory mapped, is another one by now.
var errMoved = errors.New("the device process was replaced meanwhile")

// reach waits for the other devices' work and makes their buffers ones that the kernel can use.
func (c *Call) reach() error {
	l := c.k.mod.dev.link
	for i := range c.peers {
		r := &c.peers[i]
		a := r.block.Allocation
		if a.Link.Outstanding() {
			if err := a.Link.Sync(); err != nil {
				return err
			}
		}
		start, by, err := l.MapPeer(a)
		if errors.Is(err, client.ErrNoPeer) {
			param := &c.k.params[r.param]
			return c.k.reject("parameter %s: the buffer is on %s, whose memory %s cannot reach: copy it to a buffer there (gpu.AllocOn, gpu.Copy)",
				describe(param), a.Link.Name(), l.Name())
		}
		if err != nil {
			return err
		}
		r.by, r.start = by, start
		*(*uint64)(unsafe.Pointer(&c.args[c.k.offsets[r.param]])) = r.mapped()
	}
	return nil
}

// mapped returns the buffer's address for the kernel's device.
func (r *peerArgument) mapped() uint64 { return r.start + r.addr - r.block.Addr }

// sendAcross is send for a launch with buffers of other devices. It waits for its end, as nobody else knows which device to wait
// for: the buffer's own has nothing to do with it.
func (c *Call) sendAcross(cmd *wire.Command) error {
	var err error
	for range maxMoves {
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
	return c.k.mod.dev.link.Sync()
}

// reached returns an error if what reach has found does not hold for the process. The lock is held.
func (c *Call) reached(p *client.Process, stream uint32) error {
	for i := range c.peers {
		if c.peers[i].by != p {
			return errMoved
		}
		if c.k.mod.dev.link.RecordingOf(stream) != nil {
			return misuse("", "a launch with a buffer of another device can't be part of a graph, since it waits")
		}
	}
	return nil
}

// leavePeers undoes what watched has told check mode of other devices' buffers. The lock is held.
func (c *Call) leavePeers(p *client.Process) error {
	if !c.k.mod.dev.link.Watches() {
		return nil
	}
	return c.tellPeers(p, wire.OpFreed)
}

// tellPeers has check mode take the allocations of other devices for buffers of this one, or no more. The lock is held.
func (c *Call) tellPeers(p *client.Process, op wire.Op) error {
	seen := map[*client.Allocation]bool{}
	for i := range c.peers {
		a := c.peers[i].block.Allocation
		if seen[a] {
			continue
		}
		seen[a] = true
		if err := c.k.mod.dev.link.Push(p, &wire.Command{Op: op, Dst: c.peers[i].start, N: a.Asked}, nil); err != nil {
			return err
		}
	}
	return nil
}
