package ring

import "sync/atomic"

// Trails is the number of streams whose progress is kept.
const Trails = 16

// marksKept is how many of a trail's latest marks are known.
const marksKept = 64

// A Trail is how far a stream of a device has come. The device itself writes Reached, so what
// stands there is true even when its process is dead. Marks are numbers that rise, of which
// the lower 32 bits are kept.
type Trail struct {
	stream  uint32
	used    atomic.Uint32
	reached uint32 // written by the device
	count   uint32
	sent    [marksKept]uint32
}

// Trail returns the trail of a stream, a new one if need be, or nil if there are too many.
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

// Word is where the device is to write.
func (t *Trail) Word() *uint32 { return &t.reached }

// Sent notes that the device was told to write a mark.
func (t *Trail) Sent(mark uint64) {
	t.sent[t.count%marksKept] = uint32(mark)
	t.count++
}

// Progress tells what is known of a stream: the last mark that the device reached, and the one
// that it would have reached next. Each is 0 if there is none.
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
