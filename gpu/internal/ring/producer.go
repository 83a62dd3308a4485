package ring

import "encoding/binary"

// A record is an 8-byte head (the record's whole length, then the payload's) and the
// payload, rounded up to recordAlign. Records never wrap around the end of the ring: a
// record without payload, marked padding, fills the rest.
const (
	recordHead  = 8
	recordAlign = 16
	padding     = ^uint32(0)
)

// A Producer writes records. It is for one goroutine at a time.
type Producer struct {
	seg      *Segment
	head     uint64 // bytes written, reserved ones not counted
	reserved uint64 // where head will be after Commit
	tail     uint64 // the consumer's position as last seen
	spin     spinner
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
	if err := p.room(pad + size); err != nil {
		return nil, err
	}
	if pad > 0 {
		putHead(p.seg.data[at:], uint32(pad), padding)
		at = 0
	}
	putHead(p.seg.data[at:], uint32(size), uint32(n))
	p.reserved = p.head + pad + size
	return p.seg.data[at+recordHead : at+recordHead+uint64(n)], nil
}

// Commit sends the reserved record.
func (p *Producer) Commit() {
	h := p.seg.head
	p.head = p.reserved
	h.head.Swap(p.head) // not Store: see the package comment
	// The consumer sets its mark before it looks at head a last time, so either it sees
	// this record or we see the mark.
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

func putHead(b []byte, size, payload uint32) {
	binary.NativeEndian.PutUint32(b, size)
	binary.NativeEndian.PutUint32(b[4:], payload)
}
