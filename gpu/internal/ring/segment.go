package ring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

const (
	magic    = 0x67775247 // "GRwg"
	version  = 2
	ringSize = 1 << 20 // bytes, a power of two

	// Slots is the number of results that can be awaited at the same time.
	Slots = 32
	// SlotBytes is the room for data in one slot.
	SlotBytes = 4096
	// LastWordsBytes is the room for SetLastWords.
	LastWordsBytes = 4096 - 8
	// MaxRecord is the longest payload of one record, in bytes.
	MaxRecord = ringSize / 8
)

var (
	// ErrHungUp says that the other side is gone, or that this side called HangUp.
	ErrHungUp = errors.New("the other side of the command ring is gone")
	// ErrTooLong says that a record is longer than MaxRecord.
	ErrTooLong = errors.New("record is too long for the command ring")
	// ErrCorrupt says that the shared memory does not hold what the protocol allows.
	ErrCorrupt = errors.New("the command ring holds garbage")
)

// header is the start of a segment. Words that different sides write stand on cache lines
// of their own.
type header struct {
	magic   uint32
	version uint32
	hungUp  atomic.Uint32
	_       [52]byte

	tail atomic.Uint64 // bytes ever consumed, as far as the producer has been told
	_    [56]byte

	serving atomic.Uint64 // what the consumer said it is doing
	_       [56]byte

	// Both sides look at these for each record, so they are away from what changes as often.
	producerParked atomic.Uint32 // 1 while the producer sleeps for room
	consumerParked atomic.Uint32 // 1 while the consumer sleeps for records
	wantTail       atomic.Uint64 // the tail at which a sleeping producer is to be woken
	_              [48]byte

	lastWords struct {
		n    uint64
		data [LastWordsBytes]byte
	}

	slots [Slots]Slot

	trails [Trails]Trail

	// The ring begins on a page of its own: see Shared.
	_ [(pageSize - (4*64+8+LastWordsBytes+Slots*unsafe.Sizeof(Slot{})+Trails*unsafe.Sizeof(Trail{}))%pageSize) % pageSize]byte
}

const pageSize = 4096

const segmentSize = int(unsafe.Sizeof(header{})) + ringSize

// A Segment is the shared memory of one session and one device process.
type Segment struct {
	mem  []byte
	head *header
	data []byte // the ring, ringSize bytes
}

// Create makes a new segment and maps it. The descriptor is for the other side's Open and
// belongs to the caller.
func Create() (seg *Segment, fd int, err error) {
	fd, err = CreateMemory("gopherwarp-ring", segmentSize)
	if err != nil {
		return nil, -1, err
	}
	mem, err := MapMemory(fd)
	if err != nil {
		return nil, -1, err
	}
	return format(mem), fd, nil
}

// Open maps the segment behind a descriptor that came from Create.
func Open(fd int) (*Segment, error) {
	mem, err := MapMemory(fd)
	if err != nil {
		return nil, err
	}
	if len(mem) != segmentSize {
		return nil, fmt.Errorf("command ring of %d bytes, want %d: %w", len(mem), segmentSize, ErrCorrupt)
	}
	s := overlay(mem)
	if s.head.magic != magic || s.head.version != version {
		return nil, fmt.Errorf("command ring of version %d, want %d: %w", s.head.version, version, ErrCorrupt)
	}
	return s, nil
}

// format makes zeroed memory of segmentSize bytes a segment.
func format(mem []byte) *Segment {
	s := overlay(mem)
	s.head.magic, s.head.version = magic, version
	return s
}

func overlay(mem []byte) *Segment {
	n := unsafe.Sizeof(header{})
	return &Segment{mem: mem, head: (*header)(unsafe.Pointer(&mem[0])), data: mem[n : n+ringSize]}
}

// Shared is the part of the segment with the slots, in whole pages. A device may be told of it,
// to write into slots by itself; the rest must stay ordinary memory.
func (s *Segment) Shared() []byte { return s.mem[:unsafe.Sizeof(header{})] }

// Unmap unmaps the memory. Nothing of the segment may be used afterwards, by anyone
// in this process.
func (s *Segment) Unmap() error { return UnmapMemory(s.mem) }

// HangUp makes every present and future wait on the segment, in both processes, return
// ErrHungUp. It is called when the other side is known to be dead, and may be called twice.
func (s *Segment) HangUp() {
	h := s.head
	h.hungUp.Swap(1)
	for _, w := range []*atomic.Uint32{&h.producerParked, &h.consumerParked} {
		w.Store(0)
		wakeAll(w)
	}
	for i := range h.slots {
		h.slots[i].Wake()
	}
}

// HungUp reports whether HangUp was called on either side.
func (s *Segment) HungUp() bool { return s.head.hungUp.Load() != 0 }

// SetServing says what the consumer is about to do, by a number of its own choice, for the
// producer to see if that is its end.
func (s *Segment) SetServing(n uint64) { s.head.serving.Store(n) }

// Serving returns what SetServing said last.
func (s *Segment) Serving() uint64 { return s.head.serving.Load() }

// SetLastWords leaves a message, cut to LastWordsBytes, for the other side to find when
// this process is gone.
func (s *Segment) SetLastWords(msg []byte) {
	w := &s.head.lastWords
	w.n = uint64(copy(w.data[:], msg))
}

// LastWords returns what the other side left, or nil. It may be called when the other
// process has ended, or has hung up.
func (s *Segment) LastWords() []byte {
	w := &s.head.lastWords
	if w.n == 0 || w.n > LastWordsBytes {
		return nil
	}
	return append([]byte(nil), w.data[:w.n]...)
}
