package wire

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Request is a question of the session, sent on the socket, with fields for its answer. It is a pointer to one of the structs
// below. Those whose comments mention a descriptor are sent with one.
type Request interface {
	kind() kind
	question(c *coder)
	answer(c *coder)
}

// kind identifies the type of a request in a message.
type kind uint64

const (
	kindStage kind = iota + 1
	kindCreateChunk
	kindImportChunk
	kindMoveChunk
	kindChanged
	kindMapPeer
	kindPin
	kindMemInfo
	kindCompile
	kindSignatures
	kindBuild
	kindLoad
	kindReadGlobal
	kindWriteGlobal
	kindOccupancy
	kindGraph
	kindTexture
	kindLibrary
	kindGroupID
	kindJoin
	kindStartProfile
	kindStopProfile
	kindReport
	kindEnd
)

// requests has a function for each kind that returns an empty request.
var requests = [kindEnd]func() Request{
	kindStage:        func() Request { return &Stage{} },
	kindCreateChunk:  func() Request { return &CreateChunk{Chunk: backend.Chunk{FD: -1}} },
	kindImportChunk:  func() Request { return &ImportChunk{} },
	kindMoveChunk:    func() Request { return &MoveChunk{} },
	kindChanged:      func() Request { return &Changed{} },
	kindMapPeer:      func() Request { return &MapPeer{} },
	kindPin:          func() Request { return &Pin{} },
	kindMemInfo:      func() Request { return &MemInfo{} },
	kindCompile:      func() Request { return &Compile{} },
	kindSignatures:   func() Request { return &Signatures{} },
	kindBuild:        func() Request { return &Build{} },
	kindLoad:         func() Request { return &Load{} },
	kindReadGlobal:   func() Request { return &ReadGlobal{} },
	kindWriteGlobal:  func() Request { return &WriteGlobal{} },
	kindOccupancy:    func() Request { return &Occupancy{} },
	kindGraph:        func() Request { return &Graph{} },
	kindTexture:      func() Request { return &Texture{} },
	kindLibrary:      func() Request { return &Library{} },
	kindGroupID:      func() Request { return &GroupID{} },
	kindJoin:         func() Request { return &Join{} },
	kindStartProfile: func() Request { return &StartProfile{} },
	kindStopProfile:  func() Request { return &StopProfile{} },
	kindReport:       func() Request { return &Report{} },
}

// plain is a question without arguments, and done is an answer without a result.
type (
	plain struct{}
	done  struct{}
)

func (plain) question(*coder) {}
func (done) answer(*coder)    {}

// Stage makes shared memory, whose descriptor is sent with it, the staging area.
type Stage struct {
	plain
	done
}

func (*Stage) kind() kind { return kindStage }

// CreateChunk allocates device memory.
type CreateChunk struct {
	Size uint64 // bytes
	Addr uint64 // that it must have; 0 for any

	Chunk backend.Chunk // answer; the caller closes its descriptor, if it has one
}

func (*CreateChunk) kind() kind          { return kindCreateChunk }
func (r *CreateChunk) question(c *coder) { numbers(c, &r.Size, &r.Addr) }
func (r *CreateChunk) answer(c *coder)   { numbers(c, &r.Chunk.Addr, &r.Chunk.Size) }

// descriptor returns the descriptor that comes with the answer.
func (r *CreateChunk) descriptor() *int { return &r.Chunk.FD }

// ImportChunk maps a chunk of an earlier process, whose descriptor is sent with it, at the same address.
type ImportChunk struct {
	done
	Addr, Size uint64
}

func (*ImportChunk) kind() kind          { return kindImportChunk }
func (r *ImportChunk) question(c *coder) { numbers(c, &r.Addr, &r.Size) }

// A Span is a range of bytes.
type Span struct{ Offset, Size uint64 }

func codeSpan(c *coder, s *Span) { numbers(c, &s.Offset, &s.Size) }

// MoveChunk copies parts of a chunk to host memory, whose descriptor is sent with it, at the same offsets, or back.
type MoveChunk struct {
	done
	Addr  uint64 // of the chunk
	Spans []Span
	Back  bool // from the host to the device
}

func (*MoveChunk) kind() kind { return kindMoveChunk }

