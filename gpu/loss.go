package gpu

import "errors"

// A loss is work that died with a device process. Its fault is returned to whoever waits or
// asks next, but that may be a goroutine with other work. So the buffers that the lost work
// touched remember it too: the first who reads one, or launches a kernel on it, hears of it.
// A Sync, after which everybody could know, ends the matter.
type loss struct {
	after, upTo uint64 // the commands after one up to another
	fault       *Error
}

// touch notes that a command of a stream works on the allocation. The link's lock is held.
func (a *allocation) touch(seq uint64, stream uint32) {
	if a == nil {
		return
	}
	if a.touched <= a.link.settled.Load() {
		a.stream, a.several = 0, false
	}
	if stream != 0 {
		a.several = a.several || a.stream != 0 && a.stream != stream
		a.stream = stream
	}
	a.touched = seq
}

// lost returns the fault of work on the allocation of which nobody has told its user yet, and
// counts that as telling. The link's lock is held.
func (a *allocation) lost() error {
	if a == nil {
		return nil
	}
	for _, l := range a.link.losses {
		if a.touched > l.after && a.touched <= l.upTo {
			a.touched = 0
			return l.fault
		}
	}
	return nil
}

// told notes that an error reached someone who uses the allocation.
func (l *link) told(a *allocation, err error) {
	var e *Error
	if a == nil || !errors.As(err, &e) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.losses {
		if x.fault == e && a.touched > x.after && a.touched <= x.upTo {
			a.touched = 0
		}
	}
}
