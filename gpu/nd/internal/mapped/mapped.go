package mapped

import (
	"errors"
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// Memory is device memory that is mapped here until it is released.
type Memory struct {
	// Address is the address of the buffer: a host address on the simulator, a GPU address otherwise.
	Address uintptr
	// Device is the GPU's index in this process's driver, or -1 on the simulator.
	Device int

	at    *mapping
	free  func() // lets the buffer be freed
	bytes int
}

// mapping is a range of memory that may contain several buffers. As mapping takes time, it stays mapped when unused until the device
// frees the memory.
type mapping struct {
	device int // as Memory's
	addr   uintptr
	size   uint64
	users  int
	gone   bool // from the device
}

// table has all mappings. There is one for the process, as for its addresses.
var table struct {
	sync.Mutex
	mapped map[*client.SharedChunk]*mapping
}

// Map maps a buffer, which it keeps reachable and from being freed. When Map returns, the work that was submitted to the device is done.
func Map(b *gpu.Buffer[byte]) (*Memory, error) {
	list, err := MapAll(b)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// MapAll maps several buffers of one device, for whose work it waits once.
func MapAll(buffers ...*gpu.Buffer[byte]) (list []*Memory, err error) {
	for i, b := range buffers {
		if i == 0 {
			if err := hook.Finish(b.Device()); err != nil {
				return nil, err
			}
		}
		m, err := mapIdle(b)
		if err != nil {
			return nil, errors.Join(err, Release(list...))
		}
		list = append(list, m)
	}
	return list, nil
}

// mapIdle maps a buffer of a device that has no work with it.
func mapIdle(b *gpu.Buffer[byte]) (*Memory, error) {
	d := b.Device()
	s, err := hook.Share(b)
	if err != nil {
		return nil, err
	}
	device := -1
	if props := d.Properties(); !props.Simulated {
		device = props.Ordinal
	}
	release, err := hook.Hold(b)
	if err != nil {
		return nil, err
	}
	table.Lock()
	defer table.Unlock()
	at := table.mapped[s.Memory]
	if at == nil {
		addr, err := place(device, s)
		if err != nil {
			release()
			return nil, fmt.Errorf("mapping memory of %s into the program: %w", d.Name(), err)
		}
		at = &mapping{device: device, addr: addr, size: s.Size}
		if table.mapped == nil {
			table.mapped = map[*client.SharedChunk]*mapping{}
		}
		table.mapped[s.Memory] = at
		s.Memory.OnRelease(func() { forget(s.Memory) })
	}
	at.users++
	return &Memory{Address: at.addr + uintptr(s.Offset), Device: device, at: at, free: release, bytes: b.Len()}, nil
}

// forget unmaps memory that the device has freed, unless it is still used.
func forget(m *client.SharedChunk) {
	table.Lock()
	defer table.Unlock()
	at := table.mapped[m]
	if at == nil {
		return
	}
	delete(table.mapped, m)
	if at.gone = true; at.users == 0 {
		_ = at.unmap() // errors cannot be reported here; only addresses would remain used
	}
}

// Release undoes Map. On a GPU it waits for the work of this process, such as copies that continue after their call has returned. This
// process must not use the memory afterwards.
func (m *Memory) Release() error { return Release(m) }

// Release releases memory of one device, for whose work it waits once.
func Release(list ...*Memory) error {
	if len(list) == 0 {
		return nil
	}
	return errors.Join(list[0].wait(), ReleaseIdle(list...))
}

// ReleaseIdle releases memory for which this process has no work on a GPU.
func ReleaseIdle(list ...*Memory) error {
	var errs []error
	for _, m := range list {
		errs = append(errs, m.release())
	}
	return errors.Join(errs...)
}

// wait waits for the work that this process has submitted to the GPU.
func (m *Memory) wait() error {
	if m.Device < 0 {
		return nil
	}
	return Wait(m.Device)
}

// Wait waits for all work that this process has submitted to a GPU.
func Wait(device int) error {
	g, err := driver()
	if err != nil {
		return err
	}
	return g.on(device, func() error { return g.check(g.contextSync(), "waiting for the GPU") })
}

func (m *Memory) release() error {
	table.Lock()
	defer table.Unlock()
	if m.at == nil {
		return nil
	}
	at := m.at
	m.at = nil
	m.free()
	if at.users--; at.users > 0 || !at.gone {
		return nil
	}
	return at.unmap()
}

func (at *mapping) unmap() error {
	if at.device < 0 {
		return munmap(at.addr, at.size)
	}
	g, err := driver()
	if err != nil {
		return err
	}
	return g.remove(at.device, at.addr, at.size)
}

// place maps a whole range.
func place(device int, s client.SharedRange) (uintptr, error) {
	if device >= 0 {
		g, err := driver()
		if err != nil {
			return 0, err
		}
		return g.place(device, s.FD, s.Size)
	}
	return mmap(s.FD, s.Size)
}

// Len returns the size of the buffer in bytes.
func (m *Memory) Len() int { return m.bytes }

// Bytes returns the memory of a buffer on the simulator.
func (m *Memory) Bytes() []byte {
	if m.bytes == 0 {
		return nil
	}
	return Slice(m.Address, m.bytes)
}

// Slice returns n bytes of memory that is not Go's as a slice.
func Slice(addr uintptr, n int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), n)
}

// mmap maps a memory file at any address. Unlike package syscall's function it needs no slice of that size to unmap it.
func mmap(fd int, size uint64) (uintptr, error) {
	addr, _, errno := syscall.Syscall6(syscall.SYS_MMAP, 0, uintptr(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED, uintptr(fd), 0)
	if errno != 0 {
		return 0, fmt.Errorf("mapping %d bytes: %w", size, errno)
	}
	return addr, nil
}

func munmap(addr uintptr, size uint64) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_MUNMAP, addr, uintptr(size), 0); errno != 0 {
		return fmt.Errorf("unmapping %d bytes: %w", size, errno)
	}
	return nil
}
