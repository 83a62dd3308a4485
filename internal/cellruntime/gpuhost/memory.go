package gpuhost

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

// CallMemory is the name of the handler that lists the users of the current device's memory. It takes a
// map[string]cell.Variable by name.
const CallMemory = "gpu.memory"

// Memory lists the users of a device's memory.
type Memory struct {
	Device      string
	Free, Total uint64 // bytes
	Pool        gpu.PoolStats
	Holders     []Holder
}

// Holder is a buffer and the variables that refer to it, such as "x" or "layers[2].Weights". There
// are none if only memory outside the cells' variables refers to it.
type Holder struct {
	gpu.Holder
	Variables []string
}

func memory(vars map[string]cell.Variable) (Memory, error) {
	d, err := gpu.Current()
	if err != nil {
		return Memory{}, err
	}
	m := Memory{Device: d.String(), Pool: d.Pool()}
	if m.Free, m.Total, err = d.MemInfo(); err != nil {
		return Memory{}, err
	}
	found := finder{device: d.Name()}
	for name, v := range vars {
		if p := v.Pointer(); p != nil {
			found.look(name, reflect.ValueOf(p).Elem(), 0)
		}
	}
	for _, h := range d.Holders() {
		m.Holders = append(m.Holders, Holder{h, found.within(h)})
	}
	return m, nil
}

// deviceMemory is a *gpu.Buffer or *gpu.Buffer2D of any element.
type deviceMemory interface {
	Address() uint64
	Device() *gpu.Device
	Bytes() int
}

// finder collects the buffers that variables refer to.
type finder struct {
	device string
	refs   []reference
}

type reference struct {
	addr uint64
	path string
}

const (
	deepest = 4    // maximum number of levels of pointers, fields and elements
	widest  = 1000 // maximum number of elements of a slice or map
)

func (f *finder) look(path string, v reflect.Value, depth int) {
	if v.Kind() == reflect.Pointer && !v.IsNil() && v.CanInterface() {
		if m, ok := v.Interface().(deviceMemory); ok {
			if f.here(m) {
				f.refs = append(f.refs, reference{m.Address(), path})
			}
			return
		}
	}
	if depth == deepest {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			f.look(path, v.Elem(), depth+1)
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), widest) {
			f.look(fmt.Sprintf("%s[%d]", path, i), v.Index(i), depth+1)
		}
	case reflect.Map:
		if v.Len() > widest {
			return
		}
		for it := v.MapRange(); it.Next(); {
			f.look(fmt.Sprintf("%s[%s]", path, valuefmt.Sprint(it.Key())), it.Value(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				f.look(path+"."+field.Name, v.Field(i), depth+1)
			}
		}
	}
}

// here reports whether memory is the device's. It is not for the zero value of a buffer, which has no
// device.
func (f *finder) here(m deviceMemory) bool {
	return m.Address() != 0 && m.Device().Name() == f.device
}

// within returns the names of the references to the buffer or to a view of it.
func (f *finder) within(h gpu.Holder) []string {
	var names []string
	for _, r := range f.refs {
		if r.addr >= h.Address && r.addr-h.Address < h.Bytes {
			names = append(names, r.path)
		}
	}
	slices.Sort(names)
	return names
}
