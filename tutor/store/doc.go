// Package store keeps the state of a learner of package tutor in a file. Several processes may use the same file: each change is made under
// a lock, and replaces the file in one step, so that neither a crash nor a full disk damages it. What is in the state is package tutor's.
package store
