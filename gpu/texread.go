package gpu

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A Tex1D is a texture that a kernel written in Go reads: of one dimension, by values of type T. A launch takes a *Texture for it, and
// Launch.Run what Tex1DOf returns.
//
//	//gpu:kernel
//	func resample(t gpu.Tex1D[float32], out []float32) {
//		if i := gpu.GlobalID(); i < len(out) {
//			out[i] = t.At(float32(i)/2 + 0.5)
//		}
//	}
type Tex1D[T Texel] struct{ texels *texels }

// A Tex2D is a texture of two dimensions, as Tex1D.
type Tex2D[T Texel] struct{ texels *texels }

// A Tex3D is a texture of three dimensions, as Tex1D.
type Tex3D[T Texel] struct{ texels *texels }

// Tex1DOf returns a texture of the host that has the elements, for Launch.Run. T is the type of the values that kernels read: that of the
// elements, or a float type with as many channels if the Sampling is AsFloat or the elements are Float16. It panics where NewTexture returns an
// error, and if T does not suit.
func Tex1DOf[T, E Texel](elements []E, s Sampling, width int) Tex1D[T] {
	return Tex1D[T]{texelsOf[T](elements, s, width)}
}

// Tex2DOf is Tex1DOf for two dimensions. Elements are in row-major order.
func Tex2DOf[T, E Texel](elements []E, s Sampling, width, height int) Tex2D[T] {
	return Tex2D[T]{texelsOf[T](elements, s, width, height)}
}

// Tex3DOf is Tex1DOf for three dimensions.
func Tex3DOf[T, E Texel](elements []E, s Sampling, width, height, depth int) Tex3D[T] {
	return Tex3D[T]{texelsOf[T](elements, s, width, height, depth)}
}

// At returns the value at a place as the texture's Sampling says: CUDA's tex1D.
func (t Tex1D[T]) At(x float32) T { return readTexel[T](t.texels, [3]float32{x}) }

// At returns the value at a place as the texture's Sampling says: CUDA's tex2D.
func (t Tex2D[T]) At(x, y float32) T { return readTexel[T](t.texels, [3]float32{x, y}) }

// At returns the value at a place as the texture's Sampling says: CUDA's tex3D.
func (t Tex3D[T]) At(x, y, z float32) T { return readTexel[T](t.texels, [3]float32{x, y, z}) }

// texels are the elements of a texture of the host.
type texels struct {
	*backend.Texture
	data unsafe.Pointer
	kind reflect.Kind // of the numbers that kernels read
}

func texelsOf[T, E Texel](elements []E, s Sampling, sizes ...int) *texels {
	const op = "making a texture of the host"
	desc, err := describeTexture(reflect.TypeFor[E](), s, sizes)
	if err == nil && uint64(len(bytesOf(elements))) != desc.Bytes() {
		err = misuse("", "there are %d elements for a texture of %s", len(elements), sizeText(sizes))
	}
	if err == nil {
		err = readAs[T](desc, reflect.TypeFor[E]())
	}
	if err != nil {
		panic(wrap(op, err))
	}
	own := append([]E{}, elements...)
	kind, _ := channelsOf(reflect.TypeFor[T]())
	return &texels{desc, unsafe.Pointer(unsafe.SliceData(own)), kind}
}

// channelsOf returns the kind and the number of the channels of a texture's element, or of what is read of it.
func channelsOf(t reflect.Type) (kind reflect.Kind, n uint32) {
	if t.Kind() == reflect.Struct {
		return t.Field(0).Type.Kind(), uint32(t.NumField())
	}
	return t.Kind(), 1
}

// readAs returns an error if a texture is not read by values of type T. elem is the type of its elements.
func readAs[T Texel](desc *backend.Texture, elem reflect.Type) error {
	kind, n := channelsOf(reflect.TypeFor[T]())
	want, _ := channelsOf(elem)
	if desc.Values || desc.Kind == backend.TexelFloat {
		want = reflect.Float32
	}
	if kind == want && n == desc.Channels {
		return nil
	}
	name := want.String()
	if desc.Channels > 1 {
		name = fmt.Sprintf("vec types with %d × %s", desc.Channels, want)
	}
	return misuse("", "the kernel reads values of type %s, and a texture of %s with this Sampling gives %s", reflect.TypeFor[T](), elem, name)
}

// readTexel reads a texture at a place, as GPUs do: weights of elements have the 8 bits of a fraction (CUDA C++ Programming Guide, Texture
// Fetching).
func readTexel[T Texel](t *texels, place [3]float32) T {
	if t == nil {
		panic("gpu: the texture is nil: make it with gpu.Tex1DOf, Tex2DOf or Tex3DOf")
	}
	var weight [3]float32
	var low [3]int
	for i := range t.Dimensions {
		p := place[i]
		if t.Normalized {
			p *= float32(t.Size[i])
		}
		if p != p {
			p = 0
		}
		if t.Linear {
			p -= 0.5
			if -far < p && p < far {
				weight[i] = float32(math.Round(float64((p-float32(math.Floor(float64(p))))*256)) / 256)
			}
		}
		low[i] = texelIndex(p)
	}
	var at [3]int
	var values [4]float64
	for c := range int(t.Channels) {
		if t.Linear {
			values[c] = float64(t.between(int(t.Dimensions)-1, low, weight, &at, c))
			continue
		}
		for i := range t.Dimensions {
			at[i] = t.inside(low[i], i)
		}
		values[c] = t.channel(at, c)
	}
	var v T
	t.put(unsafe.Pointer(&v), values)
	runtime.KeepAlive(t)
	return v
}

