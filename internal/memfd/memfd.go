// Package memfd creates files in memory, which have no name in the file system and which other processes can map (memfd_create(2)). It
// has no code for what is in them. Session processes link it, so it does without golang.org/x/sys.
package memfd

import (
	"fmt"
	"syscall"
	"unsafe"
)

const cloexec = 1

// Create creates a file of size zero bytes in memory and returns its descriptor, which the caller closes. The name is shown in /proc,
// after "/memfd:".
func Create(name string, size int) (fd int, err error) {
	cname, err := syscall.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	r, _, errno := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(cname)), cloexec, 0)
	if errno != 0 {
		return -1, fmt.Errorf("create shared memory %q: %w", name, errno)
	}
	fd = int(r)
	if err := syscall.Ftruncate(fd, int64(size)); err != nil {
		syscall.Close(fd)
		return -1, fmt.Errorf("resize shared memory %q to %d bytes: %w", name, size, err)
	}
	return fd, nil
}
