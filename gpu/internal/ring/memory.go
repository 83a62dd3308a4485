package ring

import (
	"fmt"
	"syscall"
	"unsafe"
)

// MapMemory maps all of the shared memory of a descriptor, which may be closed afterwards.
func MapMemory(fd int) ([]byte, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		return nil, fmt.Errorf("read the size of shared memory: %w", err)
	}
	mem, err := syscall.Mmap(fd, 0, int(st.Size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of shared memory: %w", st.Size, err)
	}
	return mem, nil
}

// UnmapMemory unmaps memory from MapMemory.
func UnmapMemory(mem []byte) error { return syscall.Munmap(mem) }

// MapMemoryAt maps size bytes of shared memory at addr, so that the address can be the same in two processes. The error is EEXIST
// if the addresses are in use.
func MapMemoryAt(fd int, addr uint64, size int) ([]byte, error) {
	const fixedNoReplace = 0x100000
	got, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(addr), uintptr(size),
		syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|fixedNoReplace, uintptr(fd), 0)
	if errno == 0 && uint64(got) != addr {
		// Linux before 4.17 treats the address as a hint.
		syscall.Syscall(syscall.SYS_MUNMAP, got, uintptr(size), 0)
		errno = syscall.EEXIST
	}
	if errno != 0 {
		return nil, fmt.Errorf("map %d bytes of shared memory at %#x: %w", size, addr, errno)
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&got))), size), nil
}

// UnmapMemoryAt unmaps memory from MapMemoryAt.
func UnmapMemoryAt(mem []byte) error {
	_, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, uintptr(unsafe.Pointer(&mem[0])), uintptr(len(mem)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}
