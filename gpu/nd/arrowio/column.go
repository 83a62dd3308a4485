package arrowio

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/dynamic"
)

// A Column is an array with a name. Its first axis is the rows.
type Column struct {
	Name string
	Data nd.Operand
	// Valid has false for the rows with missing elements (null). It is nil if there are none.
	Valid *nd.Array[bool]
}

// Get returns a column's array, whose elements must be of that type.
func Get[T nd.Elem](table []Column, name string) (*nd.Array[T], error) {
	var names []string
	for _, c := range table {
		if c.Name != name {
			names = append(names, c.Name)
			continue
		}
		if a, ok := c.Data.(*nd.Array[T]); ok {
			return a, nil
		}
		var a *nd.Array[T]
		err := nd.Try(func() {
			dt, shape, _ := nd.Describe(c.Data)
			if dt != nd.DTypeOf[T]() {
				panic(fmt.Errorf("column %q holds %v, not %v: get it as that, and convert it with nd.AsType", name, dt, nd.DTypeOf[T]()))
			}
			a = nd.FromBuffer(gpu.Reinterpret[T](nd.Packed(c.Data)), shape...) // an int64 as int
		})
		return a, err
	}
	return nil, fmt.Errorf("there is no column %q, but %q", name, names)
}

// The Arrow extension type of columns of arrays.
const (
	extensionName     = "ARROW:extension:name"
	extensionMetadata = "ARROW:extension:metadata"
	tensorExtension   = "arrow.fixed_shape_tensor"
)

// tensorMetadata is the extension's metadata: the shape of an element of a column.
type tensorMetadata struct {
	Shape       []int `json:"shape"`
	Permutation []int `json:"permutation,omitempty"`
}

// ToArrow waits for a column and returns it as an Arrow array, with its field of a schema. The caller must release the array.
func ToArrow(c Column) (arrow.Field, arrow.Array, error) {
	field, data, err := toArrow(c)
	if err != nil {
		return arrow.Field{}, nil, fmt.Errorf("column %q: %w", c.Name, err)
	}
	defer data.Release()
	return field, array.MakeFromData(data), nil
}

func toArrow(c Column) (field arrow.Field, data arrow.ArrayData, err error) {
	var dt nd.DType
	var shape []int
	if err := nd.Try(func() { dt, shape, _ = nd.Describe(c.Data) }); err != nil {
		return field, nil, err
	}
	t, err := typeOf(dt)
	if err != nil {
		return field, nil, err
	}
	if len(shape) == 0 {
		return field, nil, errors.New("the array has no axes, and a column's first one is its rows: give it one by Reshape(1)")
	}
	host, err := fetch(c.Data)
	if err != nil {
		return field, nil, err
	}
	if dt == nd.Bool {
		host, _ = pack(host)
	}
	var valid *memory.Buffer
	nulls := 0
	if c.Valid != nil {
		rows, err := fetch(c.Valid)
		if err != nil {
			return field, nil, fmt.Errorf("its mask: %w", err)
		}
		if len(rows) != shape[0] || c.Valid.NDim() != 1 {
			return field, nil, fmt.Errorf("its mask has the shape %v, it has %d rows", c.Valid.Shape(), shape[0])
		}
		var bits []byte
		bits, nulls = pack(rows)
		valid = memory.NewBufferBytes(bits)
	}
	field = arrow.Field{Name: c.Name, Type: t, Nullable: c.Valid != nil}
	values := memory.NewBufferBytes(host)
	if len(shape) == 1 {
		return field, array.NewData(t, shape[0], []*memory.Buffer{valid, values}, nil, nulls, 0), nil
	}
	size := 1
	for _, n := range shape[1:] {
		size *= n
	}
	meta, err := json.Marshal(tensorMetadata{Shape: shape[1:]})
	if err != nil {
		return field, nil, err
	}
	field.Type = arrow.FixedSizeListOfNonNullable(int32(size), t)
	field.Metadata = arrow.NewMetadata([]string{extensionName, extensionMetadata}, []string{tensorExtension, string(meta)})
	child := array.NewData(t, shape[0]*size, []*memory.Buffer{nil, values}, nil, 0, 0)
	defer child.Release()
	return field, array.NewData(field.Type, shape[0], []*memory.Buffer{valid}, []arrow.ArrayData{child}, nulls, 0), nil
}

// fetch waits for an array and copies its elements to the host.
func fetch(a nd.Operand) (host []byte, err error) {
	err = nd.Try(func() {
		b := nd.Packed(a)
		host = make([]byte, b.Len())
		if err := b.CopyTo(host); err != nil {
			panic(err)
		}
	})
	return host, err
}

// FromArrow copies a column, which may have several parts, to the current device.
func FromArrow(field arrow.Field, parts ...arrow.Array) (Column, error) {
	list := make([]arrow.ArrayData, len(parts))
	for i, p := range parts {
		list[i] = p.Data()
	}
	c, err := fromArrow(field, list)
	if err != nil {
		return Column{}, fmt.Errorf("column %q: %w", field.Name, err)
	}
	return c, nil
}

