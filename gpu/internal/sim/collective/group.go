package collective

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// MaxMembers is the maximum number of devices of a group.
const MaxMembers = 64

// header is the start of the shared memory. Zero is its initial state.
type header struct {
	arrived    atomic.Uint32 // members at the barrier
	generation atomic.Uint32 // how often all members have arrived
	_          [56]byte
	// mail is 1, by sender and receiver, if the sender's slot has data for the receiver.
	mail [MaxMembers][MaxMembers]atomic.Uint32
}

const headerBytes = int(unsafe.Sizeof(header{}))

// A Group is one member's view of the group.
type Group struct {
	rank, size int
	head       *header
	slots      [][]byte // buffers for data, one per member
}

// New returns a member's view of a group whose shared memory is zero or in use by other members.
func New(shared []byte, rank, size int) (*Group, error) {
	if size < 1 || size > MaxMembers || rank < 0 || rank >= size {
		return nil, fmt.Errorf("member %d of a group of %d: there are at most %d", rank, size, MaxMembers)
	}
	each := (len(shared) - headerBytes) / size &^ 63
	if each < 64 {
		return nil, fmt.Errorf("%d bytes of shared memory are too few for %d members", len(shared), size)
	}
	g := &Group{rank: rank, size: size, head: (*header)(unsafe.Pointer(&shared[0]))}
	for i := range size {
		g.slots = append(g.slots, shared[headerBytes+i*each:][:each:each])
	}
	return g, nil
}

// Join waits for the other members.
func (g *Group) Join() { g.barrier() }

// barrier waits until all members have called it.
func (g *Group) barrier() {
	now := g.head.generation.Load()
	if g.head.arrived.Add(1) == uint32(g.size) {
		g.head.arrived.Store(0)
		g.head.generation.Add(1)
		wake(&g.head.generation)
		return
	}
	await(&g.head.generation, func(v uint32) bool { return v != now })
}

// await waits until f accepts the value of a word. The member that changes it wakes the others.
func await(word *atomic.Uint32, f func(uint32) bool) {
	for range 100 {
		if f(word.Load()) {
			return
		}
		runtime.Gosched()
	}
	for {
		v := word.Load()
		if f(v) {
			return
		}
		// The time limit is for lost wake-ups.
		limit := unix.NsecToTimespec(int64(100 * time.Millisecond))
		const futexWait = 0
		_, _, _ = syscall.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(v), uintptr(unsafe.Pointer(&limit)), 0, 0)
	}
}

func wake(word *atomic.Uint32) {
	const futexWake = 1
	_, _, _ = syscall.Syscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, MaxMembers)
}

// Needs returns the lengths in bytes of this member's Src and Dst.
func (g *Group) Needs(c *routine.Collective) (src, dst uint64) {
	n := uint64(c.N) * uint64(c.Type.Size())
	all := n * uint64(g.size)
	root := c.Root == g.rank
	switch {
	case c.Kind == routine.AllGather:
		return n, all
	case c.Kind == routine.ReduceScatter:
		return all, n
	case c.Kind == routine.Send, c.Kind == routine.Reduce && !root:
		return n, 0
	case c.Kind == routine.Receive, c.Kind == routine.Broadcast && !root:
		return 0, n
	}
	return n, n
}

// Collect executes this member's part of a collective. The lengths of dst and src are those that Needs returns.
func (g *Group) Collect(c *routine.Collective, dst, src []byte) error {
	size := c.Type.Size()
	combine := routine.ReducerOf(c.Type)
	if size == 0 || combine == nil || c.Root < 0 || c.Root >= g.size {
		return fmt.Errorf("a collective of %v with member %d of %d", c.Type, c.Root, g.size)
	}
	bytes := c.N * size
	switch c.Kind {
	case routine.AllReduce, routine.Reduce:
		g.pieces(bytes, func(from, end int) {
			g.put(src[from:end])
			if c.Kind == routine.AllReduce || g.rank == c.Root {
				combine(dst[from:end], g.slots, c.Reduce)
			}
		})
	case routine.Broadcast:
		g.pieces(bytes, func(from, end int) {
			if g.rank == c.Root {
				g.put(src[from:end])
			} else {
				g.barrier()
			}
			copy(dst[from:end], g.slots[c.Root])
		})
	case routine.AllGather:
		g.pieces(bytes, func(from, end int) {
			g.put(src[from:end])
			for i, slot := range g.slots {
				copy(dst[i*bytes+from:i*bytes+end], slot)
			}
		})
	case routine.ReduceScatter:
		for i := range g.size {
			g.pieces(bytes, func(from, end int) {
				g.put(src[i*bytes+from : i*bytes+end])
				if i == g.rank {
					combine(dst[from:end], g.slots, c.Reduce)
				}
			})
		}
	case routine.Send:
		word := &g.head.mail[g.rank][c.Root]
		g.each(bytes, func(from, end int) {
			copy(g.slots[g.rank], src[from:end])
			word.Store(1)
			wake(word)
			await(word, func(v uint32) bool { return v == 0 })
		})
	case routine.Receive:
		word := &g.head.mail[c.Root][g.rank]
		g.each(bytes, func(from, end int) {
			await(word, func(v uint32) bool { return v == 1 })
			copy(dst[from:end], g.slots[c.Root])
			word.Store(0)
			wake(word)
		})
	default:
		return fmt.Errorf("there is no collective of kind %d", uint32(c.Kind))
	}
	return nil
}

// each calls f for pieces that fit into a slot.
func (g *Group) each(bytes int, f func(from, end int)) {
	step := len(g.slots[0])
	for from := 0; from < bytes; from += step {
		f(from, min(from+step, bytes))
	}
}

// pieces is like each but waits for all members after each piece, so that slots can be reused.
func (g *Group) pieces(bytes int, f func(from, end int)) {
	g.each(bytes, func(from, end int) {
		f(from, end)
		g.barrier()
	})
}

// put fills this member's slot and waits until all slots are filled.
func (g *Group) put(piece []byte) {
	copy(g.slots[g.rank], piece)
	g.barrier()
}
