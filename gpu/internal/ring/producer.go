package ring

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// A record consists of an 8-byte head (the lengths of the record and of its payload) and the payload, rounded up to recordAlign,
// the size of a cache line. Records never wrap around the end of the ring: a record without payload, marked padding, fills the
// rest. After the last record there is a head of 0, which the consumer polls: so the cache line with the head also has the
// beginning of the record.
const (
	recordHead  = 8
	recordAlign = 64
	padding     = ^uint32(0)
)

// A Producer writes records. It is for one goroutine at a time.
type Producer struct {
	seg  *Segment
	head uint64 // bytes written, without the reserved ones
	tail uint64 // the consumer's position when last read
	spin spinner
	// The reserved record: the padding before it, its length, and its payload's length.
	pad, size uint64
	payload   uint32
}

// NewProducer returns the segment's only producer.
func NewProducer(s *Segment) *Producer {
	return &Producer{seg: s, spin: spinner{mine: &s.head.producerOn, other: &s.head.consumerOn}}
}

// Reserve returns n bytes of the ring for a record's payload, aligned to 8 bytes. It waits while the ring is full. The bytes are
// not initialized. Commit sends the record; a second Reserve without Commit replaces the first one.
func (p *Producer) Reserve(n int) ([]byte, error) {
	if n < 0 || n > MaxRecord {
		return nil, ErrTooLong
	}
	size := uint64(n+recordHead+recordAlign-1) &^ (recordAlign - 1)
	at := p.head & (ringSize - 1)
	var pad uint64
	if at+size > ringSize {
		pad = ringSize - at
	}
	if err := p.room(pad + size + recordAlign); err != nil { // with the head after it
		return nil, err
	}
	p.pad, p.size, p.payload = pad, size, uint32(n)
	at = (p.head + pad) & (ringSize - 1)
	return p.seg.data[at+recordHead : at+recordHead+uint64(n)], nil
}

// Commit sends the reserved record.
func (p *Producer) Commit() {
	first, record := p.head, p.head+p.pad
	p.head = record + p.size
	*p.seg.recordAt(p.head) = 0
	head := joinHead(p.size, p.payload)
	if p.pad > 0 {
		*p.seg.recordAt(record) = head
		head = joinHead(p.pad, padding)
	}
	atomic.SwapUint64(p.seg.recordAt(first), head) // not Store: see the package comment
	// The consumer sets its flag before it checks for a record a last time, so either it sees this record or the flag is seen
	// here.
	h := p.seg.head
	if h.consumerParked.Load() == 1 && h.consumerParked.CompareAndSwap(1, 0) {
		wakeAll(&h.consumerParked)
	}
}

// room waits until size bytes are free.
func (p *Producer) room(size uint64) error {
	h := p.seg.head
	if h.hungUp.Load() != 0 {
		return ErrHungUp
	}
	free := func() bool {
		p.tail = h.tail.Load()
		return p.head+size-p.tail <= ringSize || h.hungUp.Load() != 0
	}
	if p.head+size-p.tail <= ringSize {
		return nil
	}
	for !p.spin.until(free) {
		// Sleep until a quarter of the ring is free, or each record would need a wake-up.
		h.wantTail.Store(p.head + size - ringSize*3/4)
		h.producerParked.Swap(1)
		if free() {
			h.producerParked.Store(0)
			break
		}
		p.seg.sleepOn(&h.producerParked, 1)
	}
	if h.hungUp.Load() != 0 {
		return ErrHungUp
	}
	return nil
}

// recordAt returns the head of the record at a position in the stream.
func (s *Segment) recordAt(position uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&s.data[position&(ringSize-1)]))
}

// joinHead and splitHead encode and decode a record's head.
func joinHead(size uint64, payload uint32) uint64 {
	var b [recordHead]byte
	binary.NativeEndian.PutUint32(b[:], uint32(size))
	binary.NativeEndian.PutUint32(b[4:], payload)
	return binary.NativeEndian.Uint64(b[:])
}

func splitHead(head uint64) (size uint64, payload uint32) {
	var b [recordHead]byte
	binary.NativeEndian.PutUint64(b[:], head)
	return uint64(binary.NativeEndian.Uint32(b[:])), binary.NativeEndian.Uint32(b[4:])
}
