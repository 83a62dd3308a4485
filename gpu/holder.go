package gpu

import (
	"reflect"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// originOf is the origin for the caller of the function that calls it, or skip callers
// further out.
func originOf[T Element](skip int) client.Origin {
	o := client.Origin{Elem: reflect.TypeFor[T]()}
	o.At.Note(2 + skip)
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
func (d *Device) Holders() []Holder {
	var list []Holder
	for _, h := range d.link.Holders() {
		list = append(list, Holder{Address: h.Addr, Bytes: h.Size, Elem: h.Made.Elem.String(), Site: h.Made.At.String()})
	}
	return list
}
