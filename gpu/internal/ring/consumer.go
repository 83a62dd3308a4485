package ring

import "encoding/binary"

// A Consumer reads records. It is for one goroutine, best one locked to its OS thread.
type Consumer struct {
	seg  *Segment
	head uint64 // the producer's position as last seen
	tail uint64 // bytes released
	next uint64 // where tail will be after Release
	spin spinner
}

// NewConsumer returns the segment's only consumer.
func NewConsumer(s *Segment) *Consumer { return &Consumer{seg: s} }

// Next waits for a record and returns its payload, which stays valid until Release.
func (c *Consumer) Next() ([]byte, error) {
	for {
		if c.head == c.tail {
			// Looking at the producer's word only when all is done that was seen there keeps it
			// in the producer's cache meanwhile.
			if err := c.wait(); err != nil {
				return nil, err
			}
		}
		at := c.tail & (ringSize - 1)
		size := binary.NativeEndian.Uint32(c.seg.data[at:])
		n := binary.NativeEndian.Uint32(c.seg.data[at+4:])
		if size == 0 || size%recordAlign != 0 || uint64(size) > c.head-c.tail || at+uint64(size) > ringSize {
			return nil, ErrCorrupt
		}
		c.next = c.tail + uint64(size)
		if n == padding {
			c.Release()
			continue
		}
		if n > size-recordHead {
			return nil, ErrCorrupt
		}
		return c.seg.data[at+recordHead : at+recordHead+uint64(n)], nil
	}
}

// Idle says whether no record is there now, apart from the one that Next gave.
func (c *Consumer) Idle() bool { return c.seg.head.head.Load() == c.next }

// Release gives the space of the record from Next back to the producer.
func (c *Consumer) Release() {
	h := c.seg.head
	c.tail = c.next
	h.tail.Swap(c.tail) // not Store: see the package comment
	if h.producerParked.Load() == 1 && c.tail >= h.wantTail.Load() && h.producerParked.CompareAndSwap(1, 0) {
		wakeAll(&h.producerParked)
	}
}

// wait waits until the producer's position is past ours.
func (c *Consumer) wait() error {
	h := c.seg.head
	some := func() bool {
		c.head = h.head.Load()
		return c.head != c.tail || h.hungUp.Load() != 0
	}
	for !c.spin.until(some) {
		h.consumerParked.Swap(1)
		if some() {
			h.consumerParked.Store(0)
			break
		}
		sleepOn(&h.consumerParked, 1)
	}
	if c.head == c.tail {
		return ErrHungUp
	}
	return nil
}
