package ring

import (
	"math"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// The private variants of these operations work only within one process.
const (
	futexWait = 0
	futexWake = 1
)

// sleepOn blocks while the word is val. It may also return spuriously.
func sleepOn(word *atomic.Uint32, val uint32) {
	// EAGAIN (the word had changed) and EINTR both mean: check again.
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(val), 0, 0, 0)
}

// wakeAll wakes all threads that sleep on the word.
func wakeAll(word *atomic.Uint32) {
	syscall.Syscall6(syscall.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, math.MaxInt32, 0, 0, 0)
}
