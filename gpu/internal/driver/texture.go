package driver

import (
	"encoding/binary"
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// texture is a CUDA array, whose elements have an order specific to the GPU, and the objects by which kernels read and write it.
type texture struct {
	array           uintptr
	object, surface uint64 // surface is 0 if there is none
	desc            backend.Texture
}

// arrayDescriptor is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDescriptor struct {
	width, height, depth uint64 // elements; 0 for axes that it does not have
	format               int32
	channels             uint32
	flags                uint32
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

// place3D is the source or the destination of a copy3D.
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

	arrayOfSurface = 2 // CUDA_ARRAY3D_SURFACE_LDST

	textureIntegers   = 1
	textureNormalized = 2

	attrTexture1DWidth attribute = 21
	attrTexture2DWidth attribute = 22 // the height follows
	attrTexture3DWidth attribute = 24 // height and depth follow
	attrSurface1DWidth attribute = 55
	attrSurface2DWidth attribute = 56
	attrSurface3DWidth attribute = 58
)

// formats are the values of CUarray_format, by the kind and the bits of a channel.
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
	limit, err := d.textureLimit(t.Dimensions, [3]attribute{attrTexture1DWidth, attrTexture2DWidth, attrTexture3DWidth})
	if err != nil {
		return err
	}
	if err := t.Fits(limit); err != nil {
		return err
	}
	writable, err := d.textureLimit(t.Dimensions, [3]attribute{attrSurface1DWidth, attrSurface2DWidth, attrSurface3DWidth})
	if err != nil {
		return err
	}
	array := arrayDescriptor{width: uint64(t.Size[0]), format: format, channels: t.Channels}
	if t.Dimensions > 1 {
		array.height = uint64(t.Size[1])
	}
	if t.Dimensions > 2 {
		array.depth = uint64(t.Size[2])
	}
	if t.Fits(writable) == nil {
		array.flags = arrayOfSurface
	}
	made := texture{desc: *t}
	if err := d.api.check(d.api.ArrayCreate(&made.array, &array), "creating the array of a texture"); err != nil {
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
	err = d.api.check(d.api.TextureCreate(&made.object, &what, &how, nil), "creating a texture")
	if err == nil && array.flags != 0 {
		err = d.api.check(d.api.SurfaceCreate(&made.surface, &what), "creating a surface")
	}
	if err == nil {
		err = d.fillArray(made.array, t)
	}
	if err != nil {
		_ = d.destroyTexture(made) // some of its parts may be missing
		return err
	}
	d.textures[handle] = made
	return nil
}

// textureLimit returns the maximum size of a texture or surface with that number of dimensions, in elements; widths are the
// attributes for the width, after which those of the other axes follow.
func (d *device) textureLimit(dimensions uint32, widths [3]attribute) (limit [3]int, err error) {
	for i := range dimensions {
		var n int32
		if err := d.api.check(d.api.DeviceGetAttr(&n, widths[dimensions-1]+attribute(i), d.ordinal), "reading the limits of textures"); err != nil {
			return limit, err
		}
		limit[i] = int(n)
	}
	return limit, nil
}

// fillArray copies a texture's elements into the array, in the order of the default stream.
func (d *device) fillArray(array uintptr, t *backend.Texture) error {
	s, err := d.stream(0)
	if err != nil {
		return err
	}
	c := elementsOf(t)
	c.dst, c.src = place3D{kind: memoryArray, array: array}, c.dst
	return d.api.check(d.api.Copy3D(&c, s), "copying the elements of a texture")
}

// elementsOf returns a copy of all elements to their address in memory.
func elementsOf(t *backend.Texture) copy3D {
	row := t.Bytes() / (uint64(t.Size[1]) * uint64(t.Size[2]))
	return copy3D{
		dst:   place3D{kind: memoryDevice, device: t.Addr, pitch: row, height: uint64(t.Size[1])},
		width: row, height: uint64(t.Size[1]), depth: uint64(t.Size[2]),
	}
}

func (d *device) TextureDestroy(handle uint32) error {
	t, ok := d.textures[handle]
	if !ok {
		return unknownHandle("texture", handle)
	}
	delete(d.textures, handle)
	// A kernel that reads it may be running.
	if err := d.Sync(); err != nil {
		return err
	}
	return d.destroyTexture(t)
}

func (d *device) destroyTexture(t texture) error {
	var errs []error
	if t.surface != 0 {
		errs = append(errs, d.api.check(d.api.SurfaceDestroy(t.surface), "destroying a surface"))
	}
	if t.object != 0 {
		errs = append(errs, d.api.check(d.api.TextureDestroy(t.object), "destroying a texture"))
	}
	return errors.Join(append(errs, d.api.check(d.api.ArrayDestroy(t.array), "freeing the array of a texture"))...)
}

func (d *device) TextureArguments(fn uint32, at backend.TextureArguments) error {
	f, ok := d.functions[fn]
	if !ok {
		return unknownHandle("kernel", fn)
	}
	f.textures = at
	return nil
}

// launchOnTextures replaces the handles of textures in a launch's parameters by the objects, and copies the elements back that
// the kernel writes to surfaces.
func (d *device) launchOnTextures(f *function, l *backend.Launch, stream uintptr) error {
	var written []texture
	err := f.textures.All(func(at int, surface bool) error {
		handle := uint32(binary.NativeEndian.Uint64(d.params[at:]))
		t, ok := d.textures[handle]
		if !ok {
			return unknownHandle("texture", handle)
		}
		object := t.object
		if surface {
			if object = t.surface; object == 0 {
				return invalidValue("a texture of %d elements is too large to be written by kernels", t.desc.Size[0])
			}
			written = append(written, t)
		}
		binary.NativeEndian.PutUint64(d.params[at:], object)
		return nil
	})
	if err != nil {
		return err
	}
	if err := d.start(f, l, stream); err != nil {
		return err
	}
	for _, t := range written {
		c := elementsOf(&t.desc)
		c.src = place3D{kind: memoryArray, array: t.array}
		if err := d.api.check(d.api.Copy3D(&c, stream), "copying a surface that a kernel has written"); err != nil {
			return err
		}
	}
	return nil
}
