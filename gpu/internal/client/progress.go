package client

import (
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// progress is what is known of the commands sent to a device: their numbers, and which of them have ended. The
// connection's lock guards it, but for the atomics, which are also read without.
type progress struct {
	seq      uint64            // the last command
	work     atomic.Uint64     // the last command that changes something on the device
	settled  atomic.Uint64     // every command up to this one has ended
	streamed bool              // streams other than 0 were given work since the last Sync
	arrived  map[uint32]uint64 // by stream: the last command that has ended, if later than settled
}

// number numbers the next command.
func (g *progress) number(c *wire.Command, slot uint16) {
	g.seq++
	c.Seq, c.Slot = g.seq, slot
}

// given notes that a command was sent that changes something on the device.
func (g *progress) given(c *wire.Command) {
	g.work.Store(c.Seq)
	if c.Stream != 0 {
		g.streamed = true
	}
}

// pending reports whether work was sent of which the end is not known.
func (g *progress) pending() bool { return g.work.Load() > g.settled.Load() }

// ended reports whether a stream's command is known to have ended.
func (g *progress) ended(seq uint64, stream uint32) bool {
	return seq <= max(g.settled.Load(), g.arrived[stream])
}

// A completion is what the end of one command says about the others: those up to it have ended, of one stream or of all.
type completion struct {
	seq    uint64
	stream uint32
	all    bool
}

// completionOf returns what the end of a command says, if anything. streamed is whether streams other than 0 had work when
// it was sent. Work of other streams is only known to have ended by a Sync.
func completionOf(c *wire.Command, streamed bool) (done completion, ok bool) {
	switch c.Op {
	case wire.OpSync, wire.OpStreamSync, wire.OpRead, wire.OpUpload, wire.OpDownload:
	default:
		return completion{}, false
	}
	done = completion{c.Seq, c.Stream, c.Op == wire.OpSync || c.Stream == 0 && !streamed}
	return done, done.all || c.Op == wire.OpStreamSync
}

// covers reports whether all work that memory was given has ended.
func (d completion) covers(u *usage) bool {
	return u.last <= d.seq && (d.all || u.stream == d.stream && !u.several)
}

// complete notes that commands have ended. synced says that the completion is that of a Sync.
func (g *progress) complete(d completion, synced bool) {
	if !d.all {
		g.arrived[d.stream] = max(g.arrived[d.stream], d.seq)
		return
	}
	clear(g.arrived)
	g.settled.Store(max(g.settled.Load(), d.seq))
	if synced && g.work.Load() <= d.seq {
		g.streamed = false
	}
}

// reset notes that nothing of what was sent is under way any more.
func (g *progress) reset() {
	g.settled.Store(g.seq)
	g.streamed = false
	clear(g.arrived)
}

// usage is what a piece of memory was given to do. The connection's lock guards it.
type usage struct {
	last    uint64 // the last command that works on it
	stream  uint32 // that has work on it beside the default stream's; 0 if none has
	several bool   // more than one has
}

// add notes a command of a stream.
func (u *usage) add(seq uint64, stream uint32, g *progress) {
	if u.last <= g.settled.Load() {
		u.stream, u.several = 0, false
	}
	if stream != 0 {
		u.several = u.several || u.stream != 0 && u.stream != stream
		u.stream = stream
	}
	u.last = seq
}
