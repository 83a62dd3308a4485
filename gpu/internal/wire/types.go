package wire

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// A Kernel is one kernel of a module.
type Kernel struct {
	Name   string // as in the source
	Func   uint32 // the handle for OpLaunch
	Params []Param
	Info   backend.FunctionInfo
}

// ParamKind is the kind of a parameter, which determines how it is passed.
type ParamKind uint64

// The kinds of parameters.
const (
	ParamUnsupported ParamKind = iota // Param.Problem says why
	ParamBool
	ParamInt
	ParamUint
	ParamFloat
	ParamPointer
	ParamStruct  // passed as its bytes
	ParamTexture // the handle of a texture
	ParamSurface // the handle of a texture that the kernel may write
)

// A Param is one parameter of a kernel.
type Param struct {
	Name, CType string
	Kind        ParamKind
	Size, Align int    // bytes
	Elem        string // Go type of the value, or of the pointer's target; "" if Go has none
	Const       bool   // for a pointer: the kernel only reads through it
	Problem     string
}

func codeKernel(c *coder, k *Kernel) {
	texts(c, &k.Name)
	numbers(c, &k.Func)
	list(c, &k.Params, func(c *coder, p *Param) {
		texts(c, &p.Name, &p.CType, &p.Elem, &p.Problem)
		numbers(c, &p.Kind)
		numbers(c, &p.Size, &p.Align)
		c.bools(&p.Const)
	})
	i := &k.Info
	numbers(c, &i.MaxThreadsPerBlock, &i.NumRegs, &i.SharedSizeBytes, &i.LocalSizeBytes, &i.ConstSizeBytes)
}

func codeError(c *coder, e *backend.Error) {
	numbers(c, &e.Code)
	texts(c, &e.Name, &e.Message)
	c.bools(&e.Fatal)
}

func codeProperties(c *coder, p *backend.Properties) {
	texts(c, &p.Name)
	c.bools(&p.Simulated)
	numbers(c, &p.TotalMemory)
	vector(c, p.MaxBlockDim[:])
	vector(c, p.MaxGridDim[:])
	numbers(c, &p.Ordinal, &p.ComputeMajor, &p.ComputeMinor, &p.MultiProcessorCount, &p.WarpSize,
		&p.MaxThreadsPerBlock, &p.MaxThreadsPerMultiProcessor,
		&p.SharedMemPerBlock, &p.SharedMemPerBlockOptin, &p.RegistersPerBlock, &p.L2CacheSize,
		&p.ClockRate, &p.MemoryClockRate, &p.MemoryBusWidth, &p.DriverVersion,
		&p.MaxBlocksPerMultiProcessor, &p.RegsPerMultiprocessor, &p.SharedMemPerMultiprocessor, &p.ReservedSharedMemPerBlock,
		&p.StreamPrioritiesSupported, &p.LeastPriority, &p.MostPriority, &p.CooperativeLaunch, &p.ClusterLaunch,
		&p.CanUseHostPointerForRegisteredMem)
}

func codeProgram(c *coder, p *backend.Program) {
	texts(c, &p.Name, &p.Source, &p.Shown)
	list(c, &p.Options, func(c *coder, s *string) { texts(c, s) })
	list(c, &p.Kernels, func(c *coder, s *string) { texts(c, s) })
	c.bools(&p.Check, &p.Record)
	c.bytes(&p.Expression)
	texts(c, &p.Dir)
	list(c, &p.More, func(c *coder, s *backend.Source) { texts(c, &s.Name, &s.Text) })
}

func codeImage(c *coder, i *backend.Image) {
	c.bytes(&i.Data)
	c.bytes(&i.PTX)
	table(c, &i.Lowered, func(c *coder, s *string) { texts(c, s) })
	texts(c, &i.Log)
	c.bools(&i.Cached)
}

func codeTexture(c *coder, t *backend.Texture) {
	numbers(c, &t.Addr)
	numbers(c, &t.Dimensions, &t.Bits, &t.Channels)
	vector(c, t.Size[:])
	numbers(c, &t.Kind)
	vector(c, t.Address[:])
	c.bools(&t.Linear, &t.Normalized, &t.Values)
	for i := range t.Border {
		bits := math.Float32bits(t.Border[i])
		if numbers(c, &bits); c.reading {
			t.Border[i] = math.Float32frombits(bits)
		}
	}
}

