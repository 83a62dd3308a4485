package gpu

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
	"github.com/gopherwarp/gopherwarp/gpu/vec"
)

// Texel is a constraint that permits the types of a texture's elements: one, two or four integers of 8 to 32 bits, or floats.
type Texel interface {
	~int8 | ~int16 | ~int32 | ~uint8 | ~uint16 | ~uint32 | ~float32 |
		vec.Char2 | vec.Char4 | vec.Uchar2 | vec.Uchar4 | vec.Short2 | vec.Short4 | vec.Ushort2 | vec.Ushort4 |
		vec.Int2 | vec.Int4 | vec.Uint2 | vec.Uint4 | vec.Float2 | vec.Float4 | Float16x2
}

// An AddressMode is the rule for reads outside a texture.
type AddressMode uint8

// The address modes. Wrap and Mirror need normalized coordinates.
const (
	AddressClamp  AddressMode = iota // the nearest element at the edge
	AddressBorder                    // Sampling.Border
	AddressWrap                      // the texture, repeated
	AddressMirror                    // the texture, repeated and every second time mirrored
)

// addressModes has the backends' values of the modes.
var addressModes = [...]backend.AddressMode{backend.AddressClamp, backend.AddressBorder, backend.AddressWrap, backend.AddressMirror}

// A Sampling says how kernels read a texture. The zero Sampling returns the element at a coordinate unchanged, or the nearest one at the
// edge.
type Sampling struct {
	// Linear interpolates between the elements around a point; the centre of the first element is at 0.5. Weights have 8 bits after the
	// binary point. Elements must be floats, or be read AsFloat.
	Linear bool
	// Address is the address mode in x, y and z. AddressAll returns the same mode for all.
	Address [3]AddressMode
	// Normalized makes coordinates range from 0 to 1 over the texture, instead of from 0 to the number of elements.
	Normalized bool
	// AsFloat converts integers of 8 and 16 bits to floats when they are read: from 0 to 1, or from -1 to 1 if they are signed.
	AsFloat bool
	// Border is the value of AddressBorder: a number for each channel, rounded towards zero for integers. With AsFloat it is from 0 to 1, or from
	// -1 to 1 if they are signed.
	Border [4]float32
}

// AddressAll returns the address mode for x, y and z.
func AddressAll(m AddressMode) [3]AddressMode { return [3]AddressMode{m, m, m} }

// A Texture is a table of one to three dimensions that kernels read by the GPU's texture hardware. A kernel takes it as a
// cudaTextureObject_t and reads it by tex1D, tex2D or tex3D:
//
//	__global__ void k(cudaTextureObject_t t, float *out) { *out = tex2D<float>(t, 1.5f, 0.5f); }
//	t, err := gpu.NewTexture(host, gpu.Sampling{Linear: true}, width, height)
//	err = k.Launch(gpu.For(1, 1), t, out)
//
// A kernel written in Go takes a Tex1D, Tex2D or Tex3D for it.
//
// A texture can also be the argument for a cudaSurfaceObject_t, which kernels read and write by surf2Dread, surf2Dwrite and the functions
// for other dimensions; their first coordinate is in bytes.
//
// On a GPU its elements are stored twice: in the layout of the texture hardware, and in row-major order, to restore the texture if the
// device process is replaced. It is freed as a Buffer is.
type Texture struct {
	block  *client.Block
	addr   uint64
	handle uint32
	state  *client.TextureState
	of     any    // a nil pointer to an element
	elem   string // its name
	bytes  int    // of an element
}

// NewTexture returns a texture with a copy of the elements, in row-major order, on the current device. The one to three sizes are its
// width, height and depth in elements. It returns an error if their product is not the number of elements, or if the sampling does not
// suit the type.
func NewTexture[T Texel](elements []T, s Sampling, sizes ...int) (*Texture, error) {
	d, err := Current()
	if err != nil {
		return nil, wrap("making a texture", err)
	}
	return textureOn(d, elements, s, sizes)
}

