//go:build !race

package gothread

const raceEnabled = false