func codeBuild(c *coder, b *backend.Build) {
	texts(c, &b.Arch, &b.Compiler, &b.SASSProblem)
	list(c, &b.Kernels, func(c *coder, k *backend.BuiltKernel) {
		texts(c, &k.Name, &k.Symbol)
		r := &k.Resources
		numbers(c, &r.Registers, &r.Shared, &r.Stack, &r.SpillStores, &r.SpillLoads, &r.Constant, &r.Barriers, &r.MaxThreads)
		list(c, &k.PTX, codeInstruction)
		list(c, &k.SASS, codeInstruction)
	})
}

func codeInstruction(c *coder, i *backend.Instruction) {
	numbers(c, &i.Address, &i.Line)
	texts(c, &i.Text, &i.File)
}

func codeProfile(c *coder, p *backend.Profile) {
	texts(c, &p.Clock)
	list(c, &p.Notes, func(c *coder, s *string) { texts(c, s) })
	list(c, &p.Work, func(c *coder, w *backend.Work) {
		texts(c, &w.Kind)
		texts(c, &w.Symbol)
		numbers(c, &w.Func)
		vector(c, w.Grid[:])
		vector(c, w.Block[:])
		numbers(c, &w.Registers, &w.StaticShared, &w.DynamicShared, &w.Calls, &w.Counted)
		numbers(c, &w.Bytes)
		numbers(c, &w.Total, &w.Min, &w.Max, &w.CountedTime)
		table(c, (*map[string]float64)(&w.Counters), codeFloat)
	})
	list(c, &p.Ranges, func(c *coder, r *backend.RangeWork) {
		texts(c, &r.Name)
		numbers(c, &r.Times, &r.Launches)
		numbers(c, &r.Device)
	})
	numbers(c, &p.Skipped)
	list(c, &p.Events, func(c *coder, e *backend.Event) {
		texts(c, &e.Kind)
		texts(c, &e.Symbol)
		numbers(c, &e.Func, &e.Stream)
		vector(c, e.Grid[:])
		vector(c, e.Block[:])
		numbers(c, &e.Bytes)
		numbers(c, &e.Begin, &e.Time)
	})
	list(c, &p.Spans, func(c *coder, s *backend.Span) {
		texts(c, &s.Name)
		numbers(c, &s.Begin, &s.Time)
	})
}

func codeFloat(c *coder, v *float64) {
	if n := c.word(math.Float64bits(*v)); c.reading {
		*v = math.Float64frombits(n)
	}
}

func codeView(c *coder, v *backend.View) {
	numbers(c, &v.Addr, &v.Size)
	numbers(c, &v.Elem, &v.Arg)
	texts(c, &v.Name, &v.Type)
	c.bools(&v.Host)
}

func codeReport(c *coder, r *backend.Report) {
	texts(c, &r.Note)
	numbers(c, &r.Launches)
	list(c, &r.Findings, func(c *coder, f *backend.Finding) {
		texts(c, &f.Kind, &f.Program, &f.Kernel, &f.Message, &f.Tool, &f.Space)
		numbers(c, &f.Line, &f.Count)
		vector(c, f.Block[:])
		vector(c, f.Thread[:])
		c.bools(&f.Warning)
	})
	list(c, &r.Accesses, func(c *coder, a *backend.Access) {
		texts(c, &a.Program, &a.Kernel, &a.Space, &a.Op)
		numbers(c, &a.Line, &a.Size)
		numbers(c, &a.Lanes, &a.Bytes, &a.Requests, &a.Active, &a.Sectors, &a.Wavefronts, &a.BestWavefronts, &a.Addresses)
	})
	list(c, &r.Operations, func(c *coder, o *backend.Operations) {
		texts(c, &o.Program, &o.Kernel)
		numbers(c, &o.Line)
		numbers(c, &o.FP32, &o.FP64)
	})
	list(c, &r.Efforts, func(c *coder, e *backend.Effort) {
		texts(c, &e.Program, &e.Kernel, &e.Space)
		numbers(c, &e.Threads, &e.Accesses, &e.Most)
		vector(c, e.Block[:])
		vector(c, e.Thread[:])
	})
	list(c, &r.Traces, func(c *coder, t *backend.Trace) {
		texts(c, &t.Program, &t.Kernel)
		c.bytes(&t.Data)
	})
}
