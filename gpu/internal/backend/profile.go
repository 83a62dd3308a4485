package backend

import (
	"strings"
	"time"
)

// A Profiler is a Device that measures its own work. What it does between StartProfile and
// StopProfile it has a record of. Devices without it are timed from outside.
type Profiler interface {
	// StartProfile begins; with count, the device also counts what kernels do, for which it may
	// run some several times. That it cannot count is no error. If it cannot measure times, which
	// must then be taken from outside, that is one.
	StartProfile(count bool) error
	// Tag sets the number that the records of what is asked for from now on bear.
	Tag(tag uint64)
	// LaunchCounted is Launch under a tag, for a kernel of which the device counts what it does, if it can.
	LaunchCounted(tag uint64, l *Launch) error
	// StopProfile waits for the work and returns its records, and what was not to be had, each a
	// sentence.
	StopProfile() (records []Record, notes []string, err error)
}

// A Counter is a Device that runs kernels as programs that count what they do.
type Counter interface {
	// Counted is what the last launch did, or nil if nobody has counted.
	Counted() Counters
}

// Record is the device's account of one piece of work.
type Record struct {
	Tag           uint64
	Kind          WorkKind
	Symbol        string // of a kernel, as the linker knows it; "" if Tag says all
	Grid, Block   [3]uint32
	Registers     int // of a thread
	StaticShared  int // bytes of a block
	DynamicShared int
	Bytes         uint64 // of a copy
	Time          time.Duration
	Counters      Counters // nil if nothing was counted
}

// WorkKind says what a piece of work is.
type WorkKind string

// The kinds of work.
const (
	WorkKernel WorkKind = "kernel"
	WorkHtoD   WorkKind = "HtoD"
	WorkDtoH   WorkKind = "DtoH"
	WorkDtoD   WorkKind = "DtoD"
	WorkFill   WorkKind = "fill"
	WorkGraph  WorkKind = "graph" // of which the device does not tell what it consists of
)

// Counters are what kernels did, by ncu's names of the metrics. Those that end in .sum add up
// over launches; of the others it is the mean.
type Counters map[string]float64

// The metrics that profiles know. Each is ncu's name, except that a simulator counts what it
// can: see Profile.Notes.
const (
	MetricDuration  = "gpu__time_duration.sum" // nanoseconds
	MetricDRAMRead  = "dram__bytes_read.sum"
	MetricDRAMWrite = "dram__bytes_write.sum"
	MetricOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active"

	// The pieces of 32 bytes that loads and stores of global memory ask for.
	MetricLoadSector  = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
	MetricStoreSector = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"

	MetricFAdd = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
	MetricFMul = "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"
	MetricFFMA = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
	MetricDAdd = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"
	MetricDMul = "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"
	MetricDFMA = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"
	MetricHAdd = "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"
	MetricHMul = "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum"
	MetricHFMA = "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"
)

// Add joins the counters of one more piece of work, the n-th.
func (c Counters) Add(o Counters, n int) {
	for name, v := range o {
		if strings.HasSuffix(name, ".sum") {
			c[name] += v
		} else {
			c[name] += (v - c[name]) / float64(n)
		}
	}
}

// Profile is what a device did from one moment to another.
type Profile struct {
	// Clock says where the times come from: "CUPTI", "events", or "host" for a device that is
	// done when a call returns.
	Clock  string
	Notes  []string // what the reader must know, each a sentence
	Work   []Work
	Ranges []RangeWork
}

// Work is all pieces of work of one kind and shape.
type Work struct {
	Kind          WorkKind
	Func          uint32 // of a kernel that was launched by its handle, or 0
	Symbol        string // of another one
	Grid, Block   [3]uint32
	Registers     int
	StaticShared  int
	DynamicShared int

	Calls           int
	Bytes           uint64 // of all copies
	Total, Min, Max time.Duration
	Counted         int           // calls that Counters are of
	CountedTime     time.Duration // of those
	Counters        Counters      // of those: sums, or means
}

// RangeWork is the work that was asked for within ranges of one name.
type RangeWork struct {
	Name     string
	Times    int           // how often the range was entered
	Launches int           // of kernels and graphs
	Device   time.Duration // of kernels and copies
}
