//go:build !amd64 && !arm64

package driver

import "github.com/ebitengine/purego"

// callKept is like call, but does not allocate the argument list: the caller keeps the list, and keeps alive what it points to.
func (s symbol) callKept(args []uintptr) int32 {
	r, _, _ := purego.SyscallN(uintptr(s), args...)
	return int32(r)
}
