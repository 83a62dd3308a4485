package client

// allocations are those in use, each linked to the one before it and the one behind it: a map of them took longer than all
// other notes of an allocation. The connection's lock guards it.
type allocations struct{ last *Allocation }

// add adds an allocation.
func (l *allocations) add(a *Allocation) {
	if a.previous = l.last; a.previous != nil {
		a.previous.next = a
	}
	l.last = a
}

// remove removes an allocation, which is in the list.
func (l *allocations) remove(a *Allocation) {
	if a.previous != nil {
		a.previous.next = a.next
	}
	if a.next != nil {
		a.next.previous = a.previous
	} else {
		l.last = a.previous
	}
	a.previous, a.next = nil, nil
}

// all calls yield with each allocation, the newest first, until it returns false. The list must not change meanwhile.
func (l *allocations) all(yield func(*Allocation) bool) {
	for a := l.last; a != nil && yield(a); a = a.previous {
	}
}
