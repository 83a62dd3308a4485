//go:build race

package gothread

// The race detector sees only what different goroutines do.
const raceEnabled = true
