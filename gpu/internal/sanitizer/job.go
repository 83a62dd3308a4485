package sanitizer

import (
	"encoding/binary"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A job is a launch that a helper executes.
type job struct {
	Image   backend.Image
	Program backend.Program // the image's source, for helpers that compile it themselves
	Kernel  string
	Launch  backend.Launch
	// Pointers are the offsets of addresses of regions in the launch's arguments, in bytes.
	Pointers []int
	Regions  []region
	Views    []backend.View
	Globals  map[string][]byte // variables of the program that the host has written
	Textures []textureArgument
}

// A textureArgument is a texture of elements in a region.
type textureArgument struct {
	At      int // offset in the launch's arguments, in bytes
	Surface bool
	Texture backend.Texture
}

// A region is memory that a launch uses.
type region struct {
	Addr, Size uint64
	Data       []byte // nil if it is uninitialized
	Pointers   []int  // offsets of addresses of regions in the data, in bytes
	Host       bool   // host memory, mapped in this process
}

// An answer is the result of a job. One with Begun is sent before the kernel starts: the timeout of the kernel begins then.
type answer struct {
	Begun bool
	Addrs []uint64 // of the copies of the regions, if Begun
	Err   *backend.Error
	// Report is set by helpers with a check mode; those under a tool have a log instead.
	Report *backend.Report
}

// regionsOf returns the regions of views, in which overlapping views are merged.
func regionsOf(views []backend.View) []region {
	sorted := slices.Clone(views)
	slices.SortFunc(sorted, func(a, b backend.View) int {
		if a.Addr < b.Addr {
			return -1
		}
		return 1
	})
	var list []region
	for _, v := range sorted {
		if v.Size == 0 {
			continue
		}
		if n := len(list); n > 0 && v.Addr < list[n-1].Addr+list[n-1].Size {
			end := max(list[n-1].Addr+list[n-1].Size, v.Addr+v.Size)
			list[n-1].Size = end - list[n-1].Addr
			continue
		}
		list = append(list, region{Addr: v.Addr, Size: v.Size, Host: v.Host})
	}
	return list
}

// reach is the maximum size of a block from malloc, in bytes, for which an address is attributed to its pointer.
const reach = 1 << 20

// leadsTo reports whether the launch's memory has a pointer to at most reach bytes before an address.
func (j *job) leadsTo(address uint64) bool {
	for _, r := range j.Regions {
		for at := 0; at+8 <= len(r.Data); at += 8 {
			if v := binary.NativeEndian.Uint64(r.Data[at:]); v != 0 && v <= address && address-v < reach {
				return true
			}
		}
	}
	return false
}

// moved returns the address in the copy for an address of a region.
func (j *job) moved(addr uint64, copies []uint64) (uint64, bool) {
	for i, r := range j.Regions {
		if addr >= r.Addr && addr-r.Addr < r.Size {
			return copies[i] + addr - r.Addr, true
		}
	}
	return 0, false
}

// relocate replaces the addresses in a region's data by those of the copies.
func (j *job) relocate(r *region, copies []uint64) {
	for _, at := range r.Pointers {
		j.redirect(r.Data[at:], copies)
	}
}

// arguments returns the launch's arguments, with the addresses of the copies.
func (j *job) arguments(copies []uint64) []byte {
	args := slices.Clone(j.Launch.Args)
	for _, at := range j.Pointers {
		j.redirect(args[at:], copies)
	}
	return args
}

// redirect replaces the address at the start of the data by that of the copy.
func (j *job) redirect(data []byte, copies []uint64) {
	if to, ok := j.moved(binary.NativeEndian.Uint64(data), copies); ok {
		binary.NativeEndian.PutUint64(data, to)
	}
}
