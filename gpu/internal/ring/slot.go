package ring

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// The low bits of a slot's word are its state; those of DoneWord mean that the result is complete.
const (
	slotIdle = iota
	slotAwaited

	// DoneWord is the word of a slot with a result of status 0 and no data. A device may write it, instead of a call of Finish.
	DoneWord

	slotUse     = 1<<8 - 1
	slotDetails = 1 << 8 // value, n or Data are set
	statusShift = 16     // the status is in the bits above
)

// A Slot receives one result. The session arms it, sends its number in a record, and waits; the device process finishes it. Slots
// begin on separate cache lines. The waiting side polls the word, and so takes the cache line from the writing side: a result in
// the word alone takes half as long as one that needs the line twice.
type Slot struct {
	word   atomic.Uint32
	n      uint32
	value  int64
	parked atomic.Uint32 // 1 while a goroutine may sleep until the word changes
	data   [SlotBytes]byte
	_      [64 - 20]byte
}

// Slot returns slot i; i must be less than Slots.
func (s *Segment) Slot(i int) *Slot { return &s.head.slots[i] }

// Arm prepares the slot for a result. It must be called before the record with its number is sent.
func (t *Slot) Arm() { t.word.Store(slotAwaited) }

// Word returns the address to which a device writes DoneWord. Then Wake must be called, instead of Finish.
func (t *Slot) Word() *uint32 { return (*uint32)(unsafe.Pointer(&t.word)) }

// DoneWithin waits for a result that a device writes, without sleeping, and reports whether it came within that time.
func (t *Slot) DoneWithin(limit time.Duration) bool {
	spin := spinner{budget: limit}
	return spin.until(t.Done)
}

// Done reports whether the slot has a result.
func (t *Slot) Done() bool { return t.word.Load()&slotUse == DoneWord }

// Data returns the slot's data, which the device process writes before it calls Finish.
func (t *Slot) Data() []byte { return t.data[:] }

// Finish stores a result: a status and a value, whose meaning the caller defines, and the first n bytes of Data. The status must
// be less than 65536.
func (t *Slot) Finish(status uint32, value int64, n int) {
	word := DoneWord | status<<statusShift
	if value != 0 || n != 0 {
		t.value, t.n = value, uint32(n)
		word |= slotDetails
	}
	t.word.Swap(word)
	t.Wake()
}

// Wake wakes the goroutine that waits for the slot, if it sleeps.
func (t *Slot) Wake() {
	// A waiting goroutine sets its flag before it checks the word a last time, when it starts to sleep. So either it sees the
	// word, or the flag is seen here.
	if t.parked.Load() == 1 {
		wakeAll(&t.word)
	}
}

// Wait waits for Finish, or for a device's DoneWord. The data stay valid until the slot is armed again.
func (s *Segment) Wait(i int) (status uint32, value int64, data []byte, err error) {
	t := s.Slot(i)
	done := func() bool { return t.Done() || s.HungUp() }
	spin, start := spinner{budget: s.patience.budget(), mine: &s.head.producerOn, other: &s.head.consumerOn}, time.Now()
	for !spin.until(done) {
		t.parked.Swap(1)
		// HangUp sets its flag before it wakes, so either its flag is seen here or it sees this one.
		if !s.HungUp() {
			s.sleepOn(&t.word, slotAwaited)
		}
		t.parked.Store(0)
	}
	s.patience.waited(time.Since(start))
	word := t.word.Load()
	if word&slotUse != DoneWord {
		return 0, 0, nil, ErrHungUp
	}
	if word&slotDetails != 0 {
		value, data = t.value, t.data[:min(int(t.n), SlotBytes)]
	}
	return word >> statusShift, value, data, nil
}
