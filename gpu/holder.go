package gpu

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// origin is where an allocation comes from, so that one can tell who holds memory.
type origin struct {
	elem reflect.Type
	at   place
}

// originOf is the origin for the caller of the function that calls it, or skip callers
// further out.
func originOf[T Element](skip int) origin {
	o := origin{elem: reflect.TypeFor[T]()}
	o.at.note(2 + skip)
	return o
}

// Holder is a buffer that is alive.
type Holder struct {
	Address uint64 // on the device
	Bytes   uint64 // rounded up as the allocator does
	Elem    string // "float32"
	Site    string // where it was made: "cell[3]:7"
}

// Holders lists the buffers that are alive on the device, the largest first. It starts
// nothing.
func (d *Device) Holders() []Holder { return d.link.holders() }

func (l *link) holders() []Holder {
	l.mu.Lock()
	defer l.mu.Unlock()
	var list []Holder
	for a := range l.live {
		list = append(list, Holder{Address: a.addr, Bytes: a.size, Elem: a.made.elem.String(), Site: a.made.at.String()})
	}
	slices.SortFunc(list, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Address, b.Address))
	})
	return list
}

// exhausted is the error of an allocation for which the device has no memory. It says who
// has it.
func (l *link) exhausted(size uint64, cause *backend.Error) error {
	e := fromBackend("", cause)
	e.Message = fmt.Sprintf("%s were asked for", byteCount(size))
	var free, total uint64
	err := l.with(func(p *process) error {
		req := &wire.MemInfo{}
		err := l.request(p, req, -1)
		free, total = req.Free, req.Total
		return err
	})
	if err == nil {
		e.Message += fmt.Sprintf(", and %s of %s are free", byteCount(free), byteCount(total))
	}
	l.mu.Lock()
	if l.limit > 0 {
		e.Message += fmt.Sprintf(", of which Limit leaves the pool %s", byteCount(l.limit))
	}
	l.mu.Unlock()
	holders := l.holders()
	if len(holders) == 0 {
		e.Message += "; this session holds no buffers"
		return e
	}
	var held uint64
	for _, h := range holders {
		held += h.Bytes
	}
	const most = 5
	var names []string
	for _, h := range holders[:min(len(holders), most)] {
		names = append(names, fmt.Sprintf("%s of %s made at %s", byteCount(h.Bytes), h.Elem, h.Site))
	}
	if n := len(holders) - most; n > 0 {
		names = append(names, fmt.Sprintf("%d smaller ones", n))
	}
	e.Message += fmt.Sprintf("; this session holds %s in %d buffers: %s. Free gives a buffer back", byteCount(held), len(holders), strings.Join(names, ", "))
	return e
}
