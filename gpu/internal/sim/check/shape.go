package check

import (
	"debug/dwarf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A shape is the type of a variable's memory: the element size in bytes and the dimensions of the
// array. It is zero if the type is unknown.
type shape struct {
	elem int64
	typ  string  // of an element, in Go's words; "" if it is not one of Go's numbers
	dims []int64 // the first is 0 if the launch determines it
}

// index returns the index of the element at an offset in bytes: "[3]", "[1][0]", or "" for a
// variable that is not an array.
func (s shape) index(offset int64) string {
	n := backend.FloorDiv(offset, s.elem)
	var parts []string
	for i := len(s.dims) - 1; i > 0; i-- {
		parts = append(parts, fmt.Sprintf("[%d]", n-backend.FloorDiv(n, s.dims[i])*s.dims[i]))
		n = backend.FloorDiv(n, s.dims[i])
	}
	if len(s.dims) == 0 {
		return ""
	}
	text := fmt.Sprintf("[%d]", n)
	for i := len(parts) - 1; i >= 0; i-- {
		text += parts[i]
	}
	return text
}

// elements returns the number of elements of an array of that many bytes: "64 elements (0 to 63)"
// or "32 × 33 elements".
func (s shape) elements(size int64) string {
	if len(s.dims) == 1 {
		n := size / s.elem
		return fmt.Sprintf("%s (%s)", count(uint64(n), "element"), backend.Indices(n))
	}
	var list []string
	rest := size / s.elem
	for _, n := range s.dims[1:] {
		rest /= n
		list = append(list, fmt.Sprint(n))
	}
	return fmt.Sprintf("%d × %s elements", rest, strings.Join(list, " × "))
}

// size returns the size of a variable of the shape in bytes, 0 for an array of unknown length.
func (s shape) size() int64 {
	n := s.elem
	for _, d := range s.dims {
		n *= d
	}
	return n
}

func (s shape) equal(o shape) bool { return s.elem == o.elem && slices.Equal(s.dims, o.dims) }

// The location expressions of variables in debug information.
const (
	opAddress     = 0x03
	opConst8      = 0x0e
	opThreadLocal = 0x9b
	opOldTLS      = 0xe0
)

// readShapes reads the types of the program's variables from debug information.
func (m *Image) readShapes(d *dwarf.Data) error {
	r := d.Reader()
	unplaced := map[string][]shape{} // by name, the shapes of variables without a location
	defer m.addUnplaced(unplaced)
	for {
		e, err := r.Next()
		if err != nil {
			return fmt.Errorf("read debug information: %w", err)
		}
		if e == nil {
			return nil
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		offset, typed := e.Val(dwarf.AttrType).(dwarf.Offset)
		if e.Tag != dwarf.TagVariable || !typed {
			continue
		}
		v := m.variableAt(e)
		if v == nil {
			v = m.dynamicNamed(name)
		}
		if v == nil && (name == "" || e.Val(dwarf.AttrLocation) != nil) {
			continue
		}
		t, err := d.Type(offset)
		if err != nil {
			continue // of a kind that package dwarf does not have
		}
		if v == nil {
			unplaced[name] = append(unplaced[name], shapeOf(t))
			continue
		}
		v.shape = shapeOf(t)
	}
}

// addUnplaced sets the shapes of shared variables without a location to those of the variables of the same name and size,
// unless these differ. GCC for arm64 writes no locations of thread-local variables.
func (m *Image) addUnplaced(shapes map[string][]shape) {
	for i := range m.shared {
		v := &m.shared[i]
		if v.dynamic || v.shape.elem != 0 {
			continue
		}
		var fitting []shape
		for _, s := range shapes[v.name] {
			if s.size() == int64(v.size) {
				fitting = append(fitting, s)
			}
		}
		if len(fitting) > 0 && !slices.ContainsFunc(fitting, func(s shape) bool { return !s.equal(fitting[0]) }) {
			v.shape = fitting[0]
		}
	}
}

// variableAt returns the variable at the location of an entry, or nil.
func (m *Image) variableAt(e *dwarf.Entry) *variable {
	place, _ := e.Val(dwarf.AttrLocation).([]byte)
	if len(place) < 9 {
		return nil
	}
	at := binary.LittleEndian.Uint64(place[1:])
	list := m.globals
	if len(place) == 10 && place[0] == opConst8 && (place[9] == opThreadLocal || place[9] == opOldTLS) {
		list = m.shared
	} else if len(place) != 9 || place[0] != opAddress {
		return nil
	}
	for i := range list {
		if list[i].at == at && !list[i].dynamic {
			return &list[i]
		}
	}
	return nil
}

// dynamicNamed returns the dynamic shared memory of that name, which is declared without a location, or nil.
func (m *Image) dynamicNamed(name string) *variable {
	for i := range m.shared {
		if m.shared[i].dynamic && m.shared[i].name == name {
			return &m.shared[i]
		}
	}
	return nil
}

// goType returns what Go calls a number's type, or "".
func goType(t dwarf.Type) string {
	switch t.(type) {
	case *dwarf.FloatType:
		return fmt.Sprintf("float%d", 8*t.Size())
	case *dwarf.IntType, *dwarf.CharType:
		return fmt.Sprintf("int%d", 8*t.Size())
	case *dwarf.UintType, *dwarf.UcharType:
		return fmt.Sprintf("uint%d", 8*t.Size())
	case *dwarf.BoolType:
		return "bool"
	}
	return ""
}

func shapeOf(t dwarf.Type) shape {
	var s shape
	for {
		switch u := t.(type) {
		case *dwarf.TypedefType:
			t = u.Type
		case *dwarf.QualType:
			t = u.Type
		case *dwarf.ArrayType:
			s.dims = append(s.dims, max(u.Count, 0))
			t = u.Type
		default:
			s.elem = t.Size()
			for _, n := range s.dims[min(len(s.dims), 1):] {
				if n <= 0 {
					return shape{}
				}
			}
			if s.elem <= 0 {
				return shape{}
			}
			s.typ = goType(t)
			return s
		}
	}
}
