package ring

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// The low bits of a slot's word say what it is used for, those of DoneWord how it ended.
const (
	slotIdle = iota
	slotAwaited

	// DoneWord is the word of a slot whose result is there, with status 0 and nothing else. A device may
	// write it, instead of Finish.
	DoneWord

	slotUse     = 1<<8 - 1
	slotDetails = 1 << 8 // value, n or Data say something
	statusShift = 16     // the status stands above
)

// A Slot is where one result comes back. The session arms it, names it in a record, and
// waits; the device process finishes it. Slots begin on cache lines of their own. Who waits looks at
// the word all the time, and so takes the line from who writes: a result that fits into the
// word takes half the time of one that needs the line twice.
type Slot struct {
	word   atomic.Uint32
	n      uint32
	value  int64
	parked atomic.Uint32 // 1 while somebody may sleep until the word changes
	data   [SlotBytes]byte
	_      [64 - 20]byte
}

// Slot returns slot i, below Slots.
func (s *Segment) Slot(i int) *Slot { return &s.head.slots[i] }

// Arm makes the slot ready for a result. It must come before the record that names it.
func (t *Slot) Arm() { t.word.Store(slotAwaited) }

// Word is where a device is to write DoneWord. Finish must not be called then, but Wake must.
func (t *Slot) Word() *uint32 { return (*uint32)(unsafe.Pointer(&t.word)) }

// DoneWithin waits for the result that a device writes, without sleeping, and reports whether it came
// within that time.
func (t *Slot) DoneWithin(limit time.Duration) bool {
	spin := spinner{budget: limit}
	return spin.until(t.Done)
}

// Done reports whether the result is there.
func (t *Slot) Done() bool { return t.word.Load()&slotUse == DoneWord }

// Data is the slot's room for bytes, for Finish's side to fill.
func (t *Slot) Data() []byte { return t.data[:] }

// Finish hands over a result: a status and a value that are the caller's own, and the
// first n bytes of Data. The status is below 65536.
func (t *Slot) Finish(status uint32, value int64, n int) {
	word := DoneWord | status<<statusShift
	if value != 0 || n != 0 {
		t.value, t.n = value, uint32(n)
		word |= slotDetails
	}
	t.word.Swap(word)
	t.Wake()
}

// Wake makes who sleeps look around.
func (t *Slot) Wake() {
	// The sleeper sets its mark before it looks at the word a last time, as it falls asleep. So either
	// it sees the word, or we see the mark.
	if t.parked.Load() == 1 {
		wakeAll(&t.word)
	}
}

// Wait waits for Finish, or a device's DoneWord. The data stays valid until the slot is armed again.
func (s *Segment) Wait(i int) (status uint32, value int64, data []byte, err error) {
	t := s.Slot(i)
	done := func() bool { return t.Done() || s.HungUp() }
	var spin spinner
	for !spin.until(done) {
		t.parked.Swap(1)
		// HangUp wakes after it has set its mark, so either we see the mark or it sees us.
		if !s.HungUp() {
			sleepOn(&t.word, slotAwaited)
		}
		t.parked.Store(0)
	}
	word := t.word.Load()
	if word&slotUse != DoneWord {
		return 0, 0, nil, ErrHungUp
	}
	if word&slotDetails != 0 {
		value, data = t.value, t.data[:min(int(t.n), SlotBytes)]
	}
	return word >> statusShift, value, data, nil
}
