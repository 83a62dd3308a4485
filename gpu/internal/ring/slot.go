package ring

import "sync/atomic"

const (
	slotIdle = iota
	slotAwaited
	slotParked // awaited by someone who sleeps
	slotDone
)

// A Slot is where one result comes back. The session arms it, names it in a record, and
// waits; the device process finishes it.
type Slot struct {
	state  atomic.Uint32
	status uint32
	value  int64
	n      uint32
	_      uint32
	data   [SlotBytes]byte
}

// Slot returns slot i, below Slots.
func (s *Segment) Slot(i int) *Slot { return &s.head.slots[i] }

// Arm makes the slot ready for a result. It must come before the record that names it.
func (t *Slot) Arm() { t.state.Store(slotAwaited) }

// Data is the slot's room for bytes, for Finish's side to fill.
func (t *Slot) Data() []byte { return t.data[:] }

// Finish hands over a result: a status and a value that are the caller's own, and the
// first n bytes of Data.
func (t *Slot) Finish(status uint32, value int64, n int) {
	t.status, t.value, t.n = status, value, uint32(n)
	if t.state.Swap(slotDone) == slotParked {
		wakeAll(&t.state)
	}
}

// nudge makes a sleeper look around.
func (t *Slot) nudge() {
	if t.state.CompareAndSwap(slotParked, slotAwaited) {
		wakeAll(&t.state)
	}
}

// Wait waits for Finish. The data stays valid until the slot is armed again.
func (s *Segment) Wait(i int) (status uint32, value int64, data []byte, err error) {
	t := s.Slot(i)
	done := func() bool { return t.state.Load() == slotDone || s.HungUp() }
	var spin spinner
	for !spin.until(done) {
		if !t.state.CompareAndSwap(slotAwaited, slotParked) {
			continue
		}
		// HangUp nudges after it has set its mark, so either we see the mark or it sees us.
		if s.HungUp() {
			break
		}
		sleepOn(&t.state, slotParked)
		t.state.CompareAndSwap(slotParked, slotAwaited)
	}
	if t.state.Load() != slotDone {
		return 0, 0, nil, ErrHungUp
	}
	return t.status, t.value, t.data[:min(int(t.n), SlotBytes)], nil
}
