package sanitizer

import (
	"encoding/binary"
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A job is a launch for a helper to carry out.
type job struct {
	Image   backend.Image
	Program backend.Program // the image's source, for helpers that compile it in their own way
	Kernel  string
	Launch  backend.Launch
	// Pointers is where the launch's arguments have addresses of regions, in bytes.
	Pointers []int
	Regions  []region
	Views    []backend.View
	Globals  map[string][]byte // variables of the program that the host has set
	Textures []textureArgument
}

// A textureArgument is a texture of elements in a region.
type textureArgument struct {
	At      int // among the launch's arguments, in bytes
	Surface bool
	Texture backend.Texture
}

// A region is memory that a launch is given to work on.
type region struct {
	Addr, Size uint64
	Data       []byte // nil if nobody has written to it
	Pointers   []int  // where the data have addresses of regions, in bytes
	Host       bool   // it is host memory, mapped in this process
}

// An answer says how a job went. One with Begun comes before the kernel runs: the time until then is not
// the kernel's.
type answer struct {
	Begun bool
	Addrs []uint64 // of the copies of the regions, when the kernel begins
	Err   *backend.Error
	// Report is that of helpers with a check mode; those under a tool have its log instead.
	Report *backend.Report
}

// regionsOf joins views that overlap.
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

// reach is how large a block of malloc's may be for its pointer to explain an address.
const reach = 1 << 20

// leadsTo reports whether what the launch works on has a pointer to a place right before an address.
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

// moved is where an address of a region lies in its copy.
func (j *job) moved(addr uint64, copies []uint64) (uint64, bool) {
	for i, r := range j.Regions {
		if addr >= r.Addr && addr-r.Addr < r.Size {
			return copies[i] + addr - r.Addr, true
		}
	}
	return 0, false
}

// relocate puts the addresses of the copies in the place of those that a region's data hold.
func (j *job) relocate(r *region, copies []uint64) {
	for _, at := range r.Pointers {
		j.redirect(r.Data[at:], copies)
	}
}

// arguments are those of the launch, with the addresses of the copies.
func (j *job) arguments(copies []uint64) []byte {
	args := slices.Clone(j.Launch.Args)
	for _, at := range j.Pointers {
		j.redirect(args[at:], copies)
	}
	return args
}

// redirect changes the address at the start of the data to the one of the copy.
func (j *job) redirect(data []byte, copies []uint64) {
	if to, ok := j.moved(binary.NativeEndian.Uint64(data), copies); ok {
		binary.NativeEndian.PutUint64(data, to)
	}
}
