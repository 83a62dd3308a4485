package ring

import (
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The private forms of these operations would not be seen by the other process.
const (
	futexWait = 0
	futexWake = 1
)

// sleepOn blocks while the word is val. It may also return for no reason.
func sleepOn(word *atomic.Uint32, val uint32) {
	// EAGAIN (the word had changed) and EINTR both mean: look again.
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(val), 0, 0, 0)
}

// wakeAll wakes everyone who sleeps on the word.
func wakeAll(word *atomic.Uint32) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, math.MaxInt32, 0, 0, 0)
}
