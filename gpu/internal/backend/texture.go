package backend

import "fmt"

// A Texturer is a Device whose kernels can read textures. The session chooses their handles.
type Texturer interface {
	// TextureCreate creates a texture from the elements at t.Addr, in the order of the default stream. If the handle exists, t
	// must be as at its creation, and only the elements are updated.
	TextureCreate(texture uint32, t *Texture) error
	// TextureDestroy destroys a texture, after work that may use it has completed.
	TextureDestroy(texture uint32) error
	// TextureArguments sets the offsets of a kernel's texture arguments, in bytes from the start of the arguments. There,
	// launches have the handle of a texture as 8 bytes. After a kernel with a surface argument has run, the elements that it has
	// written are also copied to t.Addr.
	TextureArguments(fn uint32, at TextureArguments) error
}

// TextureArguments are the offsets of a kernel's texture and surface arguments.
type TextureArguments struct{ Textures, Surfaces []int }

// Any reports whether there are any.
func (a TextureArguments) Any() bool { return len(a.Textures)+len(a.Surfaces) > 0 }

// All calls f for each offset.
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

// A Texture describes a texture: elements in device memory, without gaps, and how they are read. It has a fixed size, so that it
// can be sent as raw bytes.
type Texture struct {
	Addr       uint64
	Dimensions uint32    // 1 to 3
	Size       [3]uint32 // elements; 1 for axes beyond Dimensions
	Kind       TexelKind
	Bits       uint32 // per channel: 8, 16 or 32
	Channels   uint32 // per element: 1, 2 or 4
	Address    [3]AddressMode
	Linear     bool // linear filtering
	Normalized bool // coordinates are from 0 to 1
	Values     bool // integers are read as numbers from 0 to 1, or from -1 to 1 if they are signed
	Border     [4]float32
}

// TexelKind is the type of the channels of a texture's elements.
type TexelKind uint32

// The kinds of channels.
const (
	TexelSigned TexelKind = iota
	TexelUnsigned
	TexelFloat
)

// AddressMode says what is read outside a texture.
type AddressMode uint32

// The address modes, with CUDA's values.
const (
	AddressWrap AddressMode = iota
	AddressClamp
	AddressMirror
	AddressBorder
)

// Bytes returns the size of all elements in bytes.
func (t *Texture) Bytes() uint64 {
	return uint64(t.Size[0]) * uint64(t.Size[1]) * uint64(t.Size[2]) * uint64(t.Channels) * uint64(t.Bits/8)
}

// Fits returns an error if the texture is larger than the limits, in elements, for its number of dimensions.
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
