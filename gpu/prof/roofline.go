package prof

import (
	"fmt"
	"math"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// Roofs are the maximum rates of a device.
type Roofs struct {
	GBs        float64 `json:",omitempty"` // of its memory, in 10⁹ bytes per second; 0 if unknown
	Measured   bool    `json:",omitempty"` // whether GBs is the rate of a copy, not that of the data sheet
	FP32, FP64 float64 `json:",omitempty"` // 10⁹ operations per second with all units busy; 0 if unknown
}

// coresPerMultiprocessor returns how many operations of each precision a multiprocessor of a compute capability begins per cycle, by
// NVIDIA's table of arithmetic throughput.
func coresPerMultiprocessor(major, minor int) (fp32, fp64 float64) {
	switch version := 10*major + minor; {
	case version >= 120:
		return 128, 2
	case version == 103:
		return 128, 2
	case version >= 100:
		return 128, 64
	case version >= 90:
		return 128, 64
	case version >= 86:
		return 128, 2
	case version >= 80:
		return 64, 32
	case version >= 75:
		return 64, 2
	case version >= 70:
		return 64, 32
	case version >= 61:
		return 128, 4
	case version >= 60:
		return 64, 32
	case version >= 50:
		return 128, 4
	}
	return 0, 0
}

// roofsOf measures the rate of the memory, and computes the others from the clock rate.
func roofsOf(d *gpu.Device) Roofs {
	props := d.Properties()
	var r Roofs
	if props.Simulated && props.MemoryClockRate == 0 {
		return r // the simulator does not imitate a particular GPU
	}
	// Memory transfers data twice per cycle.
	r.GBs = 2 * float64(props.MemoryClockRate) * 1e3 * float64(props.MemoryBusWidth) / 8 / 1e9
	if measured := copyGBs(d); measured > 0 {
		r.GBs, r.Measured = measured, true
	}
	fp32, fp64 := coresPerMultiprocessor(props.ComputeMajor, props.ComputeMinor)
	// A fused multiply-add is two operations; the clock is in kHz.
	perCore := 2 * float64(props.MultiProcessorCount) * float64(props.ClockRate) / 1e6
	r.FP32, r.FP64 = fp32*perCore, fp64*perCore
	return r
}

// top returns the roof at an arithmetic intensity, in 10⁹ operations per second, and whether memory is the limit there.
func (r Roofs) top(intensity, peak float64) (gflops float64, memory bool) {
	byMemory := intensity * r.GBs
	if byMemory < peak {
		return byMemory, true
	}
	return peak, false
}

// peakOf returns the roof of the precision in which the kernel has the most operations, and its name.
func (r Roofs) peakOf(k *Kernel) (gflops float64, precision string) {
	if k.flops64() > k.flops32()+k.flops16() {
		return r.FP64, "FP64"
	}
	return r.FP32, "FP32"
}

// Roofline returns, in a line per kernel, what limits the kernel and how close to that limit it is; SVG draws the same. It is "" if
// operations and bytes were not counted.
func (r *Report) Roofline() string {
	var b strings.Builder
	for i := range r.Kernels {
		k := &r.Kernels[i]
		intensity := k.Intensity()
		if intensity == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s: %s FLOP/byte", k.Name, figure(intensity))
		peak, precision := r.Roofs.peakOf(k)
		if r.Roofs.GBs > 0 && peak > 0 {
			top, memory := r.Roofs.top(intensity, peak)
			bound := "the " + precision + " units"
			if memory {
				bound = "memory"
			}
			if r.Simulated {
				fmt.Fprintf(&b, ", at most %s GFLOP/s: bound by %s", figure(top), bound)
			} else {
				fmt.Fprintf(&b, ", %s GFLOP/s, %.0f %% of the roof of %s: bound by %s", figure(k.GFlops()), 100*k.GFlops()/top, figure(top), bound)
			}
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return "Roofline" + r.Roofs.describe(r.Simulated) + "\n" + b.String()
}

func (r Roofs) describe(simulated bool) string {
	switch {
	case r.GBs == 0 && simulated:
		return " (no roofs: sim:h200 and others of its kind imitate a GPU that has some)"
	case r.GBs == 0:
		return ""
	}
	how := "by the data sheet"
	if r.Measured {
		how = "as a copy measures it"
	}
	return fmt.Sprintf(" (memory %s GB/s %s; FP32 %s, FP64 %s GFLOP/s by the clock)", figure(r.GBs), how, figure(r.FP32), figure(r.FP64))
}

// figure formats a number with three digits, or with all digits before the decimal point.
func figure(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.Abs(v) >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return fmt.Sprintf("%.*f", digits, v)
}
