package prof

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// A Report is the result of Run. In JSON its times are in nanoseconds.
type Report struct {
	Device    string
	Simulated bool // the times are those of the simulator
	// Clock is the source of the times: "CUPTI", "events" around each launch, or "host".
	Clock   string
	Wall    time.Duration // of the function, including the wait for the device at its end
	Kernels []Kernel
	Copies  []Copy
	Ranges  []RangeWork `json:",omitempty"`
	// Timeline is nil without WithTimeline.
	Timeline *Timeline `json:",omitempty"`
	Roofs    Roofs
	Notes    []string // what the reader must know, in sentences
}

// A Kernel describes the launches of one kernel with the same grid and block.
type Kernel struct {
	Name          string
	Grid, Block   [3]int
	Registers     int `json:",omitempty"` // per thread; 0 if unknown
	StaticShared  int // bytes per block
	DynamicShared int // bytes per block

	Calls                 int
	Total, Mean, Min, Max time.Duration
	Share                 float64 // of the time of all kernels

	// Theoretical is the theoretical occupancy, as limited by registers, shared memory and block size: the fraction, up to 1, of a
	// multiprocessor's maximum of warps that can be resident. It is 0 if unknown.
	Theoretical float64 `json:",omitempty"`

	// Metrics has the counters, by ncu's names, of Counted calls, which took CountedTime: sums, or means of metrics that are not sums. It
	// is nil if nothing was counted.
	Metrics     map[string]float64 `json:",omitempty"`
	Counted     int                `json:",omitempty"`
	CountedTime time.Duration      `json:",omitempty"`
}

// A Copy describes the copies of one kind, or the fills.
type Copy struct {
	Kind  string // "HtoD", "DtoH", "DtoD" or "fill"
	Calls int
	Bytes uint64
	Total time.Duration
}

// GBs returns the rate of the copies in 10⁹ bytes per second.
func (c Copy) GBs() float64 { return rate(int64(c.Bytes), c.Total) }

// A RangeWork describes the work that was launched within the ranges of one name.
type RangeWork struct {
	Name     string
	Times    int           // how often it was entered
	Launches int           // of kernels and graphs
	Device   time.Duration // of kernels and copies
}

// DRAMBytes returns the mean number of bytes that a call reads from and writes to device memory; 0 if they were not counted.
func (k *Kernel) DRAMBytes() float64 {
	return k.perCall(k.Metrics[backend.MetricDRAMRead] + k.Metrics[backend.MetricDRAMWrite])
}

// Flops returns the mean number of floating-point operations of a call, in all precisions. A fused multiply-add counts as two.
func (k *Kernel) Flops() float64 {
	return k.flops32() + k.flops64() + k.flops16()
}

// countsFlops reports whether operations were counted, even if there were none.
func (k *Kernel) countsFlops() bool {
	_, ok := k.Metrics[backend.MetricFFMA]
	return ok
}

func (k *Kernel) flops32() float64 {
	return k.perCall(k.Metrics[backend.MetricFAdd] + k.Metrics[backend.MetricFMul] + 2*k.Metrics[backend.MetricFFMA])
}

func (k *Kernel) flops64() float64 {
	return k.perCall(k.Metrics[backend.MetricDAdd] + k.Metrics[backend.MetricDMul] + 2*k.Metrics[backend.MetricDFMA])
}

func (k *Kernel) flops16() float64 {
	return k.perCall(k.Metrics[backend.MetricHAdd] + k.Metrics[backend.MetricHMul] + 2*k.Metrics[backend.MetricHFMA])
}

func (k *Kernel) perCall(sum float64) float64 {
	if k.Counted == 0 {
		return 0
	}
	return sum / float64(k.Counted)
}

// Intensity returns the arithmetic intensity: operations per byte of device memory traffic; 0 if unknown.
func (k *Kernel) Intensity() float64 {
	if bytes := k.DRAMBytes(); bytes > 0 {
		return k.Flops() / bytes
	}
	return 0
}

// GBs returns the memory throughput of the counted calls in 10⁹ bytes per second; 0 if unknown.
func (k *Kernel) GBs() float64 { return k.per(k.DRAMBytes()) }

// GFlops returns the arithmetic throughput of the counted calls in 10⁹ operations per second; 0 if unknown.
func (k *Kernel) GFlops() float64 { return k.per(k.Flops()) }