func (r *MoveChunk) question(c *coder) {
	numbers(c, &r.Addr)
	list(c, &r.Spans, codeSpan)
	c.bools(&r.Back)
}

// A Global is a variable of a module with the bytes that the host has given it.
type Global struct {
	Name string
	Data []byte
}

// Changed finds out whether a module has state that would be lost with its process: variables that kernels have changed, or the heap of
// the device.
type Changed struct {
	Module  uint32
	Image   []byte   // from which it was loaded
	Globals []Global // the variables that the host has set since

	What string // answer: what would be lost, for a message; "" if nothing
}

func (*Changed) kind() kind { return kindChanged }

func (r *Changed) question(c *coder) {
	numbers(c, &r.Module)
	c.bytes(&r.Image)
	list(c, &r.Globals, func(c *coder, g *Global) {
		texts(c, &g.Name)
		c.bytes(&g.Data)
	})
}

func (r *Changed) answer(c *coder) { texts(c, &r.What) }

// MapPeer maps a chunk of another device, whose descriptor is sent with it.
type MapPeer struct {
	PeerAddr, Size uint64 // the chunk, with its address on the other device

	Addr uint64 // answer: its address on this device
}

func (*MapPeer) kind() kind          { return kindMapPeer }
func (r *MapPeer) question(c *coder) { numbers(c, &r.PeerAddr, &r.Size) }
func (r *MapPeer) answer(c *coder)   { numbers(c, &r.Addr) }

// Pin registers host memory of the session, whose descriptor is sent with it, with the device. It is mapped at its address in the
// session.
type Pin struct {
	done
	Area       uint32 // its number in commands
	Addr, Size uint64
}

func (*Pin) kind() kind { return kindPin }

func (r *Pin) question(c *coder) {
	numbers(c, &r.Area)
	numbers(c, &r.Addr, &r.Size)
}

// MemInfo returns the free and total memory of the device.
type MemInfo struct {
	plain

	Free, Total uint64 // answer, bytes
}

func (*MemInfo) kind() kind        { return kindMemInfo }
func (r *MemInfo) answer(c *coder) { numbers(c, &r.Free, &r.Total) }

// Compile compiles a program.
type Compile struct {
	Program backend.Program

	Image   backend.Image // answer
	Kernels []Kernel      // answer, without handles and Info
}

func (*Compile) kind() kind          { return kindCompile }
func (r *Compile) question(c *coder) { codeProgram(c, &r.Program) }

func (r *Compile) answer(c *coder) {
	codeImage(c, &r.Image)
	list(c, &r.Kernels, codeKernel)
}

// Signatures returns the parameters of kernels from their declarations.
type Signatures struct {
	Program backend.Program // only declarations

	Kernels []Kernel // answer, without handles and Info
}

func (*Signatures) kind() kind          { return kindSignatures }
func (r *Signatures) question(c *coder) { codeProgram(c, &r.Program) }
func (r *Signatures) answer(c *coder)   { list(c, &r.Kernels, codeKernel) }

// Build compiles a program with NVIDIA's compiler and returns information about the result.
type Build struct {
	Program backend.Program
	SASS    bool // whether to include the machine code

	Build backend.Build // answer
}

func (*Build) kind() kind { return kindBuild }

func (r *Build) question(c *coder) {
	codeProgram(c, &r.Program)
	c.bools(&r.SASS)
}

func (r *Build) answer(c *coder) { codeBuild(c, &r.Build) }

// Load loads an image and assigns handles to its kernels.
type Load struct {
	Module  uint32
	Image   backend.Image
	Program backend.Program // of the image, if Program.Check; otherwise empty
	Kernels []Kernel        // with handles; the answer also has their Info
}

func (*Load) kind() kind { return kindLoad }

func (r *Load) question(c *coder) {
	numbers(c, &r.Module)
	codeImage(c, &r.Image)
	codeProgram(c, &r.Program)
	list(c, &r.Kernels, codeKernel)
}

func (r *Load) answer(c *coder) { list(c, &r.Kernels, codeKernel) }