func fromArrow(field arrow.Field, parts []arrow.ArrayData) (Column, error) {
	c := Column{Name: field.Name}
	t, inner := storage(field.Type), []int{}
	depth := 0
	for list, ok := t.(*arrow.FixedSizeListType); ok; list, ok = t.(*arrow.FixedSizeListType) {
		inner, t = append(inner, int(list.Len())), list.Elem()
		depth++
	}
	dt, err := dtypeOf(t)
	if err != nil {
		return c, err
	}
	if name, _ := field.Metadata.GetValue(extensionName); name == tensorExtension {
		text, _ := field.Metadata.GetValue(extensionMetadata)
		if inner, err = tensorShape(text, inner); err != nil {
			return c, err
		}
	}
	rows, masked := 0, false
	for _, p := range parts {
		rows += p.Len()
		masked = masked || missing(p, p.Offset(), p.Len())
	}
	var b *gpu.Buffer[byte]
	if c.Data, b, err = dynamic.Empty(dt, append([]int{rows}, inner...), nil, nil); err != nil {
		return c, err
	}
	if err := copyParts(b, rows, parts, dt, depth); err != nil {
		return c, err
	}
	if masked {
		c.Valid, err = validity(rows, parts)
	}
	return c, err
}

// copyParts copies the elements of all parts, which have that many rows, to the device.
func copyParts(b *gpu.Buffer[byte], rows int, parts []arrow.ArrayData, dt nd.DType, depth int) error {
	size := b.Len()
	if rows > 0 {
		size /= rows
	}
	at := 0
	for _, p := range parts {
		bytes, err := elements(p, dt, depth)
		if err != nil {
			return err
		}
		if len(bytes) != p.Len()*size {
			return fmt.Errorf("it is damaged: %d rows have %d bytes, not %d", p.Len(), len(bytes), p.Len()*size)
		}
		if len(bytes) > 0 {
			if err := b.Slice(at, at+len(bytes)).CopyFrom(bytes); err != nil {
				return err
			}
		}
		at += len(bytes)
	}
	return nil
}

// validity returns an array with false for the rows of the parts with missing elements.
func validity(rows int, parts []arrow.ArrayData) (*nd.Array[bool], error) {
	var valid []byte
	for _, p := range parts {
		if missing(p, p.Offset(), p.Len()) {
			valid = append(valid, unpack(p.Buffers()[0].Bytes(), p.Offset(), p.Len())...)
		} else {
			valid = append(valid, slices.Repeat([]byte{1}, p.Len())...)
		}
	}
	mask, b, err := dynamic.Empty(nd.Bool, []int{rows}, nil, nil)
	if err == nil {
		err = b.CopyFrom(valid)
	}
	if err != nil {
		return nil, err
	}
	return mask.(*nd.Array[bool]), nil
}

// storage returns the storage type of an extension type, and other types unchanged.
func storage(t arrow.DataType) arrow.DataType {
	if e, ok := t.(arrow.ExtensionType); ok {
		return e.StorageType()
	}
	return t
}

// missing reports whether any of n elements beginning at from is missing (null). The count that the data have is unknown for parts.
func missing(data arrow.ArrayData, from, n int) bool {
	if data.NullN() == 0 || len(data.Buffers()) == 0 || data.Buffers()[0] == nil {
		return false
	}
	bits := data.Buffers()[0].Bytes()
	for i := from; i < from+n && i < 8*len(bits); i++ {
		if bits[i/8]>>(i%8)&1 == 0 {
			return true
		}
	}
	return false
}

// tensorShape returns the shape of a column's elements, which are stored in lists of these lengths.
func tensorShape(text string, lists []int) ([]int, error) {
	var meta tensorMetadata
	if err := json.Unmarshal([]byte(text), &meta); err != nil {
		return nil, fmt.Errorf("what it says of %s is damaged: %w", tensorExtension, err)
	}
	size := 1
	for _, n := range meta.Shape {
		size *= n
	}
	if len(lists) != 1 || size != lists[0] || slices.ContainsFunc(meta.Shape, func(n int) bool { return n < 0 }) {
		return nil, fmt.Errorf("its elements have the shape %v, but are lists of %v", meta.Shape, lists)
	}
	if !slices.IsSorted(meta.Permutation) {
		return nil, fmt.Errorf("its elements are stored with their axes in another order (%v): write them in the order of C", meta.Permutation)
	}
	return meta.Shape, nil
}

// elements returns a column's elements below depth levels of lists, from the first row to the last.
func elements(data arrow.ArrayData, dt nd.DType, depth int) ([]byte, error) {
	from, n := data.Offset(), data.Len()
	for range depth {
		size := int(storage(data.DataType()).(*arrow.FixedSizeListType).Len())
		if len(data.Children()) != 1 {
			return nil, errors.New("it is damaged: a list has no elements")
		}
		data = data.Children()[0]
		from, n = from*size+data.Offset(), n*size
		if from+n > data.Offset()+data.Len() {
			return nil, errors.New("it is damaged: lists have too few elements")
		}
		if missing(data, from, n) {
			return nil, errors.New("elements within a row are missing (null): fill them before")
		}
	}
	if n == 0 {
		return nil, nil
	}
	var bytes []byte
	if buffers := data.Buffers(); len(buffers) == 2 && buffers[1] != nil {
		bytes = buffers[1].Bytes()
	}
	if dt == nd.Bool {
		if len(bytes)*8 < from+n {
			return nil, fmt.Errorf("it is damaged: %d bits of %d are there", len(bytes)*8, from+n)
		}
		return unpack(bytes, from, n), nil
	}
	size := dt.Size()
	if len(bytes) < (from+n)*size {
		return nil, fmt.Errorf("it is damaged: %d bytes of %d are there", len(bytes), (from+n)*size)
	}
	return bytes[from*size : (from+n)*size], nil
}
