package ring

import "sync/atomic"

// Trails is the maximum number of streams whose progress is recorded.
const Trails = 16

// marksKept is the number of a trail's latest marks that are stored.
const marksKept = 64

// A Trail is the progress of a stream of a device. The device itself writes reached, so its value is correct even after the
// device process has exited. Marks are increasing numbers, of which the lower 32 bits are stored.
type Trail struct {
	stream  uint32
	used    atomic.Uint32
	reached uint32 // written by the device
	count   uint32
	sent    [marksKept]uint32
}

// Trail returns the trail of a stream, which it creates if necessary, or nil if there are too many.
func (s *Segment) Trail(stream uint32) *Trail {
	for i := range s.head.trails {
		t := &s.head.trails[i]
		if t.used.Load() == 0 {
			t.stream = stream
			t.used.Store(1)
			return t
		}
		if t.stream == stream {
			return t
		}
	}
	return nil
}

// Word returns the address to which the device writes marks.
func (t *Trail) Word() *uint32 { return &t.reached }

// Sent records that the device was asked to write a mark.
func (t *Trail) Sent(mark uint64) {
	t.sent[t.count%marksKept] = uint32(mark)
	t.count++
}

// Progress returns the last mark of a stream that the device reached, and the first one that it has not reached. Each is 0 if
// there is none.
func (s *Segment) Progress(stream uint32) (reached, next uint32) {
	for i := range s.head.trails {
		t := &s.head.trails[i]
		if t.used.Load() == 0 || t.stream != stream {
			continue
		}
		reached = t.reached
		for i := t.count - min(t.count, marksKept); i < t.count; i++ {
			if m := t.sent[i%marksKept]; int32(m-reached) > 0 {
				return reached, m
			}
		}
		return reached, 0
	}
	return 0, 0
}
