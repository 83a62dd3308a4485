package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/client"

// originOf returns the origin for the caller of the function that calls it, or for one skip callers further up.
func originOf[T Element](skip int) client.Origin {
	o := client.Origin{Elem: (*T)(nil)}
	o.At.Note(2 + skip)
	return o
}

// A Holder describes a buffer that exists.
type Holder struct {
	Address uint64 // of the first element, on the device
	Bytes   uint64 // rounded up by the allocator
	Elem    string // Go type of the elements, e.g. "float32"
	Site    string // where it was allocated, e.g. "cell[3]:7"
}

// Holders returns the buffers that exist on the device, the largest first. It does not start the device.
func (d *Device) Holders() []Holder {
	var list []Holder
	for _, h := range d.link.Holders() {
		list = append(list, Holder{Address: h.Addr, Bytes: h.Size, Elem: h.Made.Type(), Site: h.Made.At.String()})
	}
	return list
}