// ReadGlobal reads a variable of a module.
type ReadGlobal struct {
	Module uint32
	Name   string
	Bytes  uint64 // number of bytes to read; 0 for the size alone

	Size uint64 // answer: size of the variable in bytes
	Data []byte // answer: its first Bytes bytes
}

func (*ReadGlobal) kind() kind { return kindReadGlobal }

func (r *ReadGlobal) question(c *coder) {
	numbers(c, &r.Module)
	texts(c, &r.Name)
	numbers(c, &r.Bytes)
}

func (r *ReadGlobal) answer(c *coder) {
	numbers(c, &r.Size)
	c.bytes(&r.Data)
}

// WriteGlobal sets a variable of a module.
type WriteGlobal struct {
	done
	Module uint32
	Name   string
	Data   []byte
}

func (*WriteGlobal) kind() kind { return kindWriteGlobal }

func (r *WriteGlobal) question(c *coder) {
	numbers(c, &r.Module)
	texts(c, &r.Name)
	c.bytes(&r.Data)
}

// Occupancy returns the number of blocks of a kernel that can be resident on a multiprocessor.
type Occupancy struct {
	Func        uint32
	SharedBytes uint32
	Threads     int // per block; if 0, the answer has the number with the maximum occupancy

	Blocks int // answer
}

func (*Occupancy) kind() kind { return kindOccupancy }

func (r *Occupancy) question(c *coder) {
	numbers(c, &r.Func, &r.SharedBytes)
	numbers(c, &r.Threads)
}

func (r *Occupancy) answer(c *coder) { numbers(c, &r.Threads, &r.Blocks) }

// Graph creates a graph, which replaces an earlier one with this handle.
type Graph struct {
	done
	Graph, Stream uint32 // the stream that was captured
	// Families are the libraries whose routines it has, and Work is the address of memory for these, of WorkBytes, if the device needs any.
	Families        []routine.Family
	Work, WorkBytes uint64
	Commands        []byte // see AppendRecord
}

func (*Graph) kind() kind { return kindGraph }

func (r *Graph) question(c *coder) {
	numbers(c, &r.Graph, &r.Stream)
	list(c, &r.Families, func(c *coder, f *routine.Family) { numbers(c, f) })
	numbers(c, &r.Work, &r.WorkBytes)
	c.bytes(&r.Commands)
}

// Texture creates a texture, or updates the elements of an existing one.
type Texture struct {
	done
	Handle  uint32
	Texture backend.Texture
}

func (*Texture) kind() kind { return kindTexture }

func (r *Texture) question(c *coder) {
	numbers(c, &r.Handle)
	codeTexture(c, &r.Texture)
}

// Library loads a library.
type Library struct {
	done
	Family routine.Family
}

func (*Library) kind() kind          { return kindLibrary }
func (r *Library) question(c *coder) { numbers(c, &r.Family) }

// GroupID returns a new identifier, by which the members of one group find each other.
type GroupID struct {
	plain

	ID []byte // answer
}

func (*GroupID) kind() kind        { return kindGroupID }
func (r *GroupID) answer(c *coder) { c.bytes(&r.ID) }

// Join makes the device a member of a group, whose members share the memory of the descriptor.
type Join struct {
	done
	Group      uint32
	ID         []byte // from GroupID
	Rank, Size int
}

func (*Join) kind() kind { return kindJoin }

func (r *Join) question(c *coder) {
	numbers(c, &r.Group)
	c.bytes(&r.ID)
	numbers(c, &r.Rank, &r.Size)
}

// StartProfile starts to record all work.
type StartProfile struct {
	done
	TimesOnly bool // whether to measure only times, and not to count the operations of kernels
}

func (*StartProfile) kind() kind          { return kindStartProfile }
func (r *StartProfile) question(c *coder) { c.bools(&r.TimesOnly) }

// StopProfile ends the profile and returns it.
type StopProfile struct {
	plain

	Profile backend.Profile // answer
}

func (*StopProfile) kind() kind        { return kindStopProfile }
func (r *StopProfile) answer(c *coder) { codeProfile(c, &r.Profile) }

// Report returns the report of check mode and resets it.
type Report struct {
	plain

	Report backend.Report // answer
}

func (*Report) kind() kind        { return kindReport }
func (r *Report) answer(c *coder) { codeReport(c, &r.Report) }
