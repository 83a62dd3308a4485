package check

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

// A function is a function of a program that was compiled without optimisation, so that its variables are in its frame.
type function struct {
	lo, hi uint64 // addresses of its code
	name   string
	base   int64 // where its locals are counted from, from the canonical frame address
	locals []local
}

// A local is a parameter or a variable of a function.
type local struct {
	name   string
	param  bool
	line   int    // of the declaration
	lo, hi uint64 // addresses of the code of its scope
	at     int64  // from the canonical frame address
	typ    dwarf.Type
}

// lineSymbol is the runtime's function that programs call at their lines if these are recorded.
const lineSymbol = "gw_line"

// The location expressions of frames and of variables in them.
const (
	opFrameBase    = 0x91
	opCallFrameCFA = 0x9c
	opFramePointer = 0x56 // of amd64, which clang++ counts from
)

// belowCFA is the number of bytes between the frame pointer and the canonical frame address.
const belowCFA = 16

// readFunctions reads the functions whose variables have a place in the frame, of a program whose lines are recorded.
func readFunctions(d *dwarf.Data, symbols []elf.Symbol) ([]function, error) {
	if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == lineSymbol }) {
		return nil, nil
	}
	w := functionReader{data: d}
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return nil, fmt.Errorf("read debug information: %w", err)
		}
		if e == nil {
			return w.list, nil
		}
		if err := w.add(e); err != nil {
			return nil, err
		}
	}
}

// A functionReader collects functions from the entries of debug information in their order.
type functionReader struct {
	data   *dwarf.Data
	list   []function
	scopes []scope // of the entries whose children follow
}

// A scope is a range of code, in a function of the list if in is not negative.
type scope struct {
	lo, hi uint64
	in     int
}

func (w *functionReader) add(e *dwarf.Entry) error {
	if e.Tag == 0 { // the end of children
		w.scopes = w.scopes[:max(len(w.scopes)-1, 0)]
		return nil
	}
	now := scope{in: -1}
	if len(w.scopes) > 0 {
		now = w.scopes[len(w.scopes)-1]
	}
	switch e.Tag {
	case dwarf.TagSubprogram, dwarf.TagLexDwarfBlock:
		ranges, err := w.data.Ranges(e)
		if err != nil {
			return fmt.Errorf("read debug information: %w", err)
		}
		if e.Tag == dwarf.TagSubprogram {
			now.in = -1
		}
		if len(ranges) == 0 {
			break
		}
		now.lo, now.hi = ranges[0][0], ranges[len(ranges)-1][1]
		base, _ := e.Val(dwarf.AttrFrameBase).([]byte)
		if e.Tag == dwarf.TagSubprogram && len(base) == 1 && (base[0] == opCallFrameCFA || base[0] == opFramePointer) {
			now.in = len(w.list)
			f := function{lo: now.lo, hi: now.hi, name: w.name(e)}
			if base[0] == opFramePointer {
				f.base = -belowCFA
			}
			w.list = append(w.list, f)
		}
	case dwarf.TagFormalParameter, dwarf.TagVariable:
		if now.in >= 0 {
			w.local(e, now)
		}
	}
	if e.Children {
		w.scopes = append(w.scopes, now)
	}
	return nil
}

// name returns the name of a function or variable, which may stand in the entry of its declaration.
func (w *functionReader) name(e *dwarf.Entry) string {
	for range 4 {
		if name, ok := e.Val(dwarf.AttrName).(string); ok {
			return name
		}
		of, ok := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !ok {
			of, ok = e.Val(dwarf.AttrSpecification).(dwarf.Offset)
		}
		if !ok {
			break
		}
		r := w.data.Reader()
		r.Seek(of)
		next, err := r.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	return ""
}

// local adds a parameter or variable that is in the frame.
func (w *functionReader) local(e *dwarf.Entry, in scope) {
	location, _ := e.Val(dwarf.AttrLocation).([]byte)
	of, isTyped := e.Val(dwarf.AttrType).(dwarf.Offset)
	name, _ := e.Val(dwarf.AttrName).(string)
	if len(location) < 2 || location[0] != opFrameBase || !isTyped || name == "" {
		return
	}
	at, rest := signed(location[1:])
	typ, err := w.data.Type(of)
	if err != nil || rest != 0 {
		return
	}
	line, _ := e.Val(dwarf.AttrDeclLine).(int64)
	f := &w.list[in.in]
	f.locals = append(f.locals, local{
		name: name, param: e.Tag == dwarf.TagFormalParameter, line: int(line), lo: in.lo, hi: in.hi, at: f.base + at, typ: typ,
	})
}

// signed decodes a number in signed LEB128, and returns how many bytes are left.
func signed(b []byte) (v int64, rest int) {
	shift := uint(0)
	for i, c := range b {
		v |= int64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if c&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v, len(b) - i - 1
		}
	}
	return v, 0
}

