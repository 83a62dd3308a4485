package driver

import (
	"encoding/binary"
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// texture is a CUDA array, whose elements stand in an order of the GPU's own, and the object by which kernels read it.
type texture struct {
	array  uintptr
	object uint64
}

// arrayDescriptor is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDescriptor struct {
	width, height, depth uint64 // elements; 0 for dimensions that there are not
	format               int32
	channels             uint32
	_                    uint32 // Flags
}

// resourceDescriptor is CUDA_RESOURCE_DESC for an array.
type resourceDescriptor struct {
	kind  int32 // resourceArray
	array uintptr
	_     [15]uint64 // the rest of a union of 128 bytes
	_     uint32     // flags
}

// textureDescriptor is CUDA_TEXTURE_DESC.
type textureDescriptor struct {
	address [3]backend.AddressMode
	filter  int32
	flags   uint32
	_       uint32     // maxAnisotropy
	_       int32      // mipmapFilterMode
	_       [3]float32 // mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp
	border  [4]float32
	_       [12]int32
}

// copy3D is CUDA_MEMCPY3D.
type copy3D struct {
	src, dst             place3D
	width, height, depth uint64
}

// place3D is one side of it.
type place3D struct {
	_             [4]uint64 // x in bytes, y, z, level of detail
	kind          memoryKind
	_             uintptr // host
	device        uint64
	array         uintptr
	_             uintptr
	pitch, height uint64
}

const (
	resourceArray = 0
	memoryArray   = memoryKind(3)

	textureIntegers   = 1
	textureNormalized = 2

	attrTexture1DWidth attribute = 21
	attrTexture2DWidth attribute = 22 // the height follows
	attrTexture3DWidth attribute = 24 // height and depth follow
)

// formats are CUarray_format by the kind and the bits of a channel.
var formats = map[backend.TexelKind]map[uint32]int32{
	backend.TexelUnsigned: {8: 1, 16: 2, 32: 3},
	backend.TexelSigned:   {8: 8, 16: 9, 32: 10},
	backend.TexelFloat:    {16: 0x10, 32: 0x20},
}

// TextureCreate copies the elements into an array.
func (d *device) TextureCreate(handle uint32, t *backend.Texture) error {
	if known, ok := d.textures[handle]; ok {
		return d.fillArray(known.array, t)
	}
	format, ok := formats[t.Kind][t.Bits]
	if !ok || t.Dimensions < 1 || t.Dimensions > 3 {
		return invalidValue("there are no textures of %d dimensions with channels of %d bits", t.Dimensions, t.Bits)
	}
	limit, err := d.textureLimit(t.Dimensions)
	if err != nil {
		return err
	}
	if err := t.Fits(limit); err != nil {
		return err
	}
	array := arrayDescriptor{width: uint64(t.Size[0]), format: format, channels: t.Channels}
	if t.Dimensions > 1 {
		array.height = uint64(t.Size[1])
	}
	if t.Dimensions > 2 {
		array.depth = uint64(t.Size[2])
	}
	var made texture
	if err := d.api.check(d.api.ArrayCreate(&made.array, &array), "making the array of a texture"); err != nil {
		return err
	}
	what := resourceDescriptor{kind: resourceArray, array: made.array}
	how := textureDescriptor{address: t.Address, border: t.Border}
	if t.Linear {
		how.filter = 1
	}
	if t.Normalized {
		how.flags |= textureNormalized
	}
	if !t.Values && t.Kind != backend.TexelFloat {
		how.flags |= textureIntegers
	}
	err = d.api.check(d.api.TextureCreate(&made.object, &what, &how, nil), "making a texture")
	if err == nil {
		err = d.fillArray(made.array, t)
	}
	if err != nil {
		d.api.ArrayDestroy(made.array)
		return err
	}
	d.textures[handle] = made
	return nil
}

// textureLimit is the largest texture of so many dimensions, in elements.
func (d *device) textureLimit(dimensions uint32) (limit [3]int, err error) {
	first := [3]attribute{attrTexture1DWidth, attrTexture2DWidth, attrTexture3DWidth}[dimensions-1]
	for i := range dimensions {
		var n int32
		if err := d.api.check(d.api.DeviceGetAttr(&n, first+attribute(i), d.ordinal), "asking for the limits of textures"); err != nil {
			return limit, err
		}
		limit[i] = int(n)
	}
	return limit, nil
}

// fillArray copies a texture's elements, in order with the default stream's work.
func (d *device) fillArray(array uintptr, t *backend.Texture) error {
	s, err := d.stream(0)
	if err != nil {
		return err
	}
	row := t.Bytes() / (uint64(t.Size[1]) * uint64(t.Size[2]))
	c := copy3D{width: row, height: uint64(t.Size[1]), depth: uint64(t.Size[2])}
	c.src = place3D{kind: memoryDevice, device: t.Addr, pitch: row, height: uint64(t.Size[1])}
	c.dst = place3D{kind: memoryArray, array: array}
	return d.api.check(d.api.Copy3D(&c, s), "copying the elements of a texture")
}

func (d *device) TextureDestroy(handle uint32) error {
	t, ok := d.textures[handle]
	if !ok {
		return unknownHandle("texture", handle)
	}
	delete(d.textures, handle)
	return errors.Join(
		d.api.check(d.api.TextureDestroy(t.object), "ending a texture"),
		d.api.check(d.api.ArrayDestroy(t.array), "freeing the array of a texture"),
	)
}

func (d *device) TextureArguments(fn uint32, at []int) error {
	f, ok := d.functions[fn]
	if !ok {
		return unknownHandle("kernel", fn)
	}
	f.textures = at
	return nil
}

// putTextures replaces the handles of textures among a launch's parameters by the objects.
func (d *device) putTextures(f *function) error {
	for _, at := range f.textures {
		handle := uint32(binary.NativeEndian.Uint64(d.params[at:]))
		t, ok := d.textures[handle]
		if !ok {
			return unknownHandle("texture", handle)
		}
		binary.NativeEndian.PutUint64(d.params[at:], t.object)
	}
	return nil
}