func textureOn[T Texel](d *Device, elements []T, s Sampling, sizes []int) (*Texture, error) {
	const op = "making a texture"
	desc, err := describeTexture(reflect.TypeFor[T](), s, sizes)
	if err != nil {
		return nil, wrap(op, err)
	}
	host := bytesOf(elements)
	if uint64(len(host)) != desc.Bytes() {
		return nil, misuse(op, "there are %d elements for a texture of %s", len(elements), sizeText(sizes))
	}
	if err := d.open(); err != nil {
		return nil, wrap(op, err)
	}
	l := d.link
	b, err := l.Alloc(desc.Bytes(), originOf[T](1))
	if err != nil {
		return nil, wrap(op, err)
	}
	if err := b.Upload(b.Addr, host, 0); err != nil {
		return nil, wrap(op, err)
	}
	desc.Addr = b.Addr
	t := &Texture{block: b, addr: b.Addr, state: &client.TextureState{Texture: *desc}, of: (*T)(nil), elem: typeName(reflect.TypeFor[T]()), bytes: len(host) / len(elements)}
	if t.handle, err = l.NewTexture(t.state); err != nil {
		return nil, wrap(op, err)
	}
	runtime.AddCleanup(t, l.DropTexture, t.handle)
	return t, nil
}

// describeTexture checks the configuration of a texture and returns it in the backends' form.
func describeTexture(elem reflect.Type, s Sampling, sizes []int) (*backend.Texture, error) {
	if len(sizes) < 1 || len(sizes) > 3 {
		return nil, misuse("", "a texture has one to three sizes (width, height, depth), not %d", len(sizes))
	}
	t := &backend.Texture{
		Dimensions: uint32(len(sizes)), Size: [3]uint32{1, 1, 1}, Address: [3]backend.AddressMode{backend.AddressClamp, backend.AddressClamp, backend.AddressClamp},
		Linear: s.Linear, Normalized: s.Normalized, Values: s.AsFloat, Border: s.Border,
	}
	for i, n := range sizes {
		if n < 1 || n > 1<<20 {
			return nil, misuse("", "a texture of %s elements cannot be", sizeText(sizes))
		}
		t.Size[i] = uint32(n)
	}
	channel := elem
	t.Channels = 1
	if elem.Kind() == reflect.Struct {
		channel, t.Channels = elem.Field(0).Type, uint32(elem.NumField())
	}
	t.Bits = uint32(channel.Size()) * 8
	switch {
	case channel == bfloat16Type:
		return nil, misuse("", "GPUs have no textures of BFloat16: convert the elements")
	case channel == float16Type || channel.Kind() == reflect.Float32:
		t.Kind = backend.TexelFloat
	case channel.Kind() >= reflect.Uint8 && channel.Kind() <= reflect.Uint32:
		t.Kind = backend.TexelUnsigned
	}
	// In a dimension that a texture does not have, a GPU reads in the middle of its edge: half a border would be interpolated.
	for i, m := range s.Address[:len(sizes)] {
		if int(m) >= len(addressModes) {
			return nil, misuse("", "there is no address mode %d", m)
		}
		if (m == AddressWrap || m == AddressMirror) && !s.Normalized {
			return nil, misuse("", "AddressWrap and AddressMirror need coordinates from 0 to 1: set Normalized")
		}
		t.Address[i] = addressModes[m]
	}
	floats := t.Kind == backend.TexelFloat
	if !floats && !s.AsFloat {
		for i, v := range s.Border {
			t.Border[i] = math.Float32frombits(uint32(int64(v))) // GPUs take the bits for those of integers
		}
	}
	switch {
	case s.AsFloat && (floats || t.Bits > 16):
		return nil, misuse("", "AsFloat is for integers of 8 and 16 bits, and the elements are %v", elem)
	case s.Linear && !floats && !s.AsFloat:
		return nil, misuse("", "Linear mixes floats, and the elements are %v: set AsFloat, if they have 8 or 16 bits, or convert them", elem)
	}
	return t, nil
}

func sizeText(sizes []int) string {
	text := ""
	for i, n := range sizes {
		if i > 0 {
			text += " × "
		}
		text += fmt.Sprint(n)
	}
	return text
}