// locals returns the name of the function at an address and its variables, from a part of its frame.
func (l *Launch) locals(pc uint32, frame trace.FrameBytes) (name string, list []trace.Local) {
	at := uint64(pc) - 1 // a return address is after its call
	for i := range l.program.image.functions {
		f := &l.program.image.functions[i]
		if at < f.lo || at >= f.hi {
			continue
		}
		for k := range f.locals {
			v := &f.locals[k]
			offset := int64(frame.CFA) + v.at - int64(frame.Start)
			size := v.typ.Size()
			if at < v.lo || at >= v.hi || offset < 0 || size <= 0 || offset+size > int64(len(frame.Data)) {
				continue
			}
			of := trace.Local{Name: v.name, Type: typeText(v.typ), Value: valueText(v.typ, frame.Data[offset:offset+size], 0)}
			if !v.param {
				of.Line = v.line
			}
			list = append(list, of)
		}
		return f.name, list
	}
	return "", nil
}

const (
	deepestValue  = 2 // maximum number of levels of structs and arrays
	longestValue  = 8 // maximum number of elements of arrays
	unknownValue  = "…"
	pointerFormat = "%#x"
)

// valueText returns a value as text, in the manner of C.
func valueText(typ dwarf.Type, data []byte, depth int) string {
	var full [8]byte
	copy(full[:], data)
	bits := binary.LittleEndian.Uint64(full[:])
	switch t := typ.(type) {
	case *dwarf.TypedefType:
		return valueText(t.Type, data, depth)
	case *dwarf.QualType:
		return valueText(t.Type, data, depth)
	case *dwarf.BoolType:
		return strconv.FormatBool(bits != 0)
	case *dwarf.IntType, *dwarf.CharType:
		shift := 64 - 8*min(len(data), 8)
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	case *dwarf.UintType, *dwarf.UcharType, *dwarf.EnumType:
		return strconv.FormatUint(bits, 10)
	case *dwarf.FloatType:
		switch len(data) {
		case 4:
			return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
		case 8:
			return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
		}
	case *dwarf.PtrType:
		return fmt.Sprintf(pointerFormat, bits)
	case *dwarf.StructType:
		return structText(t, data, depth)
	case *dwarf.ArrayType:
		return arrayText(t, data, depth)
	}
	return unknownValue
}

// typeText returns a type as C writes it.
func typeText(typ dwarf.Type) string {
	switch t := typ.(type) {
	case *dwarf.PtrType:
		of := typeText(t.Type)
		if strings.HasSuffix(of, "*") {
			return of + "*"
		}
		return of + " *"
	case *dwarf.ArrayType:
		return fmt.Sprintf("%s[%d]", typeText(t.Type), t.Count)
	case *dwarf.QualType:
		return t.Qual + " " + typeText(t.Type)
	case *dwarf.StructType:
		return t.StructName
	}
	return typ.String()
}

func structText(t *dwarf.StructType, data []byte, depth int) string {
	if depth == deepestValue {
		return "{" + unknownValue + "}"
	}
	var parts []string
	for _, f := range t.Field {
		size := f.Type.Size()
		if f.ByteOffset < 0 || size < 0 || f.ByteOffset+size > int64(len(data)) || f.BitSize > 0 {
			continue
		}
		parts = append(parts, f.Name+": "+valueText(f.Type, data[f.ByteOffset:f.ByteOffset+size], depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func arrayText(t *dwarf.ArrayType, data []byte, depth int) string {
	size := t.Type.Size()
	if depth == deepestValue || size <= 0 {
		return "{" + unknownValue + "}"
	}
	var parts []string
	for i := range t.Count {
		if i == longestValue {
			parts = append(parts, unknownValue)
			break
		}
		if (i+1)*size <= int64(len(data)) {
			parts = append(parts, valueText(t.Type, data[i*size:(i+1)*size], depth+1))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
