package wire

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// Kind says which request a message is.
type Kind uint64

// The requests. Those that carry a descriptor say so.
const (
	KindStage        Kind = iota + 1 // descriptor: use this memory as the staging area
	KindCreateChunk                  // Size; the reply has Chunk and, if it is shareable, a descriptor
	KindImportChunk                  // Chunk; descriptor
	KindMapPeer                      // Chunk of another device; descriptor; the reply has Chunk
	KindCompile                      // Program; the reply has Image and Kernels
	KindLoad                         // Module, Image, Kernels (names and handles); the reply has them with Info
	KindMemInfo                      // the reply has Free and Total
	KindSignatures                   // Program (declarations alone); the reply has Kernels
	KindReadGlobal                   // Module, Program.Name is the variable, Size bytes or, if 0, none; the reply has Data and Size
	KindWriteGlobal                  // Module, Program.Name is the variable, Data is its new value
	KindOccupancy                    // Module is the kernel's handle, Size the shared memory, Chunk.Size the threads, or 0 for the best number; the reply has Blocks and Threads
	KindGraph                        // Module is the graph's handle, Stream, Data are records
	KindReport                       // the reply has Report
	KindPin                          // Chunk (of host memory, by its address), Module (the area's number); descriptor
	KindGroupID                      // the reply has Data
	KindJoin                         // Module (the group's number), Data (from KindGroupID), Chunk.Addr (the rank), Size (of the group); descriptor
	KindLibrary                      // Module is the library.Family to make ready
	KindStartProfile                 // from now on work is recorded; Size is not 0 if only its times are
	KindStopProfile                  // the reply's Data are a backend.Profile as JSON
	KindTexture                      // Module is the texture's handle, Data a backend.Texture as package binary writes it: makes it, or has it take over what stands in its memory
	KindBuild                        // Program, Size is the compute capability (90), or 0 for the device's, Data is there if SASS is wanted; the reply has Data, for UnmarshalBuild
)

// Hello is the device process's first message.
type Hello struct {
	Version    int
	Backend    string // "cuda", "sim"
	Properties backend.Properties
	// Note is worth telling the user, e.g. why a simulator was taken.
	Note string
	// Err is why the device could not be opened; then the rest is empty.
	Err *backend.Error
}

// Request is what the session asks on the socket. It uses the fields of its kind.
type Request struct {
	Kind    Kind
	Size    uint64
	Chunk   backend.Chunk // FD travels beside the message
	Program backend.Program
	Module  uint32
	Image   backend.Image
	Kernels []Kernel
	Stream  uint32
	Data    []byte
}

// Reply answers a request.
type Reply struct {
	Err         *backend.Error
	Compile     *backend.CompileError
	Chunk       backend.Chunk // FD travels beside the message
	Image       backend.Image
	Kernels     []Kernel
	Free, Total uint64
	Size        uint64
	Data        []byte

	Blocks, Threads int
	Report          *backend.Report
}

// Kernel is one kernel of a module.
type Kernel struct {
	Name   string // as in the source
	Func   uint32 // the handle for OpLaunch
	Params []Param
	Info   backend.FunctionInfo
}

// ParamKind says how a parameter is passed.
type ParamKind uint64

// The kinds of parameters.
const (
	ParamUnsupported ParamKind = iota // Param.Problem says why
	ParamBool
	ParamInt
	ParamUint
	ParamFloat
	ParamPointer
	ParamStruct  // as its bytes
	ParamTexture // the handle of a texture
	ParamSurface // the handle of a texture that the kernel may write
)

// Param is one parameter of a kernel.
type Param struct {
	Name, CType string
	Kind        ParamKind
	Size, Align int    // bytes
	Elem        string // Go type of the value or of what the pointer points to; "" if Go has none
	Const       bool   // for a pointer: the kernel only reads through it
	Problem     string
}

// Marshal gives the message's bytes.
func (h *Hello) Marshal() []byte {
	e := &encoder{}
	e.int(h.Version)
	e.string(h.Backend)
	e.string(h.Note)
	e.error(h.Err)
	p := &h.Properties
	e.string(p.Name)
	e.bool(p.Simulated)
	for _, f := range propertyInts(p) {
		e.int(*f)
	}
	e.uint(p.TotalMemory)
	return e.b
}

// UnmarshalHello is the inverse of Marshal.
func UnmarshalHello(b []byte) (*Hello, error) {
	d := &decoder{b: b}
	h := &Hello{Version: d.int(), Backend: d.string(), Note: d.string(), Err: d.error()}
	p := &h.Properties
	p.Name, p.Simulated = d.string(), d.bool()
	for _, f := range propertyInts(p) {
		*f = d.int()
	}
	p.TotalMemory = d.uint()
	return h, d.end()
}

// propertyInts lists the fields of properties that are plain numbers, so that both
// directions agree on their order.
func propertyInts(p *backend.Properties) []*int {
	return []*int{
		&p.Ordinal, &p.ComputeMajor, &p.ComputeMinor, &p.MultiProcessorCount, &p.WarpSize,
		&p.MaxThreadsPerBlock, &p.MaxThreadsPerMultiProcessor,
		&p.MaxBlockDim[0], &p.MaxBlockDim[1], &p.MaxBlockDim[2],
		&p.MaxGridDim[0], &p.MaxGridDim[1], &p.MaxGridDim[2],
		&p.SharedMemPerBlock, &p.SharedMemPerBlockOptin, &p.RegistersPerBlock, &p.L2CacheSize,
		&p.ClockRate, &p.MemoryClockRate, &p.MemoryBusWidth, &p.DriverVersion,
		&p.MaxBlocksPerMultiProcessor, &p.RegsPerMultiprocessor, &p.SharedMemPerMultiprocessor, &p.ReservedSharedMemPerBlock,
		&p.StreamPrioritiesSupported, &p.LeastPriority, &p.MostPriority, &p.CooperativeLaunch, &p.ClusterLaunch,
		&p.CanUseHostPointerForRegisteredMem,
	}
}

