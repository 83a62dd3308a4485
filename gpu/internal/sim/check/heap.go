package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// heapRange is the runtime's id of memory that kernels allocate on the heap.
const heapRange = 1<<32 - 2

// heap is memory that kernels have allocated on the heap and not freed, by the runtime's numbers.
type heap map[uint64]backend.Finding

// Keep records what the launch has allocated on the heap, and removes what it has freed.
func (m *Memory) Keep(l *Launch, program, kernel string) {
	live := unsafe.Slice(l.Result.live, l.Result.liveCount)
	still := map[uint64]bool{}
	for i := range live {
		b := &live[i]
		still[b.number] = true
		if b.launch != l.Result.launch {
			continue
		}
		if m.heap == nil {
			m.heap = heap{}
		}
		at := l.where(b.pc, 0)
		m.heap[b.number] = backend.Finding{
			Kind: backend.KindLeak, Program: cmp.Or(at.File, program), Kernel: kernel, Line: at.Line, Block: ints(b.at.block), Thread: ints(b.at.thread),
			Message: fmt.Sprintf("takes %s from the heap, which no kernel has freed: they are gone until the device process ends", count(b.size, "byte")),
			Warning: true, Count: 1,
		}
	}
	maps.DeleteFunc(m.heap, func(number uint64, _ backend.Finding) bool { return !still[number] })
}

// AddLeaks reports memory that was not freed, once.
func (m *Memory) AddLeaks(r *backend.Report) {
	for _, number := range slices.Sorted(maps.Keys(m.heap)) {
		AddFinding(r, m.heap[number])
	}
	m.heap = nil
}
