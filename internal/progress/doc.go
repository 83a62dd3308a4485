// Package progress keeps what a learner has done in the lessons: a file with a line of JSON for each event, such as a check that ran, a
// question that was answered or a hint that was shown.
//
// Lines are only appended, each in one write and under a lock, so several notebooks can have one file, and a process that is killed loses
// at most its last line. Lines that are no events are skipped. Programs may add kinds of events of their own; others ignore them.
//
// The lessons are package course's, and so is the decision what an event is about.
package progress
