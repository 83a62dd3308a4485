package check

import (
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// sector is the size in bytes of the units in which a GPU transfers memory.
const sector = 32

// Counters returns the counters of the launch. read and written are the numbers of different
// sectors of global memory that it has read and written: the minimum that a GPU transfers, if its
// caches keep all that is used again.
func (l *Launch) Counters(read, written uint64) backend.Counters {
	c := backend.Counters{
		backend.MetricDRAMRead:    float64(read * sector),
		backend.MetricDRAMWrite:   float64(written * sector),
		backend.MetricLoadSector:  0,
		backend.MetricStoreSector: 0,
	}
	for _, raw := range unsafe.Slice(l.Result.counters, l.Result.counterCount) {
		if raw.space == spaceShared || raw.requests == 0 {
			continue
		}
		// Not all requests were examined.
		sectors := float64(raw.sectors) * float64(raw.lanes) / float64(raw.active)
		switch raw.op {
		case opRead, opVolatileRead:
			c[backend.MetricLoadSector] += sectors
		case opWrite, opVolatileWrite:
			c[backend.MetricStoreSector] += sectors
		}
	}
	l.countOperations(c)
	return c
}
