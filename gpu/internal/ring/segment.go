package ring

import (
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

const (
	magic    = 0x67775247 // "GRwg"
	version  = 4
	ringSize = 1 << 20 // bytes, a power of two

	// Slots is the maximum number of results that can be awaited at the same time.
	Slots = 32
	// SlotBytes is the size of a slot's data, in bytes.
	SlotBytes = 4096
	// LastWordsBytes is the maximum size of the message of SetLastWords, in bytes.
	LastWordsBytes = 4096 - 8
	// MaxRecord is the maximum size of a record's payload, in bytes.
	MaxRecord = ringSize / 8
)

var (
	// ErrHungUp is the error after HangUp was called on either side.
	ErrHungUp = errors.New("the command ring was closed")
	// ErrTooLong is the error of a record that is longer than MaxRecord.
	ErrTooLong = errors.New("record is too long for the command ring")
	// ErrCorrupt is the error of shared memory with invalid contents.
	ErrCorrupt = errors.New("the command ring is corrupt")
)

// header is the start of a segment. Words that are written by different sides are on different cache lines.
type header struct {
	magic   uint32
	version uint32
	hungUp  atomic.Uint32
	_       [52]byte

	tail atomic.Uint64 // bytes consumed, as published to the producer
	_    [56]byte

	serving atomic.Uint64 // see SetServing
	_       [56]byte

	// Both sides read these for each record, so they are on another cache line than those that change with each record.
	producerParked atomic.Uint32 // 1 while the producer sleeps until there is space
	consumerParked atomic.Uint32 // 1 while the consumer sleeps for records
	wantTail       atomic.Uint64 // the tail at which a sleeping producer must be woken
	// Where the two sides were when they last waited.
	producerOn, consumerOn processor
	sleepers               atomic.Int32 // threads of the producer's side that sleep
	_                      [36]byte

	lastWords struct {
		n    uint64
		data [LastWordsBytes]byte
	}

	slots [Slots]Slot

	trails [Trails]Trail

	// The ring begins on a page boundary: see Shared.
	_ [(pageSize - (4*64+8+LastWordsBytes+Slots*unsafe.Sizeof(Slot{})+Trails*unsafe.Sizeof(Trail{}))%pageSize) % pageSize]byte
}

const pageSize = 4096

const segmentSize = int(unsafe.Sizeof(header{})) + ringSize

// A Segment is the shared memory of one session and one device process.
type Segment struct {
	mem  []byte
	head *header
	data []byte // the ring of ringSize bytes

	patience patience
}

// Create creates a new segment and maps it. The descriptor is for the other side's Open; the caller closes it.
func Create() (seg *Segment, fd int, err error) {
	fd, err = memfd.Create("gopherwarp-ring", segmentSize)
	if err != nil {
		return nil, -1, err
	}
	mem, err := MapMemory(fd)
	if err != nil {
		return nil, -1, err
	}
	return format(mem), fd, nil
}

// Open maps the segment of a descriptor from Create.
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

// format initializes a segment in zeroed memory of segmentSize bytes.
func format(mem []byte) *Segment {
	s := overlay(mem)
	s.head.magic, s.head.version = magic, version
	return s
}

func overlay(mem []byte) *Segment {
	n := unsafe.Sizeof(header{})
	return &Segment{mem: mem, head: (*header)(unsafe.Pointer(&mem[0])), data: mem[n : n+ringSize]}
}

// Shared returns the part of the segment with the slots, in whole pages. It may be registered with a device, so that the device
// can write to slots; the rest must remain ordinary memory.
func (s *Segment) Shared() []byte { return s.mem[:unsafe.Sizeof(header{})] }

// Unmap unmaps the memory. The segment must not be used afterwards in this process.
func (s *Segment) Unmap() error { return UnmapMemory(s.mem) }

// HangUp makes all present and future waits on the segment, in both processes, return ErrHungUp. It is called when the other
// process has exited, and may be called twice.
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

// sleepOn is the function of that name for the producer's side.
func (s *Segment) sleepOn(word *atomic.Uint32, val uint32) {
	s.head.sleepers.Add(1)
	sleepOn(word, val)
	s.head.sleepers.Add(-1)
}

// Awaited reports whether a thread of the producer's side sleeps until the consumer has done something.
func (s *Segment) Awaited() bool { return s.head.sleepers.Load() > 0 }

// SetServing sets the number, chosen by the consumer, of the work that it is about to do. The producer reads it if the consumer's
// process exits.
func (s *Segment) SetServing(n uint64) { s.head.serving.Store(n) }

// Serving returns the number of the last SetServing.
func (s *Segment) Serving() uint64 { return s.head.serving.Load() }

// SetLastWords stores a message, cut to LastWordsBytes, which the other side can read after this process has exited.
func (s *Segment) SetLastWords(msg []byte) {
	w := &s.head.lastWords
	w.n = uint64(copy(w.data[:], msg))
}

// LastWords returns the message of the other side, or nil. It may be called when the other process has exited or called HangUp.
func (s *Segment) LastWords() []byte {
	w := &s.head.lastWords
	if w.n == 0 || w.n > LastWordsBytes {
		return nil
	}
	return append([]byte(nil), w.data[:w.n]...)
}
