//go:build race

package driver

// The race detector makes sync.Pool drop its contents, so counts of allocations mean nothing with it.
const raceEnabled = true
