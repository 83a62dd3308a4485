package ring

import "sync/atomic"

// A Consumer reads records. It is for one goroutine, preferably one locked to its OS thread.
type Consumer struct {
	seg       *Segment
	tail      uint64 // bytes released
	published uint64 // bytes whose release was published to the producer
	next      uint64 // tail after Release
	late      bool   // Next had to wait for its record
	spin      spinner
}

// publishEvery is the number of released bytes after which they are published, unless the ring is empty. Publishing takes part of
// the time of a record.
const publishEvery = ringSize / 8

// NewConsumer returns the segment's only consumer.
func NewConsumer(s *Segment) *Consumer {
	return &Consumer{seg: s, spin: spinner{mine: &s.head.consumerOn, other: &s.head.producerOn}}
}

// Next waits for a record and returns its payload, which stays valid until Release.
func (c *Consumer) Next() ([]byte, error) {
	for {
		head := atomic.LoadUint64(c.seg.recordAt(c.tail))
		if c.late = head == 0; c.late {
			var err error
			if head, err = c.wait(); err != nil {
				return nil, err
			}
		}
		size, n := splitHead(head)
		at := c.tail & (ringSize - 1)
		if size == 0 || size%recordAlign != 0 || at+size > ringSize {
			return nil, ErrCorrupt
		}
		c.next = c.tail + size
		if n == padding {
			c.Release()
			continue
		}
		if uint64(n) > size-recordHead {
			return nil, ErrCorrupt
		}
		return c.seg.data[at+recordHead : at+recordHead+uint64(n)], nil
	}
}

// Late reports whether Next had to wait for its record.
func (c *Consumer) Late() bool { return c.late }

// Idle reports whether the ring is empty after the record from Next.
func (c *Consumer) Idle() bool { return atomic.LoadUint64(c.seg.recordAt(c.next)) == 0 }

// Release returns the space of the record from Next to the producer.
func (c *Consumer) Release() {
	c.tail = c.next
	if c.tail-c.published >= publishEvery {
		c.publish()
	}
}

// publish makes the released space available to the producer.
func (c *Consumer) publish() {
	h := c.seg.head
	c.published = c.tail
	h.tail.Swap(c.tail) // not Store: see the package comment
	if h.producerParked.Load() == 1 && c.tail >= h.wantTail.Load() && h.producerParked.CompareAndSwap(1, 0) {
		wakeAll(&h.producerParked)
	}
}

// wait waits for a record and returns its head.
func (c *Consumer) wait() (uint64, error) {
	if c.published != c.tail {
		c.publish()
	}
	h := c.seg.head
	at := c.seg.recordAt(c.tail)
	var head uint64
	some := func() bool {
		head = atomic.LoadUint64(at)
		return head != 0 || h.hungUp.Load() != 0
	}
	for !c.spin.until(some) {
		h.consumerParked.Swap(1)
		if some() {
			h.consumerParked.Store(0)
			break
		}
		sleepOn(&h.consumerParked, 1)
	}
	if head == 0 {
		return 0, ErrHungUp
	}
	return head, nil
}
