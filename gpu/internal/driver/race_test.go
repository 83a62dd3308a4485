//go:build race

package driver

// The race detector makes sync.Pool drop what it keeps, so counts of allocations mean
// nothing under it.
const raceEnabled = true
