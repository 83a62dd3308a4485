package driver

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// RegisterHost page-locks the memory, for all contexts of the process.
func (d *device) RegisterHost(mem []byte) error {
	if len(mem) == 0 {
		return nil
	}
	err := d.api.check(d.api.HostRegister(&mem[0], uint64(len(mem)), hostRegisterPortable|hostRegisterMapped),
		fmt.Sprintf("page-locking %d bytes of host memory", len(mem)))
	if err == nil {
		d.hosts[&mem[0]] = len(mem)
	}
	return err
}

func (d *device) UnregisterHost(mem []byte) error {
	if len(mem) == 0 {
		return nil
	}
	delete(d.hosts, &mem[0])
	return d.api.check(d.api.HostUnregister(&mem[0]), "unregistering host memory")
}

// CopyHtoD returns when src may be changed if it is pageable memory (the driver has staged it then), and immediately if it is
// registered.
func (d *device) CopyHtoD(dst uint64, src []byte, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil || len(src) == 0 {
		return err
	}
	r := d.api.CopyHtoD.call(uintptr(dst), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), s)
	return d.api.check(result(r), "copying to the GPU")
}

// CopyDtoH returns when the data are in dst if it is pageable memory, and immediately if it is registered.
func (d *device) CopyDtoH(dst []byte, src uint64, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil || len(dst) == 0 {
		return err
	}
	r := d.api.CopyDtoH.call(uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)), s)
	return d.api.check(result(r), "copying from the GPU")
}

func (d *device) CopyDtoD(dst, src, n uint64, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil || n == 0 {
		return err
	}
	r := d.api.CopyDtoD.call(uintptr(dst), uintptr(src), uintptr(n), s)
	return d.api.check(result(r), "copying on the GPU")
}

// CopyRect returns when CopyHtoD and CopyDtoH would.
func (d *device) CopyRect(r *backend.Rect) error {
	s, err := d.stream(r.Stream)
	if err != nil || r.Width == 0 || r.Rows == 0 {
		return err
	}
	c := copy2D{
		srcKind: memoryDevice, srcDevice: r.Src, srcPitch: r.SrcPitch,
		dstKind: memoryDevice, dstDevice: r.Dst, dstPitch: r.DstPitch,
		width: r.Width, height: r.Rows,
	}
	if r.SrcHost != nil {
		c.srcKind, c.srcHost, c.srcDevice = memoryHost, &r.SrcHost[0], 0
	}
	if r.DstHost != nil {
		c.dstKind, c.dstHost, c.dstDevice = memoryHost, &r.DstHost[0], 0
	}
	return d.api.check(d.api.Copy2D(&c, s), "copying rows")
}

func (d *device) Fill(dst uint64, pattern []byte, n uint64, stream uint32) error {
	s, err := d.stream(stream)
	if err != nil {
		return err
	}
	var set symbol
	var value uintptr
	switch len(pattern) {
	case 1:
		set, value = d.api.SetD8, uintptr(pattern[0])
	case 2:
		set, value = d.api.SetD16, uintptr(binary.NativeEndian.Uint16(pattern))
	case 4:
		set, value = d.api.SetD32, uintptr(binary.NativeEndian.Uint32(pattern))
	default:
		return invalidValue("filling with a pattern of %d bytes: it must be 1, 2 or 4 bytes long", len(pattern))
	}
	size := uint64(len(pattern))
	if n%size != 0 || dst%size != 0 {
		return invalidValue("filling %d bytes at %#x with a pattern of %d bytes: address and size must be multiples of it", n, dst, size)
	}
	if n == 0 {
		return nil
	}
	return d.api.check(result(set.call(uintptr(dst), value, uintptr(n/size), s)), "filling memory on the GPU")
}
