package ring

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"
)

// A record is an 8-byte head (the record's whole length, then the payload's) and the
// payload, rounded up to recordAlign, which is a cache line. Records never wrap around the end of the ring: a
// record without payload, marked padding, fills the rest. Behind the last record stands a
// head of 0, which the consumer looks at: the cache line that tells it of a record brings the
// record's beginning along.
const (
	recordHead  = 8
	recordAlign = 64
	padding     = ^uint32(0)
)

// A Producer writes records. It is for one goroutine at a time.
type Producer struct {
	seg  *Segment
	head uint64 // bytes written, reserved ones not counted
	tail uint64 // the consumer's position as last seen
	spin spinner
	// The reserved record: the padding before it, its length and that of its payload.
	pad, size uint64
	payload   uint32
}

// NewProducer returns the segment's only producer.
func NewProducer(s *Segment) *Producer { return &Producer{seg: s} }

// Reserve returns n bytes of the ring to write a record's payload into, aligned to 8
// bytes, and waits while the ring is full. The bytes hold garbage. The record is sent by
// Commit; a second Reserve without Commit takes the first one's place.
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
	if err := p.room(pad + size + recordAlign); err != nil { // with the head behind it
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
	// The consumer sets its mark before it looks for a record a last time, so either it sees
	// this one or we see the mark.
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
		// Sleep until a good part is free, or every record would cost a wake-up.
		h.wantTail.Store(p.head + size - ringSize*3/4)
		h.producerParked.Swap(1)
		if free() {
			h.producerParked.Store(0)
			break
		}
		sleepOn(&h.producerParked, 1)
	}
	if h.hungUp.Load() != 0 {
		return ErrHungUp
	}
	return nil
}

// recordAt is the head of the record at a position of the stream.
func (s *Segment) recordAt(position uint64) *uint64 {
	return (*uint64)(unsafe.Pointer(&s.data[position&(ringSize-1)]))
}

// joinHead and splitHead know how a record's head is laid out in memory.
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
