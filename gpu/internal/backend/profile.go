package backend

import (
	"strings"
	"time"
)

// A Profiler is a Device that measures its own work, between StartProfile and StopProfile. The times of other devices are
// measured from outside.
type Profiler interface {
	// StartProfile starts a profile. With count, the device also counts the operations of kernels, for which it may run some of
	// them several times; it is no error if it cannot count. It is an error if it cannot measure times, which must then be
	// measured from outside.
	StartProfile(count bool) error
	// Now returns the time by the clock of the records' beginnings.
	Now() time.Duration
	// Tag sets the tag of the records of later work.
	Tag(tag uint64)
	// LaunchCounted is like Launch, but with a tag and for a kernel whose operations are to be counted, if the device can count.
	LaunchCounted(tag uint64, l *Launch) error
	// StopProfile waits for the work and returns its records, and notes, in sentences, about what could not be measured.
	StopProfile() (records []Record, notes []string, err error)
}

// A Counter is a Device that runs kernels as programs that count their operations.
type Counter interface {
	// Counted returns the counters of the last launch, or nil if nothing was counted.
	Counted() Counters
}

// A Record is the device's record of one piece of work.
type Record struct {
	Tag           uint64
	Kind          WorkKind
	Symbol        string // of a kernel, in the compiled code; "" if the tag identifies it
	Grid, Block   [3]uint32
	Registers     int // per thread
	StaticShared  int // bytes per block
	DynamicShared int
	Bytes         uint64        // of a copy
	Begin         time.Duration // by the clock of Profiler.Now, or that of whoever measured from outside
	Time          time.Duration
	Counters      Counters // nil if nothing was counted
}

// WorkKind is the kind of a piece of work.
type WorkKind string

// The kinds of work.
const (
	WorkKernel WorkKind = "kernel"
	WorkHtoD   WorkKind = "HtoD"
	WorkDtoH   WorkKind = "DtoH"
	WorkDtoD   WorkKind = "DtoD"
	WorkFill   WorkKind = "fill"
	WorkGraph  WorkKind = "graph" // as a whole: the device does not list its parts
)

// Counters are values of metrics, by ncu's names. Those that end in .sum are added up over launches, the others are averaged.
type Counters map[string]float64

// The metrics of profiles. Each has ncu's name; the simulator's values may differ from ncu's: see Profile.Notes.
const (
	MetricDuration  = "gpu__time_duration.sum" // nanoseconds
	MetricDRAMRead  = "dram__bytes_read.sum"
	MetricDRAMWrite = "dram__bytes_write.sum"
	MetricOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active"

	// The 32-byte sectors that loads and stores of global memory request.
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

// Add adds the counters of the n-th piece of work.
func (c Counters) Add(o Counters, n int) {
	for name, v := range o {
		if strings.HasSuffix(name, ".sum") {
			c[name] += v
		} else {
			c[name] += (v - c[name]) / float64(n)
		}
	}
}

// A Profile is the work of a device during a period of time.
type Profile struct {
	// Clock is the source of the times: "CUPTI", "events", or "host" for a device that is synchronous.
	Clock  string
	Notes  []string // for the reader, in sentences
	Work   []Work
	Ranges []RangeWork
	// Events are the pieces of work, and Spans the ranges, in the order of their beginnings, which count from the start of the profile.
	Events  []Event
	Spans   []Span
	Skipped int // events and spans that were left out, after MaxEvents of each
}

// MaxEvents is the maximum number of events, and of spans, in a Profile.
const MaxEvents = 20000

// An Event is a piece of work.
type Event struct {
	Kind        WorkKind
	Func        uint32 // as in Work
	Symbol      string
	Stream      uint32
	Grid, Block [3]uint32
	Bytes       uint64 // of a copy
	Begin, Time time.Duration
}

// A Span is the time of a range.
type Span struct {
	Name        string
	Begin, Time time.Duration
}

// Work is the sum of all pieces of work of one kind and shape.
type Work struct {
	Kind          WorkKind
	Func          uint32 // of a kernel that was launched by its handle; otherwise 0
	Symbol        string // of another kernel
	Grid, Block   [3]uint32
	Registers     int
	StaticShared  int
	DynamicShared int

	Calls           int
	Bytes           uint64 // of all copies
	Total, Min, Max time.Duration
	Counted         int           // number of calls with counters
	CountedTime     time.Duration // of the counted calls
	Counters        Counters      // of the counted calls: sums or means
}

// RangeWork is the work that was submitted within ranges of one name.
type RangeWork struct {
	Name     string
	Times    int           // how often the range was entered
	Launches int           // of kernels and graphs
	Device   time.Duration // of kernels and copies
}
