package client

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"syscall"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/ring"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/memfd"
)

// A Pinned is page-locked host memory, which devices access directly. It has the same address in this process and in the device
// processes, so kernels can use it, too.
type Pinned struct {
	mem    []byte
	fd     int
	Number uint32
	// managed is the device's part, if it is memory of a ManagedSlice.
	managed *managed
}

// Pointer returns the address of the memory.
func (m *Pinned) Pointer() unsafe.Pointer { return unsafe.Pointer(&m.mem[0]) }

// Address returns Pointer as a number.
func (m *Pinned) Address() uint64 { return uint64(uintptr(m.Pointer())) }

// pins are the page-locked areas of this process. There is one list, because a slice does not have the device that it was made for.
var pins struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*Pinned] // replaced instead of changed, so that copies read it without a lock
	last uint32
	next uint64 // where the search for free addresses begins
}

// Page-locked areas are at addresses above the devices' memory and below programs and libraries.
const (
	pinBase = 0x5000_0000_0000
	pinEnd  = 0x5400_0000_0000
	pinStep = 2 << 20
)

// newPinned maps memory and adds it to the list.
func newPinned(size uint64) (*Pinned, error) {
	pins.mu.Lock()
	defer pins.mu.Unlock()
	fd, err := memfd.Create("gopherwarp-pinned", int(size))
	if err != nil {
		return nil, err
	}
	step := (size + 2*pinStep - 1) &^ (pinStep - 1)
	pins.next = max(pins.next, pinBase)
	for range (pinEnd - pinBase) / pinStep {
		if pins.next+step > pinEnd {
			pins.next = pinBase
		}
		addr := pins.next
		mem, err := ring.MapMemoryAt(fd, addr, int(size))
		if errors.Is(err, syscall.EEXIST) {
			pins.next += pinStep
			continue
		}
		if err != nil {
			syscall.Close(fd)
			return nil, err
		}
		pins.next = addr + step
		pins.last++
		m := &Pinned{mem: mem, fd: fd, Number: pins.last}
		list := append([]*Pinned{m}, PinnedList()...)
		pins.list.Store(&list)
		return m, nil
	}
	syscall.Close(fd)
	return nil, fmt.Errorf("there is no room for %d bytes among the addresses", size)
}

// PinnedList returns the page-locked areas of this process.
func PinnedList() []*Pinned {
	if p := pins.list.Load(); p != nil {
		return *p
	}
	return nil
}

// drop removes the memory from the list and unmaps it.
func (m *Pinned) drop() error {
	pins.mu.Lock()
	defer pins.mu.Unlock()
	var list []*Pinned
	for _, o := range PinnedList() {
		if o != m {
			list = append(list, o)
		}
	}
	pins.list.Store(&list)
	return errors.Join(ring.UnmapMemoryAt(m.mem), syscall.Close(m.fd))
}

// FindPinned returns the area that memory is part of, and the offset in it. It returns nil for ordinary memory.
func FindPinned(mem []byte) (m *Pinned, offset uint64) {
	if len(mem) == 0 {
		return nil, 0
	}
	addr := uint64(uintptr(unsafe.Pointer(&mem[0])))
	for _, m := range PinnedList() {
		if base := m.Address(); addr >= base && addr-base+uint64(len(mem)) <= uint64(len(m.mem)) {
			return m, addr - base
		}
	}
	return nil, 0
}

// knownPins are the page-locked areas that a device has registered, by their numbers. The connection's lock guards it.
type knownPins struct {
	conn  *connection
	known map[uint32]*Pinned
}

// add registers an area with a device process, unless it is registered. The lock is held.
func (k *knownPins) add(p *Process, m *Pinned) error {
	if k.known[m.Number] != nil {
		return nil
	}
	if err := k.share(p, m); err != nil {
		return err
	}
	k.known[m.Number] = m
	return nil
}

// share registers an area with a device process. The lock is held.
func (k *knownPins) share(p *Process, m *Pinned) error {
	return k.conn.request(p, &wire.Pin{Area: m.Number, Addr: m.Address(), Size: uint64(len(m.mem))}, m.fd)
}

// restore registers all areas with a new process. The lock is held.
func (k *knownPins) restore(p *Process) error {
	for _, m := range k.known {
		if err := k.share(p, m); err != nil {
			return err
		}
	}
	return nil
}

// knows reports whether the device has registered an area.
func (k *knownPins) knows(m *Pinned) bool {
	k.conn.mu.Lock()
	defer k.conn.mu.Unlock()
	return k.known[m.Number] != nil
}

// remove unregisters an area.
func (k *knownPins) remove(m *Pinned) {
	k.conn.mu.Lock()
	defer k.conn.mu.Unlock()
	delete(k.known, m.Number)
	k.conn.tell(&wire.Command{Op: wire.OpUnpin, Arg: m.Number})
}

// Pin returns memory that the device has registered.
func (l *Link) Pin(size uint64) (*Pinned, error) {
	m, err := newPinned(size)
	if err != nil {
		return nil, err
	}
	if err := l.Know(m); err != nil {
		return nil, errors.Join(err, m.drop())
	}
	return m, nil
}

// Unpin waits for the devices that have registered the memory and unmaps it.
func (m *Pinned) Unpin(devices []*Link) error {
	var errs []error
	for _, l := range devices {
		if l.pinned.knows(m) {
			errs = append(errs, l.Sync())
			l.pinned.remove(m)
		}
	}
	return errors.Join(append(errs, m.drop())...)
}

// Know registers the memory with the device.
func (l *Link) Know(m *Pinned) error {
	return l.With(func(p *Process) error { return l.pinned.add(p, m) })
}

// SendPinned submits a copy between a block and page-locked memory.
func (l *Link) SendPinned(m *Pinned, b *Block, c *wire.Command, data []byte) error {
	if err := l.Know(m); err != nil {
		return err
	}
	err := l.With(func(p *Process) error {
		err := b.Usable()
		if c.Op == wire.OpDownload {
			err = errors.Join(err, b.TakeFault())
		}
		if err != nil {
			return err
		}
		return l.Submit(p, c, data, b)
	})
	l.Reported(b.Allocation, err)
	return err
}

// movePinned is like SendPinned but waits for the copy.
func (l *Link) movePinned(m *Pinned, b *Block, c *wire.Command, data []byte) error {
	if err := l.Know(m); err != nil {
		return err
	}
	_, err := l.exchange(&roundTrip{on: b.Allocation, cmd: *c, data: data})
	return err
}
