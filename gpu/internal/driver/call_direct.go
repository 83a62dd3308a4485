//go:build amd64 || arm64

package driver

import (
	"sync"
	"unsafe"
)

// maxDirect is the maximum number of arguments of callC.
const maxDirect = 11

// call is the argument of callC, which uses the offsets of its fields. It is not on a goroutine's stack, which may move if the
// function calls back.
type call struct {
	function uintptr
	args     [maxDirect]uintptr
	result   int32
}

var calls = sync.Pool{New: func() any { return new(call) }}

var callCAddress uintptr // in call_amd64.s and call_arm64.s

//go:linkname cgocall runtime.cgocall
func cgocall(fn uintptr, arg unsafe.Pointer) int32

// callKept is like call, but does not allocate the argument list: the caller keeps the list, and keeps alive what it points to. A
// call through purego copies 32 arguments and 32 floating-point arguments, which takes as long as a small operation of the
// driver.
func (s symbol) callKept(args []uintptr) int32 {
	c := calls.Get().(*call)
	c.function = uintptr(s)
	clear(c.args[copy(c.args[:], args):])
	cgocall(callCAddress, unsafe.Pointer(c))
	r := c.result
	calls.Put(c)
	return r
}
