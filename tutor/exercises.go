package tutor

import (
	"fmt"
	"slices"
	"strings"
)

// Exercises has what a learner has done in the course.
type Exercises interface {
	// Missed returns those after the first seen events of the learner's progress in the course, and the number of events there are now.
	Missed(seen int) (missed []Miss, events int, err error)
	// State returns the learner's progress in the course, for JSON.
	State() (any, error)
}

// A Miss is an exercise that failed its check.
type Miss struct {
	Lesson string // its name
	// Reason is what the check has reported: its first line.
	Reason string
}

// collect makes the concepts of exercises that failed since the last question come back. It returns what the learner is told about that.
func (t *Tutor) collect(l *Learner) string {
	if t.Exercises == nil || l.Placement != nil {
		return ""
	}
	missed, events, err := t.Exercises.Missed(l.Exercises)
	if err != nil {
		return fmt.Sprintf("Your exercises in the lessons were not looked at: %v.", err)
	}
	l.Exercises = events
	var concepts []string
	for _, m := range missed {
		if c := t.concerned(l, m); c != nil && !slices.Contains(concepts, c.ID) {
			concepts = append(concepts, c.ID)
		}
	}
	l.enqueue(concepts)
	return ""
}

// concerned returns the concept that a missed exercise is about, or nil: the one that its failure shows, or else the concept of its lesson
// that the learner knows least.
func (t *Tutor) concerned(l *Learner, m Miss) *Concept {
	for _, r := range reasons {
		if c := t.bank.Concept(r.concept); c != nil && strings.Contains(m.Reason, r.text) {
			return c
		}
	}
	var least *Concept
	mastery := func(c *Concept) float64 {
		if p := l.Concepts[c.ID]; p != nil {
			return p.Mastery
		}
		return unknown
	}
	for _, c := range t.bank.Concepts {
		if slices.Contains(c.Lessons, m.Lesson) && (least == nil || mastery(c) < mastery(least)) {
			least = c
		}
	}
	return least
}

// reasons are parts of what checks of package verify report, with the concept that is missing. A test compares them with that package.
var reasons = []struct{ text, concept string }{
	{"accesses to global memory are not coalesced", "coalescing"},
	{"threads wait for each other's bank of shared memory", "bank-conflicts"},
	{"too much global memory is read or written", "fusion"},
	{"too many atomic operations on global memory", "histogram"},
	{"too many launches", "fusion"},
	{"too much is copied between host and device", "transfers"},
	{"written past the end", "guard"},
	{"an address out of bounds", "guard"},
	{"the last element is missing", "guard"},
	{"the elements after the last full block are missing", "guard"},
	{"only the first block's elements are right", "index1d"},
	{"blocks begin at the wrong places", "index1d"},
	{"the index is a product", "index1d"},
	{"rows and columns are swapped", "index2d"},
	{"x and y are mixed up", "index2d"},
	{"threads race", "races"},
	{"the result differs between runs", "races"},
	{"not all threads come to the barrier", "barrier"},
	{"threads return before a barrier", "barrier"},
	{"counts are too low", "atomics"},
	{"an inclusive scan and an exclusive one are mixed up", "scan"},
	{"each block begins at zero", "scan"},
	{"one thread does all the work", "kernel"},
	{"each thread does all the work", "kernel"},
	{"the result does not come from a kernel", "host-device"},
}