// far is a coordinate beyond which all are the same.
const far = 1e15

// texelIndex returns the index of the element that a coordinate lies in.
func texelIndex(p float32) int {
	return int(math.Floor(float64(max(-far, min(p, far)))))
}

// between mixes the elements on both sides of a place, from the last axis to the first.
func (t *texels) between(axis int, low [3]int, weight [3]float32, at *[3]int, c int) float32 {
	if axis < 0 {
		return float32(t.channel(*at, c))
	}
	at[axis] = t.inside(low[axis], uint32(axis))
	w, below := weight[axis], t.between(axis-1, low, weight, at, c)
	if w == 0 {
		return below
	}
	at[axis] = t.inside(low[axis]+1, uint32(axis))
	return float32((1-w)*below) + float32(w*t.between(axis-1, low, weight, at, c))
}

// inside returns the index of the element that is read for one outside, or -1 for the border.
func (t *texels) inside(i int, axis uint32) int {
	n := int(t.Size[axis])
	if 0 <= i && i < n {
		return i
	}
	switch t.Address[axis] {
	case backend.AddressWrap:
		return (i%n + n) % n
	case backend.AddressMirror:
		if i = (i%(2*n) + 2*n) % (2 * n); i >= n {
			i = 2*n - 1 - i
		}
		return i
	case backend.AddressBorder:
		return -1
	}
	return max(0, min(i, n-1))
}

// channel returns one number of an element.
func (t *texels) channel(at [3]int, c int) float64 {
	if min(at[0], at[1], at[2]) < 0 {
		return t.border(c)
	}
	i := ((at[2]*int(t.Size[1])+at[1])*int(t.Size[0])+at[0])*int(t.Channels) + c
	p := unsafe.Add(t.data, i*int(t.Bits)/8)
	if t.Kind == backend.TexelFloat {
		if t.Bits == 16 {
			return float64((*Float16)(p).Float32())
		}
		return float64(*(*float32)(p))
	}
	signed := t.Kind != backend.TexelUnsigned
	var v, most float64
	switch {
	case t.Bits == 8 && signed:
		v, most = float64(*(*int8)(p)), math.MaxInt8
	case t.Bits == 8:
		v, most = float64(*(*uint8)(p)), math.MaxUint8
	case t.Bits == 16 && signed:
		v, most = float64(*(*int16)(p)), math.MaxInt16
	case t.Bits == 16:
		v, most = float64(*(*uint16)(p)), math.MaxUint16
	case signed:
		v = float64(*(*int32)(p))
	default:
		v = float64(*(*uint32)(p))
	}
	if t.Values {
		return max(-1, float64(float32(v)/float32(most)))
	}
	return v
}

// border returns a number of the border's value, as describeTexture stores it.
func (t *texels) border(c int) float64 {
	v := t.Border[c]
	switch {
	case t.Kind == backend.TexelFloat:
		return float64(v)
	case t.Values && t.Kind == backend.TexelUnsigned:
		return float64(max(0, min(v, 1)))
	case t.Values:
		return float64(max(-1, min(v, 1)))
	}
	return float64(int32(math.Float32bits(v)))
}

// put stores the numbers of a value at p.
func (t *texels) put(p unsafe.Pointer, values [4]float64) {
	for c := range int(t.Channels) {
		v := values[c]
		switch t.kind {
		case reflect.Float32:
			*(*float32)(unsafe.Add(p, c*4)) = float32(v)
		case reflect.Int8:
			*(*int8)(unsafe.Add(p, c)) = int8(v)
		case reflect.Uint8:
			*(*uint8)(unsafe.Add(p, c)) = uint8(v)
		case reflect.Int16:
			*(*int16)(unsafe.Add(p, c*2)) = int16(v)
		case reflect.Uint16:
			*(*uint16)(unsafe.Add(p, c*2)) = uint16(v)
		case reflect.Int32:
			*(*int32)(unsafe.Add(p, c*4)) = int32(v)
		default:
			*(*uint32)(unsafe.Add(p, c*4)) = uint32(v)
		}
	}
}

// PassTexture passes a texture that a kernel reads by values of type T, and returns an error by the call if it has other dimensions or values.
// The launchers of kernels written in Go call it.
func PassTexture[T Texel](c *Call, t *Texture, dimensions int) {
	if c.err == nil && c.next < len(c.k.params) && t.made() == nil {
		p := &c.k.params[c.next]
		if int(t.state.Dimensions) != dimensions {
			c.err = c.k.reject("parameter %s is a texture of %d dimensions, and the kernel reads one of %d", describe(p), t.state.Dimensions, dimensions)
		} else if err := readAs[T](&t.state.Texture, reflect.TypeOf(t.of).Elem()); err != nil {
			c.err = c.k.reject("parameter %s: %v", describe(p), err)
		}
	}
	c.Texture(t)
}
