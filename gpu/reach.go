package gpu

import (
	"errors"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// A peerArgument is a buffer of another device among a kernel's arguments. Its pending work is not that of the kernel's device, so it is
// not one of Call's refs.
type peerArgument struct {
	reference
	start uint64          // device address of the whole allocation, on the kernel's device
	by    *client.Process // of the kernel's device, in which start is valid
}

// maxMoves is how often a launch is repeated because its device process, which had other devices' memory mapped, was replaced.
const maxMoves = 3

// errMoved is the error of a launch whose device process, which had other devices' memory mapped, was replaced.
var errMoved = errors.New("the device process was replaced meanwhile")

// reach waits for the other devices' work and maps their buffers for the kernel's device.
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

// mapped returns the buffer's address on the kernel's device.
func (r *peerArgument) mapped() uint64 { return r.start + r.addr - r.block.Addr }

// sendAcross sends a launch with buffers of other devices and waits for its end: waiting for a buffer's own device would not wait for it.
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

// reached returns an error if the addresses that reach has found are not valid in the process. The lock is held.
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

// leavePeers undoes watched's announcement of other devices' buffers to check mode. The lock is held.
func (c *Call) leavePeers(p *client.Process) error {
	if !c.k.mod.dev.link.Watches() {
		return nil
	}
	return c.tellPeers(p, wire.OpFreed)
}

// tellPeers tells check mode that the allocations of other devices are buffers of this one, or no longer are. The lock is held.
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
