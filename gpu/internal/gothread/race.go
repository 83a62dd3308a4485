//go:build race

package gothread

import "runtime"

// The race detector sees only what different goroutines do.
const raceEnabled = true

// unordered calls f, whose synchronization the race detector ignores.
func unordered(f func()) {
	runtime.RaceDisable()
	defer runtime.RaceEnable()
	f()
}
