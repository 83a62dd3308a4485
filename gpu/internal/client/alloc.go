package client

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/heap"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// maxReleases is how often an allocation that failed for lack of memory is repeated after memory was released.
const maxReleases = 3

// Alloc returns a block of size bytes, which are not initialized.
func (l *Link) Alloc(size uint64, made Origin) (*Block, error) {
	b := newBlock()
	if err := l.AllocInto(b, size, made); err != nil {
		return nil, err
	}
	return b, nil
}

// AllocInto is Alloc for a block that is part of other memory, of BlockSpace bytes in all.
func (l *Link) AllocInto(b *Block, size uint64, made Origin) error {
	if heap.Round(size) < size {
		return invalid("%d bytes are more than any device has", size)
	}
	a, err := l.tryAlloc(size, made)
	for range maxReleases {
		if outOfMemory(err) == nil {
			break
		}
		if err = l.releaseMemory(); err == nil {
			a, err = l.tryAlloc(size, made)
		}
	}
	if cause := outOfMemory(err); cause != nil {
		return l.exhausted(size, cause)
	}
	if err != nil {
		return err
	}
	b.own(a)
	return nil
}

// tryAlloc takes memory from the chunks, or from the device. If freed memory may still be in use by streams, it waits for them before it
// asks the device.
func (l *Link) tryAlloc(size uint64, made Origin) (*Allocation, error) {
	a, waiting, err := l.takeOrGrow(size, made, false)
	if err == nil && waiting {
		if err = l.Sync(); err == nil {
			a, _, err = l.takeOrGrow(size, made, true)
		}
	}
	return a, err
}

// takeOrGrow takes memory from the chunks, or from a new chunk. If there is none but freed memory may still be in use by streams, it
// returns waiting instead, unless grow is set.
func (l *Link) takeOrGrow(size uint64, made Origin, grow bool) (a *Allocation, waiting bool, err error) {
	err = l.With(func(p *Process) error {
		if a = l.mem.take(size, made); a != nil {
			return nil
		}
		if waiting = len(l.mem.waiting) > 0; waiting && !grow {
			return nil
		}
		if err := l.mem.grow(p, size); err != nil {
			return err
		}
		a = l.mem.take(size, made)
		return nil
	})
	return a, waiting && a == nil, err
}

// outOfMemory returns err as the device's out-of-memory error, or nil if it is another error.
func outOfMemory(err error) *backend.Error {
	if err == nil { // before anything is allocated
		return nil
	}
	var e *backend.Error
	if errors.As(err, &e) && e.Code == CodeOutOfMemory {
		return e
	}
	return nil
}

// AllocOn is like Alloc but for work on one stream, whose freed memory it may reuse.
func (l *Link) AllocOn(size uint64, stream uint32, made Origin) (*Block, error) {
	l.conn.mu.Lock()
	a := l.mem.reuse(size, stream, made)
	l.conn.mu.Unlock()
	if a != nil {
		b := newBlock()
		b.own(a)
		return b, nil
	}
	return l.Alloc(size, made)
}

// own makes b the block of the allocation, which is freed when the block becomes unreachable.
func (b *Block) own(a *Allocation) {
	b.Allocation = a
	runtime.AddCleanup(b, func(a *Allocation) { a.Free() }, a)
}

// memory returns the block's allocation, or nil if there is no block.
func (b *Block) memory() *Allocation {
	if b == nil {
		return nil
	}
	return b.Allocation
}

// Free frees the allocation. It returns false if it was freed before. It never waits for the device's work.
func (a *Allocation) Free() bool {
	l := a.Link
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return l.mem.free(a)
}

// releaseMemory releases as much of the device's memory as possible.
func (l *Link) releaseMemory() error {
	FreeUnreachable()
	if err := l.Sync(); err != nil {
		return err
	}
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.mem.trim(0)
	return nil
}

// Trim waits for the device and returns unused memory to it until at most keep bytes are reserved.
func (l *Link) Trim(keep uint64) error {
	if err := l.Sync(); err != nil {
		return err
	}
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.mem.trimTo(keep)
	return nil
}

// SetLimit sets the maximum number of bytes that may be reserved.
func (l *Link) SetLimit(bytes uint64) {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	l.mem.limit = bytes
}

// Memory returns the memory use of the device.
func (l *Link) Memory() memoryStats {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	s, _ := l.mem.stats()
	return s
}

// An Origin is the type and the source line of an allocation.
type Origin struct {
	Elem any // a nil pointer to the type of the elements; reflect.Type would be compiled by cells: see package pointer
	At   Place
}

// Type returns the name of the type of the elements.
func (o *Origin) Type() string { return reflect.TypeOf(o.Elem).Elem().String() }

// Holders returns the allocations in use, the largest first.
func (l *Link) Holders() []*Allocation {
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	return slices.SortedFunc(l.mem.live.all, func(a, b *Allocation) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Addr, b.Addr))
	})
}

// MemInfo returns the free and the total memory of the device in bytes.
func (l *Link) MemInfo() (free, total uint64, err error) {
	req := &wire.MemInfo{}
	err = l.Ask(req)
	l.conn.mu.Lock()
	defer l.conn.mu.Unlock()
	free, total = l.mem.withinQuota(req.Free, req.Total)
	return free, total, err
}

// exhausted returns the error of an allocation that failed for lack of memory. Its message lists the largest buffers.
func (l *Link) exhausted(size uint64, cause *backend.Error) error {
	e := fromBackend("", cause)
	e.Message = fmt.Sprintf("%s were asked for", render.Bytes(size))
	if free, total, err := l.MemInfo(); err == nil {
		e.Message += fmt.Sprintf(", and %s of %s are free", render.Bytes(free), render.Bytes(total))
	}
	l.conn.mu.Lock()
	limit, name := l.mem.bound()
	l.conn.mu.Unlock()
	if limit > 0 {
		e.Message += fmt.Sprintf(", of which %s leaves the pool %s", name, render.Bytes(limit))
	}
	holders := l.Holders()
	if len(holders) == 0 {
		e.Message += "; this session holds no buffers"
		return e
	}
	var held uint64
	for _, h := range holders {
		held += h.Size
	}
	const maxNames = 5
	var names []string
	for _, h := range holders[:min(len(holders), maxNames)] {
		names = append(names, fmt.Sprintf("%s of %s made at %s", render.Bytes(h.Size), h.Made.Type(), h.Made.At))
	}
	if n := len(holders) - maxNames; n > 0 {
		names = append(names, fmt.Sprintf("%d smaller ones", n))
	}
	e.Message += fmt.Sprintf("; this session holds %s in %d buffers: %s. Free gives a buffer back", render.Bytes(held), len(holders), strings.Join(names, ", "))
	return e
}