func (k *Kernel) per(v float64) float64 {
	if k.CountedTime <= 0 {
		return 0
	}
	return v * float64(k.Counted) / float64(k.CountedTime.Nanoseconds())
}

// Achieved returns the achieved occupancy: the mean fraction, up to 1, of a multiprocessor's maximum of warps that were active. It is 0
// if unknown.
func (k *Kernel) Achieved() float64 { return k.Metrics[backend.MetricOccupancy] / 100 }

// newReport returns the report of a profile. The process that has recorded it may have names of kernels that this one has not launched,
// such as a library's.
func newReport(d *gpu.Device, p *hook.Profiled) *Report {
	r := &Report{
		Device: d.String(), Simulated: d.Properties().Simulated, Clock: p.Clock, Wall: p.Wall, Notes: p.Notes,
		Kernels: []Kernel{}, Copies: []Copy{},
	}
	var all time.Duration
	for i := range p.Work {
		w := &p.Work[i]
		if w.Kind != backend.WorkKernel && w.Kind != backend.WorkGraph {
			r.Copies = append(r.Copies, Copy{string(w.Kind), w.Calls, w.Bytes, w.Total})
			continue
		}
		r.Kernels = append(r.Kernels, newKernel(p, w))
		all += w.Total
	}
	for i := range r.Kernels {
		if all > 0 {
			r.Kernels[i].Share = float64(r.Kernels[i].Total) / float64(all)
		}
	}
	slices.SortStableFunc(r.Kernels, func(a, b Kernel) int { return cmp.Compare(b.Total, a.Total) })
	slices.SortStableFunc(r.Copies, func(a, b Copy) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, w := range p.Ranges {
		r.Ranges = append(r.Ranges, RangeWork{w.Name, w.Times, w.Launches, w.Device})
	}
	r.addNotes()
	if slices.ContainsFunc(r.Kernels, func(k Kernel) bool { return k.Metrics != nil }) {
		r.Roofs = roofsOf(d)
	}
	if p.Checked != nil && len(p.Checked.Findings) > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Check mode found %s on the way; the first: %v. check.Run and %%%%cuda --check list all.",
			render.Count(len(p.Checked.Findings), "defect", "defects"), (*check.Finding)(&p.Checked.Findings[0])))
	}
	return r
}

func newKernel(p *hook.Profiled, w *backend.Work) Kernel {
	k := Kernel{
		Name: nameOf(p, w.Func, w.Symbol), Grid: whole(w.Grid), Block: whole(w.Block),
		Registers: w.Registers, StaticShared: w.StaticShared, DynamicShared: w.DynamicShared,
		Calls: w.Calls, Total: w.Total, Mean: w.Total / time.Duration(w.Calls), Min: w.Min, Max: w.Max,
		Metrics: w.Counters, Counted: w.Counted, CountedTime: w.CountedTime,
	}
	if known, ok := p.Kernels[w.Func]; ok {
		k.Registers, k.StaticShared = known.Registers, known.StaticShared
		if fraction, err := known.Occupancy(k.Block[0]*k.Block[1]*k.Block[2], k.DynamicShared); err == nil {
			k.Theoretical = fraction
		}
	}
	return k
}

// nameOf returns the name of a kernel by its handle, or by its symbol in the compiled code.
func nameOf(p *hook.Profiled, fn uint32, symbol string) string {
	return cmp.Or(p.Kernels[fn].Name, p.Symbols[symbol], symbol, "(graph)")
}

// Empty reports whether the device executed nothing.
func (r *Report) Empty() bool { return len(r.Kernels)+len(r.Copies) == 0 }

func (r *Report) addNotes() {
	if r.Simulated {
		note := "The times are those of the simulator, on this machine's processor: they say nothing about a GPU."
		if slices.ContainsFunc(r.Kernels, func(k Kernel) bool { return k.Metrics != nil }) {
			note += " What kernels did was counted: memory as if each piece of 32 bytes came and went once, which is the least that a GPU can do with."
		}
		r.Notes = append(r.Notes, note)
	}
	if r.Clock == "events" {
		r.Notes = append(r.Notes, "The times are those between events around each launch, which add some microseconds to it.")
	}
}

func whole(v [3]uint32) [3]int { return [3]int{int(v[0]), int(v[1]), int(v[2])} }
