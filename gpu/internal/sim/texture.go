package sim

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// texture mirrors Texture in shim/textures.h, whose address kernels receive.
type texture struct {
	data               uint64
	size               [3]int64
	pitch, slice       uint64
	channels, bits     int32
	kind               int32
	address            [3]int32
	linear, normalized int32
	values, list       int32
	border             [4]float32
	// Textures that Go makes have neither layers nor levels of detail.
	shape, last           int32
	mixesLevels, seamless int32
	srgb                  int32
	bias, lowest, highest float32
	more                  uint64
}

// textureLimits are the maximum sizes of CUDA arrays on current GPUs, by the number of dimensions.
var textureLimits = [3][3]int{{131072}, {131072, 65536}, {16384, 16384, 16384}}

// TextureCreate makes a texture of memory that kernels read in place.
func (d *device) TextureCreate(handle uint32, t *backend.Texture) error {
	if err := d.alive(); err != nil {
		return err
	}
	if d.textures[handle] != nil {
		return nil
	}
	if err := t.Fits(textureLimits[t.Dimensions-1]); err != nil {
		return err
	}
	// Kernels store this address as a number, so it must not be in Go's memory.
	page, err := unix.Mmap(-1, 0, int(unsafe.Sizeof(texture{})), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return wrap(codeOutOfMemory, err, "making a texture")
	}
	element := uint64(t.Channels) * uint64(t.Bits/8)
	s := (*texture)(unsafe.Pointer(&page[0]))
	*s = texture{
		data: t.Addr, pitch: uint64(t.Size[0]) * element,
		channels: int32(t.Channels), bits: int32(t.Bits), kind: int32(t.Kind),
		linear: truth(t.Linear), normalized: truth(t.Normalized), values: truth(t.Values), border: t.Border,
	}
	s.slice = s.pitch * uint64(t.Size[1])
	for i := range 3 {
		s.size[i], s.address[i] = int64(t.Size[i]), int32(t.Address[i])
	}
	d.textures[handle] = page
	return nil
}

func truth(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (d *device) TextureDestroy(handle uint32) error {
	page := d.textures[handle]
	if page == nil {
		return errorf(codeInvalidHandle, "there is no texture %d", handle)
	}
	delete(d.textures, handle)
	return unix.Munmap(page)
}

func (d *device) TextureArguments(fn uint32, at backend.TextureArguments) error {
	f := d.funcs[fn]
	if f == nil {
		return errorf(codeInvalidHandle, "there is no function %d", fn)
	}
	f.textures = at
	return nil
}

// withTextures returns a launch's arguments with addresses instead of texture handles.
func (d *device) withTextures(f *function, args []byte) ([]byte, error) {
	d.args = append(d.args[:0], args...)
	// Surfaces have the same handle.
	err := f.textures.All(func(at int, _ bool) error {
		handle := binary.NativeEndian.Uint64(d.args[at:])
		page := d.textures[uint32(handle)]
		if page == nil {
			return errorf(codeInvalidHandle, "kernel %s: there is no texture %d", f.name, handle)
		}
		binary.NativeEndian.PutUint64(d.args[at:], uint64(uintptr(unsafe.Pointer(&page[0]))))
		return nil
	})
	return d.args, err
}
