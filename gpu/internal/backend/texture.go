package backend

import "fmt"

// A Texturer is a Device whose kernels can read textures. Their handles are the session's, as others are.
type Texturer interface {
	// TextureCreate makes a texture of what stands at t.Addr, in order with the default stream's work. For the handle of a texture
	// that is there already, which must have been like this one, it only takes over what stands there now.
	TextureCreate(texture uint32, t *Texture) error
	// TextureDestroy ends a texture, after work that may use it has ended.
	TextureDestroy(texture uint32) error
	// TextureArguments says at which of a kernel's arguments, in bytes from their start, launches have the handle of a
	// texture, as 8 bytes. When a kernel has ended that is given one as a surface, what it has made of the texture stands at
	// t.Addr as well.
	TextureArguments(fn uint32, at TextureArguments) error
}

// TextureArguments are the places where a kernel takes textures.
type TextureArguments struct{ Textures, Surfaces []int }

// Any reports whether there are any.
func (a TextureArguments) Any() bool { return len(a.Textures)+len(a.Surfaces) > 0 }

// All calls f for each place.
func (a TextureArguments) All(f func(at int, surface bool) error) error {
	for _, at := range a.Textures {
		if err := f(at, false); err != nil {
			return err
		}
	}
	for _, at := range a.Surfaces {
		if err := f(at, true); err != nil {
			return err
		}
	}
	return nil
}

// Texture describes a texture: elements in device memory, without gaps, and how they are read. It has a fixed size, so
// that it can travel as it is.
type Texture struct {
	Addr       uint64
	Dimensions uint32    // 1 to 3
	Size       [3]uint32 // elements; 1 for dimensions that it does not have
	Kind       TexelKind
	Bits       uint32 // of a channel: 8, 16 or 32
	Channels   uint32 // of an element: 1, 2 or 4
	Address    [3]AddressMode
	Linear     bool // elements are mixed by their distance
	Normalized bool // coordinates go from 0 to 1
	Values     bool // integers are read as numbers from 0 to 1, or from -1
	Border     [4]float32
}

// TexelKind is what the channels of a texture's elements are.
type TexelKind uint32

// The kinds of channels.
const (
	TexelSigned TexelKind = iota
	TexelUnsigned
	TexelFloat
)

// AddressMode says what is read outside a texture.
type AddressMode uint32

// The address modes, with CUDA's numbers.
const (
	AddressWrap AddressMode = iota
	AddressClamp
	AddressMirror
	AddressBorder
)

// Bytes is the size of the texture's elements together.
func (t *Texture) Bytes() uint64 {
	return uint64(t.Size[0]) * uint64(t.Size[1]) * uint64(t.Size[2]) * uint64(t.Channels) * uint64(t.Bits/8)
}

// Fits returns an error if the texture is larger than these limits, in elements, for its number of dimensions.
func (t *Texture) Fits(limit [3]int) error {
	for i := range t.Dimensions {
		if int64(t.Size[i]) > int64(limit[i]) {
			return &Error{
				Code: 1, Name: "CUDA_ERROR_INVALID_VALUE",
				Message: fmt.Sprintf("a texture of %d elements in %c: the device allows %d in a texture of %d dimensions", t.Size[i], "xyz"[i], limit[i], t.Dimensions),
			}
		}
	}
	return nil
}
