package cudalib

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// idBytes is the size of an ncclUniqueId.
const idBytes = 128

// ncclTypes are the values of ncclDataType_t.
var ncclTypes = map[routine.Type]uintptr{
	routine.Int8: 0, routine.Uint8: 1, routine.Int32: 2, routine.Uint32: 3, routine.Int64: 4, routine.Uint64: 5,
	routine.Float16: 6, routine.Float32: 7, routine.Float64: 8, routine.BFloat16: 9,
}

// A membership is a device's membership in a group.
type membership struct {
	comm uintptr // ncclComm_t, set when the device has joined
}

// GroupID returns a new identifier, by which the members of one group find each other.
func (l *Libraries) GroupID() ([]byte, error) {
	lib, err := l.open(routine.Collectives)
	if err != nil {
		return nil, err
	}
	id := make([]byte, idBytes)
	err = lib.call("creating the identifier of a group", "ncclGetUniqueId", uintptr(unsafe.Pointer(&id[0])))
	return id, err
}

// Join starts to make the device a member of a group. NCCL waits for the other members, so this is done on another thread, on
// which enter makes the context current.
func (l *Libraries) Join(group uint32, m backend.Membership, enter func() error) (backend.Wait, error) {
	lib, err := l.open(routine.Collectives)
	if err != nil {
		return nil, err
	}
	if len(m.ID) != idBytes {
		return nil, fmt.Errorf("the identifier of a group has %d bytes, not %d", idBytes, len(m.ID))
	}
	join, err := lib.find("ncclCommInitRank")
	if err != nil {
		return nil, err
	}
	place := &membership{}
	l.groups[group] = place
	return backend.Background(func() error {
		if err := enter(); err != nil {
			return err
		}
		status := callWithID(join, &place.comm, m.Size, m.ID, m.Rank)
		if status == 0 {
			return nil
		}
		return lib.explain(lib.failure("forming a group of devices", status))
	}), nil
}

// callWithID calls ncclCommInitRank, whose ID is passed by value: on amd64 on the stack, after the six registers, and on arm64 by
// its address.
func callWithID(f uintptr, comm *uintptr, size int, id []byte, rank int) int32 {
	words := unsafe.Slice((*uintptr)(unsafe.Pointer(&id[0])), idBytes/8)
	var args []uintptr
	if runtime.GOARCH == "amd64" {
		args = append([]uintptr{uintptr(unsafe.Pointer(comm)), uintptr(size), uintptr(rank), 0, 0, 0}, words...)
	} else {
		args = []uintptr{uintptr(unsafe.Pointer(comm)), uintptr(size), uintptr(unsafe.Pointer(&id[0])), uintptr(rank)}
	}
	r, _, _ := purego.SyscallN(f, args...)
	runtime.KeepAlive(comm)
	runtime.KeepAlive(id)
	return int32(r)
}

// explain adds NCCL's description of its last error.
func (b *dynamic) explain(err error) error {
	f, missing := b.find("ncclGetLastError")
	var e *backend.Error
	if err == nil || missing != nil || !errors.As(err, &e) {
		return err
	}
	r, _, _ := purego.SyscallN(f, 0)
	if text := goString(r); text != "" {
		e.Message += ": " + text
	}
	return err
}

// goString copies a C string.
func goString(p uintptr) string {
	if p == 0 {
		return ""
	}
	s := *(**byte)(unsafe.Pointer(&p)) // memory of C, which the garbage collector ignores
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(s, n))
}

// Collect submits this device's part of a collective operation to a stream.
func (l *Libraries) Collect(group uint32, c *routine.Collective, raw uintptr) error {
	place := l.groups[group]
	if place == nil || place.comm == 0 {
		return &backend.Error{Code: 400, Name: "CUDA_ERROR_INVALID_HANDLE", Message: fmt.Sprintf("the device is no member of group %d", group)}
	}
	lib := l.opened[routine.Collectives]
	src, dst, n, t := uintptr(c.Src), uintptr(c.Dst), uintptr(c.N), ncclTypes[c.Type]
	op, root := uintptr(c.Reduce), uintptr(c.Root)
	const doing = "a collective"
	var err error
	switch c.Kind {
	case routine.AllReduce:
		err = lib.call(doing, "ncclAllReduce", src, dst, n, t, op, place.comm, raw)
	case routine.Reduce:
		err = lib.call(doing, "ncclReduce", src, dst, n, t, op, root, place.comm, raw)
	case routine.Broadcast:
		err = lib.call(doing, "ncclBroadcast", src, dst, n, t, root, place.comm, raw)
	case routine.AllGather:
		err = lib.call(doing, "ncclAllGather", src, dst, n, t, place.comm, raw)
	case routine.ReduceScatter:
		err = lib.call(doing, "ncclReduceScatter", src, dst, n, t, op, place.comm, raw)
	case routine.Send:
		err = lib.call(doing, "ncclSend", src, n, t, root, place.comm, raw)
	case routine.Receive:
		err = lib.call(doing, "ncclRecv", dst, n, t, root, place.comm, raw)
	}
	return lib.explain(err)
}

// Leave ends the membership. Unlike ncclCommDestroy, ncclCommAbort does not wait for the other members.
func (l *Libraries) Leave(group uint32) error {
	place := l.groups[group]
	delete(l.groups, group)
	if place == nil || place.comm == 0 {
		return nil
	}
	return l.opened[routine.Collectives].call("leaving a group of devices", "ncclCommAbort", place.comm)
}
