package client

import (
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// progress is the state of the commands sent to a device: their numbers, and which of them have completed. The connection's lock guards
// it, except the atomics, which are also read without it.
type progress struct {
	seq      uint64            // the last command
	work     atomic.Uint64     // the last command that changes something on the device
	settled  atomic.Uint64     // every command up to this one has completed
	submits  atomic.Uint64     // how many commands were work or read something
	streamed bool              // streams other than 0 were given work since the last Sync
	arrived  map[uint32]uint64 // by stream: the last completed command, if later than settled
}

// number sets the number of the next command.
func (g *progress) number(c *wire.Command, slot uint16) {
	g.seq++
	c.Seq, c.Slot = g.seq, slot
}

// given records that a command was sent that changes something on the device.
func (g *progress) given(c *wire.Command) {
	g.work.Store(c.Seq)
	g.submits.Add(1)
	if c.Stream != 0 {
		g.streamed = true
	}
}

// pending reports whether work was sent whose completion is not known.
func (g *progress) pending() bool { return g.work.Load() > g.settled.Load() }

// ended reports whether a stream's command is known to have completed.
func (g *progress) ended(seq uint64, stream uint32) bool {
	return seq <= max(g.settled.Load(), g.arrived[stream])
}

// A completion is what the end of one command implies for others: those up to it have completed, of one stream or of all.
type completion struct {
	seq    uint64
	stream uint32
	all    bool
}

// completionOf returns what the end of a command implies, if anything. streamed is whether streams other than 0 had work when it was
// sent. Work of other streams is only known to have completed after a Sync.
func completionOf(c *wire.Command, streamed bool) (done completion, ok bool) {
	switch c.Op {
	case wire.OpSync, wire.OpStreamSync, wire.OpRead, wire.OpUpload, wire.OpDownload:
	default:
		return completion{}, false
	}
	done = completion{c.Seq, c.Stream, c.Op == wire.OpSync || c.Stream == 0 && !streamed}
	return done, done.all || c.Op == wire.OpStreamSync
}

// covers reports whether all work on the memory has completed.
func (d completion) covers(u *usage) bool {
	return u.last <= d.seq && (d.all || u.stream == d.stream && !u.several)
}

// complete records that commands have completed. synced reports whether the completion is that of a Sync.
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

// reset records that all commands that were sent have ended.
func (g *progress) reset() {
	g.settled.Store(g.seq)
	g.streamed = false
	clear(g.arrived)
}

// usage records the work on a piece of memory. The connection's lock guards it.
type usage struct {
	last    uint64 // the last command that works on it
	stream  uint32 // that has work on it, other than the default stream; 0 if there is none
	several bool   // whether several such streams have
}

// add records a command of a stream.
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
