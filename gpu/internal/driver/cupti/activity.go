package cupti

import (
	"encoding/binary"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The kinds of activity records.
const (
	kindMemcpy      = 1
	kindMemset      = 2
	kindConcurrent  = 10 // concurrent kernels, as without a profiler
	kindDriver      = 4  // calls of the driver, without whose records there are no correlations either
	kindRuntime     = 5
	kindPeer        = 22
	kindCorrelation = 39
)

var kinds = []uint32{kindDriver, kindRuntime, kindCorrelation, kindMemcpy, kindMemset, kindConcurrent, kindPeer}

// externalKind is the kind of the tags.
const externalKind = 3 // CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0

// bufferSize is the size of the buffers for CUPTI's records, in bytes.
const bufferSize = 1 << 20

// activity is the state of the recording. CUPTI calls back on its own threads.
type activity struct {
	registered bool
	tagged     bool // a tag is set

	mu      sync.Mutex
	buffers map[*byte][]byte // passed to CUPTI
	free    [][]byte
	records []record
	tags    map[uint32]uint64 // by correlation
}

// record is a Record whose tag is not yet known.
type record struct {
	backend.Record
	correlation uint32
}

// StartRecords starts to record kernels and copies.
func (l *Library) StartRecords() error {
	a := &l.activity
	if !a.registered {
		a.buffers = map[*byte][]byte{}
		requested, completed := purego.NewCallback(l.requested), purego.NewCallback(l.completed)
		if err := l.check(l.api.RegisterCallbacks(requested, completed), "registering with CUPTI"); err != nil {
			return err
		}
		a.registered = true
	}
	a.mu.Lock()
	a.records, a.tags = nil, map[uint32]uint64{}
	a.mu.Unlock()
	for i, kind := range kinds {
		if err := l.check(l.api.Enable(kind), "enabling CUPTI's records"); err != nil {
			for _, on := range kinds[:i] {
				l.api.Disable(on)
			}
			return err
		}
	}
	return nil
}

// Now returns the time by the clock of the records.
func (l *Library) Now() time.Duration {
	var ns uint64
	l.api.Timestamp(&ns) // it fails only for a nil pointer
	return time.Duration(ns)
}

// Tag sets the tag of the work that this thread submits from now on, unless it is 0.
func (l *Library) Tag(tag uint64) {
	if l.activity.tagged {
		l.api.PopID(externalKind, nil)
	}
	l.activity.tagged = tag != 0 && l.api.PushID(externalKind, tag) == 0
}

// StopRecords ends the recording and returns the records, in the order in which the work was submitted. All work must have
// completed.
func (l *Library) StopRecords() ([]backend.Record, error) {
	l.Tag(0)
	const forced = 1 // including buffers that are not full
	err := l.check(l.api.FlushAll(forced), "reading CUPTI's records")
	for _, kind := range kinds {
		if off := l.check(l.api.Disable(kind), "disabling CUPTI's records"); err == nil {
			err = off
		}
	}
	a := &l.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]backend.Record, len(a.records))
	slices.SortStableFunc(a.records, func(x, y record) int { return int(x.correlation) - int(y.correlation) })
	for i, r := range a.records {
		list[i] = r.Record
		list[i].Tag = a.tags[r.correlation]
	}
	a.records, a.tags = nil, nil
	return list, err
}

// requested passes a buffer to CUPTI.
func (l *Library) requested(buffer **byte, size, most *uintptr) uintptr {
	a := &l.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	*buffer, *size, *most = nil, 0, 0
	var b []byte
	if n := len(a.free); n > 0 {
		b, a.free = a.free[n-1], a.free[:n-1]
	} else {
		var err error
		// Go treats it as memory of C.
		b, err = unix.Mmap(-1, 0, bufferSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return 0 // CUPTI drops the records
		}
	}
	a.buffers[&b[0]] = b
	*buffer, *size = &b[0], bufferSize
	return 0
}

// completed receives a buffer with records.
func (l *Library) completed(_ uintptr, _ uint32, buffer *byte, _, valid uintptr) uintptr {
	a := &l.activity
	a.mu.Lock()
	defer a.mu.Unlock()
	b := a.buffers[buffer]
	if b == nil {
		return 0
	}
	delete(a.buffers, buffer)
	var at *byte
	for valid > 0 && l.api.NextRecord(buffer, valid, &at) == 0 {
		offset := uintptr(unsafe.Pointer(at)) - uintptr(unsafe.Pointer(buffer))
		a.take(b[offset:valid])
	}
	a.free = append(a.free, b)
	return 0
}

// take reads a record. The offsets of the fields that it reads have been the same since CUDA 8; newer versions add fields after
// them.
func (a *activity) take(b []byte) {
	le := binary.LittleEndian
	u32 := func(at int) uint32 { return le.Uint32(b[at:]) }
	u64 := func(at int) uint64 { return le.Uint64(b[at:]) }
	at := func(start int) time.Duration { return time.Duration(u64(start)) }
	between := func(start, end int) time.Duration { return time.Duration(u64(end) - u64(start)) }
	kind := u32(0)
	switch kind {
	case kindCorrelation:
		if u32(4) == externalKind {
			a.tags[u32(16)] = u64(8)
		}
	case kindMemcpy:
		a.records = append(a.records, record{backend.Record{Kind: copyKind(b[4]), Bytes: u64(8), Begin: at(16), Time: between(16, 24)}, u32(44)})
	case kindPeer:
		a.records = append(a.records, record{backend.Record{Kind: backend.WorkDtoD, Bytes: u64(8), Begin: at(16), Time: between(16, 24)}, u32(60)})
	case kindMemset:
		a.records = append(a.records, record{backend.Record{Kind: backend.WorkFill, Bytes: u64(8), Begin: at(16), Time: between(16, 24)}, u32(44)})
	case kindConcurrent:
		r := record{backend.Record{
			Kind: backend.WorkKernel, Registers: int(le.Uint16(b[6:])), Begin: at(16), Time: between(16, 24),
			Grid: [3]uint32{u32(52), u32(56), u32(60)}, Block: [3]uint32{u32(64), u32(68), u32(72)},
			StaticShared: int(u32(76)), DynamicShared: int(u32(80)),
		}, u32(92)}
		if name := *(**byte)(unsafe.Pointer(&b[104])); name != nil {
			r.Symbol = unix.BytePtrToString(name)
		}
		a.records = append(a.records, r)
	}
}

// copyKind converts a CUpti_ActivityMemcpyKind.
func copyKind(k byte) backend.WorkKind {
	switch k {
	case 1, 3: // to a device, or an array on it
		return backend.WorkHtoD
	case 2, 4:
		return backend.WorkDtoH
	}
	return backend.WorkDtoD
}
