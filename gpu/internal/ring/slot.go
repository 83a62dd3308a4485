package ring

import (
	"sync/atomic"
)

// The low bits of a slot's word say what it is used for, those of slotDone how it ended.
const (
	slotIdle = iota
	slotAwaited
	slotParked // awaited by someone who sleeps
	slotDone

	slotUse     = 1<<8 - 1
	slotDetails = 1 << 8 // value, n or Data say something
	statusShift = 16     // the status stands above
)

// A Slot is where one result comes back. The session arms it, names it in a record, and
// waits; the device process finishes it. Slots begin on cache lines of their own. Who waits looks at
// the word all the time, and so takes the line from who writes: a result that fits into the
// word takes half the time of one that needs the line twice.
type Slot struct {
	word  atomic.Uint32
	n     uint32
	value int64
	data  [SlotBytes]byte
	_     [64 - 16]byte
}

// Slot returns slot i, below Slots.
func (s *Segment) Slot(i int) *Slot { return &s.head.slots[i] }

// Arm makes the slot ready for a result. It must come before the record that names it.
func (t *Slot) Arm() { t.word.Store(slotAwaited) }

// Data is the slot's room for bytes, for Finish's side to fill.
func (t *Slot) Data() []byte { return t.data[:] }

// Finish hands over a result: a status and a value that are the caller's own, and the
// first n bytes of Data. The status is below 65536.
func (t *Slot) Finish(status uint32, value int64, n int) {
	word := slotDone | status<<statusShift
	if value != 0 || n != 0 {
		t.value, t.n = value, uint32(n)
		word |= slotDetails
	}
	if t.word.Swap(word) == slotParked {
		wakeAll(&t.word)
	}
}

// nudge makes a sleeper look around.
func (t *Slot) nudge() {
	if t.word.CompareAndSwap(slotParked, slotAwaited) {
		wakeAll(&t.word)
	}
}

// Wait waits for Finish. The data stays valid until the slot is armed again.
func (s *Segment) Wait(i int) (status uint32, value int64, data []byte, err error) {
	t := s.Slot(i)
	var word uint32
	done := func() bool {
		word = t.word.Load()
		return word&slotUse == slotDone || s.HungUp()
	}
	var spin spinner
	for !spin.until(done) {
		if !t.word.CompareAndSwap(slotAwaited, slotParked) {
			continue
		}
		// HangUp nudges after it has set its mark, so either we see the mark or it sees us.
		if s.HungUp() {
			break
		}
		sleepOn(&t.word, slotParked)
		t.word.CompareAndSwap(slotParked, slotAwaited)
	}
	if word = t.word.Load(); word&slotUse != slotDone {
		return 0, 0, nil, ErrHungUp
	}
	if word&slotDetails != 0 {
		value, data = t.value, t.data[:min(int(t.n), SlotBytes)]
	}
	return word >> statusShift, value, data, nil
}
