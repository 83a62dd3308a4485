//go:build !race

package gothread

const raceEnabled = false

func unordered(f func()) { f() }