// Update replaces the elements by a slice of the same type and length. Earlier work of the default stream reads the old ones.
func (t *Texture) Update(elements any) error {
	const op = "updating a texture"
	host, err := t.memory(op, elements)
	if err != nil {
		return err
	}
	l := t.block.Link
	defer runtime.KeepAlive(t)
	if err := t.block.Upload(t.addr, host, 0); err != nil {
		return wrap(op, err)
	}
	return wrap(op, l.UpdateTexture(t.handle, t.state, t.block.Allocation))
}

// CopyTo waits for the default stream and copies the elements to a slice of the same type and length: those of NewTexture or Update, or
// what kernels have written since.
func (t *Texture) CopyTo(elements any) error {
	const op = "copying from a texture"
	host, err := t.memory(op, elements)
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(t)
	return wrap(op, t.block.Download(host, t.addr, 0))
}

// memory returns the memory of a slice of the texture's elements.
func (t *Texture) memory(op string, elements any) ([]byte, error) {
	if err := t.made(); err != nil {
		return nil, wrap(op, err)
	}
	v := reflect.ValueOf(elements)
	if v.Kind() != reflect.Slice || typeName(v.Type().Elem()) != t.elem {
		return nil, misuse(op, "the elements are a %T, and the texture's are of type %s: give it a slice of these", elements, t.elem)
	}
	n := int(t.state.Bytes()) / t.bytes
	if v.Len() != n {
		return nil, misuse(op, "there are %d elements, and the texture has %d", v.Len(), n)
	}
	return unsafe.Slice((*byte)(v.UnsafePointer()), n*t.bytes), nil
}

// Size returns the number of elements in x, y and z; it is 1 in dimensions that the texture does not have.
func (t *Texture) Size() Dim3 {
	s := t.state.Size
	return Dim3{int(s[0]), int(s[1]), int(s[2])}
}

// Device returns the device that has the texture.
func (t *Texture) Device() *Device { return deviceOf(t.block.Link) }

// String returns a description of the texture: its size, type and device. CopyTo copies its elements.
func (t *Texture) String() string {
	if t.made() != nil {
		return "gpu.Texture: nil"
	}
	var sizes []int
	for i := range t.state.Dimensions {
		sizes = append(sizes, int(t.state.Size[i]))
	}
	return fmt.Sprintf("gpu.Texture: %s elements of type %s on %s", sizeText(sizes), t.elem, t.Device().Name())
}

// made returns an error if the texture is nil or empty, the zero Texture.
func (t *Texture) made() error {
	if t == nil || t.block == nil {
		return misuse("", "the texture is nil: make it with gpu.NewTexture")
	}
	return nil
}

// Free frees the memory once the device has finished its work on it. Using the texture afterwards is an error, as is freeing it twice. A
// texture that becomes unreachable is freed automatically.
func (t *Texture) Free() error {
	const op = "freeing a texture"
	if err := t.made(); err != nil {
		return wrap(op, err)
	}
	t.block.Link.DropTexture(t.handle)
	return freeBlock(op, t.block, false)
}

// Texture passes a texture, or the surface by which a kernel writes to it.
func (c *Call) Texture(t *Texture) {
	kind := wire.ParamTexture
	if c.err == nil && c.next < len(c.k.params) && c.k.params[c.next].Kind == wire.ParamSurface {
		kind = wire.ParamSurface
	}
	p, at := c.param(kind, 8, "a texture")
	switch {
	case p == nil:
	case t.made() != nil:
		c.err = c.k.reject("parameter %s is nil: make the texture with gpu.NewTexture", describe(p))
	case t.block.Link != c.k.mod.dev.link:
		c.err = c.k.reject("parameter %s is a texture on %s, the kernel was compiled for %s", describe(p), t.block.Link.Name(), c.k.mod.dev.Name())
	default:
		*(*uint64)(at) = uint64(t.handle)
		c.refs = append(c.refs, reference{block: t.block, addr: t.addr, bytes: int(t.state.Bytes()), param: c.next - 1})
		c.textures = append(c.textures, t)
	}
}