// Marshal gives the message's bytes.
func (r *Request) Marshal() []byte {
	e := &encoder{}
	e.uint(uint64(r.Kind))
	e.uint(r.Size)
	e.chunk(r.Chunk)
	e.string(r.Program.Name)
	e.string(r.Program.Source)
	e.strings(r.Program.Options)
	e.strings(r.Program.Kernels)
	e.bool(r.Program.Check)
	e.uint(uint64(r.Module))
	e.image(&r.Image)
	e.kernels(r.Kernels)
	e.uint(uint64(r.Stream))
	e.bytes(r.Data)
	return e.b
}

// UnmarshalRequest is the inverse of Marshal.
func UnmarshalRequest(b []byte) (*Request, error) {
	d := &decoder{b: b}
	r := &Request{Kind: Kind(d.uint()), Size: d.uint(), Chunk: d.chunk()}
	r.Program = backend.Program{Name: d.string(), Source: d.string(), Options: d.strings(), Kernels: d.strings(), Check: d.bool()}
	r.Module = uint32(d.uint())
	r.Image = d.image()
	r.Kernels = d.kernels()
	r.Stream = uint32(d.uint())
	r.Data = d.bytes()
	return r, d.end()
}

// Marshal gives the message's bytes.
func (r *Reply) Marshal() []byte {
	e := &encoder{}
	e.error(r.Err)
	e.bool(r.Compile != nil)
	if r.Compile != nil {
		e.string(r.Compile.Program)
		e.string(r.Compile.Log)
	}
	e.chunk(r.Chunk)
	e.image(&r.Image)
	e.kernels(r.Kernels)
	e.uint(r.Free)
	e.uint(r.Total)
	e.uint(r.Size)
	e.bytes(r.Data)
	e.int(r.Blocks)
	e.int(r.Threads)
	e.bool(r.Report != nil)
	if r.Report != nil {
		e.report(r.Report)
	}
	return e.b
}

// UnmarshalReply is the inverse of Marshal.
func UnmarshalReply(b []byte) (*Reply, error) {
	d := &decoder{b: b}
	r := &Reply{Err: d.error()}
	if d.bool() {
		r.Compile = &backend.CompileError{Program: d.string(), Log: d.string()}
	}
	r.Chunk = d.chunk()
	r.Image = d.image()
	r.Kernels = d.kernels()
	r.Free, r.Total = d.uint(), d.uint()
	r.Size, r.Data = d.uint(), d.bytes()
	r.Blocks, r.Threads = d.int(), d.int()
	if d.bool() {
		r.Report = d.report()
	}
	return r, d.end()
}

func (e *encoder) chunk(c backend.Chunk) { e.uint(c.Addr); e.uint(c.Size) }

func (d *decoder) chunk() backend.Chunk {
	return backend.Chunk{Addr: d.uint(), Size: d.uint(), FD: -1}
}

func (e *encoder) image(i *backend.Image) {
	e.bytes(i.Data)
	e.int(len(i.Lowered))
	for source, symbol := range i.Lowered {
		e.string(source)
		e.string(symbol)
	}
	e.string(i.Log)
	e.bool(i.Cached)
	e.bytes(i.PTX)
}

func (d *decoder) image() backend.Image {
	i := backend.Image{Data: d.bytes(), Lowered: map[string]string{}}
	for range d.count(16) {
		source := d.string()
		i.Lowered[source] = d.string()
	}
	i.Log, i.Cached = d.string(), d.bool()
	if ptx := d.bytes(); len(ptx) > 0 {
		i.PTX = ptx
	}
	return i
}

func (e *encoder) kernels(list []Kernel) {
	e.int(len(list))
	for i := range list {
		k := &list[i]
		e.string(k.Name)
		e.uint(uint64(k.Func))
		e.int(len(k.Params))
		for j := range k.Params {
			p := &k.Params[j]
			e.string(p.Name)
			e.string(p.CType)
			e.uint(uint64(p.Kind))
			e.int(p.Size)
			e.int(p.Align)
			e.string(p.Elem)
			e.bool(p.Const)
			e.string(p.Problem)
		}
		for _, f := range infoInts(&k.Info) {
			e.int(*f)
		}
	}
}

func (d *decoder) kernels() []Kernel {
	var list []Kernel
	for range d.count(8) {
		k := Kernel{Name: d.string(), Func: uint32(d.uint())}
		for range d.count(8) {
			k.Params = append(k.Params, Param{
				Name: d.string(), CType: d.string(), Kind: ParamKind(d.uint()),
				Size: d.int(), Align: d.int(), Elem: d.string(), Const: d.bool(), Problem: d.string(),
			})
		}
		for _, f := range infoInts(&k.Info) {
			*f = d.int()
		}
		list = append(list, k)
	}
	return list
}

func infoInts(i *backend.FunctionInfo) []*int {
	return []*int{&i.MaxThreadsPerBlock, &i.NumRegs, &i.SharedSizeBytes, &i.LocalSizeBytes, &i.ConstSizeBytes}
}
