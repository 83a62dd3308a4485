package pointer

import (
	"sync/atomic"
	"unsafe"
)

// An Atomic is a pointer that is read and replaced atomically. It is used with one type of elements only, which the comment of the field
// names. The zero value is nil.
type Atomic struct{ p unsafe.Pointer }

// Load returns the pointer.
func Load[T any](a *Atomic) *T { return (*T)(atomic.LoadPointer(&a.p)) }

// Store sets the pointer.
func Store[T any](a *Atomic, p *T) { atomic.StorePointer(&a.p, unsafe.Pointer(p)) }

// Swap sets the pointer and returns the one before.
func Swap[T any](a *Atomic, p *T) (before *T) {
	return (*T)(atomic.SwapPointer(&a.p, unsafe.Pointer(p)))
}

// CompareAndSwap sets the pointer if it is old, and reports whether it was.
func CompareAndSwap[T any](a *Atomic, old, p *T) bool {
	return atomic.CompareAndSwapPointer(&a.p, unsafe.Pointer(old), unsafe.Pointer(p))
}
