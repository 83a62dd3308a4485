package gpu

import (
	"cmp"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// ProfileReport is what Profile saw. As JSON its times are in nanoseconds.
type ProfileReport struct {
	Device    string
	Simulated bool // the times are those of the simulator
	// Clock says where the times come from: "CUPTI", "events" around each launch, or "host".
	Clock   string
	Wall    time.Duration // of the function and the waiting for the device at its end
	Kernels []KernelProfile
	Copies  []CopyProfile
	Ranges  []RangeProfile `json:",omitempty"`
	Roofs   Roofs
	Notes   []string // what the reader must know, each a sentence
}

// KernelProfile is about the launches of a kernel with the same shape.
type KernelProfile struct {
	Name          string
	Grid, Block   [3]int
	Registers     int `json:",omitempty"` // of a thread; 0 if they are not known
	StaticShared  int // bytes of a block
	DynamicShared int

	Calls                 int
	Total, Mean, Min, Max time.Duration
	Share                 float64 // of the time of all kernels

	// Theoretical is the share of the warps that a multiprocessor could have which fit on it, by
	// registers, shared memory and threads of a block: 1 at best, 0 if it is not known.
	Theoretical float64 `json:",omitempty"`

	// Metrics are the counters, by ncu's names, of that many calls in that time: sums, or means of
	// metrics that are no sums. It is nil if nothing was counted.
	Metrics     map[string]float64 `json:",omitempty"`
	Counted     int                `json:",omitempty"`
	CountedTime time.Duration      `json:",omitempty"`
}

// CopyProfile is about copies of one kind, or fills.
type CopyProfile struct {
	Kind  string // "HtoD", "DtoH", "DtoD", "fill"
	Calls int
	Bytes uint64
	Total time.Duration
}

// GBs is the rate of the copies, in 10⁹ bytes a second.
func (c CopyProfile) GBs() float64 { return rate(int64(c.Bytes), c.Total) }

// RangeProfile is about the work that was asked for within the ranges of one name.
type RangeProfile struct {
	Name     string
	Times    int           // how often it was entered
	Launches int           // of kernels and graphs
	Device   time.Duration // of kernels and copies
}

// DRAMBytes is what a call reads from the device's memory and writes to it, on average; 0 if nobody
// has counted.
func (k *KernelProfile) DRAMBytes() float64 {
	return k.perCall(k.Metrics[backend.MetricDRAMRead] + k.Metrics[backend.MetricDRAMWrite])
}

// Flops is the number of floating-point operations of a call, on average, of all precisions. A
// fused multiply-add is two.
func (k *KernelProfile) Flops() float64 {
	return k.flops32() + k.flops64() + k.flops16()
}

// countsFlops says whether operations were counted, be they none.
func (k *KernelProfile) countsFlops() bool {
	_, ok := k.Metrics[backend.MetricFFMA]
	return ok
}

func (k *KernelProfile) flops32() float64 {
	return k.perCall(k.Metrics[backend.MetricFAdd] + k.Metrics[backend.MetricFMul] + 2*k.Metrics[backend.MetricFFMA])
}

func (k *KernelProfile) flops64() float64 {
	return k.perCall(k.Metrics[backend.MetricDAdd] + k.Metrics[backend.MetricDMul] + 2*k.Metrics[backend.MetricDFMA])
}

func (k *KernelProfile) flops16() float64 {
	return k.perCall(k.Metrics[backend.MetricHAdd] + k.Metrics[backend.MetricHMul] + 2*k.Metrics[backend.MetricHFMA])
}

func (k *KernelProfile) perCall(sum float64) float64 {
	if k.Counted == 0 {
		return 0
	}
	return sum / float64(k.Counted)
}

// Intensity is the number of operations for each byte of the device's memory; 0 if it is not known.
func (k *KernelProfile) Intensity() float64 {
	if bytes := k.DRAMBytes(); bytes > 0 {
		return k.Flops() / bytes
	}
	return 0
}

// GBs is the rate at which the kernel used the device's memory, in 10⁹ bytes a second, in the
// calls that were counted; 0 if it is not known.
func (k *KernelProfile) GBs() float64 { return k.per(k.DRAMBytes()) }

// GFlops is the rate of its operations, in 10⁹ a second, likewise.
func (k *KernelProfile) GFlops() float64 { return k.per(k.Flops()) }

func (k *KernelProfile) per(v float64) float64 {
	if k.CountedTime <= 0 {
		return 0
	}
	return v * float64(k.Counted) / float64(k.CountedTime.Nanoseconds())
}

// Achieved is the share of the warps that a multiprocessor could have which it had on average:
// 1 at best, 0 if it is not known.
func (k *KernelProfile) Achieved() float64 { return k.Metrics[backend.MetricOccupancy] / 100 }

// newProfileReport puts names to what the device has recorded. The process that has recorded it
// may know of kernels that this session's package has not launched, such as a library's.
func newProfileReport(d *Device, p *profile, raw *backend.Profile) *ProfileReport {
	props := d.link.Properties()
	r := &ProfileReport{
		Device: d.String(), Simulated: props.Simulated, Clock: raw.Clock, Notes: raw.Notes,
		Kernels: []KernelProfile{}, Copies: []CopyProfile{},
	}
	symbols := d.link.Symbols()
	var all time.Duration
	for i := range raw.Work {
		w := &raw.Work[i]
		if w.Kind != backend.WorkKernel && w.Kind != backend.WorkGraph {
			r.Copies = append(r.Copies, CopyProfile{string(w.Kind), w.Calls, w.Bytes, w.Total})
			continue
		}
		k := KernelProfile{
			Name: cmp.Or(symbols[w.Symbol], w.Symbol, "(graph)"), Grid: whole(w.Grid), Block: whole(w.Block),
			Registers: w.Registers, StaticShared: w.StaticShared, DynamicShared: w.DynamicShared,
			Calls: w.Calls, Total: w.Total, Mean: w.Total / time.Duration(w.Calls), Min: w.Min, Max: w.Max,
			Metrics: w.Counters, Counted: w.Counted, CountedTime: w.CountedTime,
		}
		if known := p.kernels[w.Func]; known != nil {
			k.Name, k.Registers, k.StaticShared = known.name, known.info.NumRegs, known.info.SharedSizeBytes
			if o, err := known.Occupancy(k.Block[0]*k.Block[1]*k.Block[2], k.DynamicShared); err == nil {
				k.Theoretical = o.Fraction
			}
		}
		all += k.Total
		r.Kernels = append(r.Kernels, k)
	}
	for i := range r.Kernels {
		if all > 0 {
			r.Kernels[i].Share = float64(r.Kernels[i].Total) / float64(all)
		}
	}
	slices.SortStableFunc(r.Kernels, func(a, b KernelProfile) int { return cmp.Compare(b.Total, a.Total) })
	slices.SortStableFunc(r.Copies, func(a, b CopyProfile) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, w := range raw.Ranges {
		r.Ranges = append(r.Ranges, RangeProfile{w.Name, w.Times, w.Launches, w.Device})
	}
	r.addNotes()
	if slices.ContainsFunc(r.Kernels, func(k KernelProfile) bool { return k.Metrics != nil }) {
		r.Roofs = d.roofs()
	}
	return r
}

// Empty says that the device did nothing.
func (r *ProfileReport) Empty() bool { return len(r.Kernels)+len(r.Copies) == 0 }

func (r *ProfileReport) addNotes() {
	if r.Simulated {
		note := "The times are those of the simulator, on this machine's processor: they say nothing about a GPU."
		if slices.ContainsFunc(r.Kernels, func(k KernelProfile) bool { return k.Metrics != nil }) {
			note += " What kernels did was counted: memory as if each piece of 32 bytes came and went once, which is the least that a GPU can do with."
		}
		r.Notes = append(r.Notes, note)
	}
	if r.Clock == "events" {
		r.Notes = append(r.Notes, "The times are those between events around each launch, which add some microseconds to it.")
	}
}

func whole(v [3]uint32) [3]int { return [3]int{int(v[0]), int(v[1]), int(v[2])} }
