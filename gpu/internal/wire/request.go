package wire

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// A Request is a question that the session asks on the socket, with room for its answer: a pointer
// to one of the structs below. Of those that say so, the question brings a descriptor along.
type Request interface {
	kind() kind
	question(c *coder)
	answer(c *coder)
}

// kind is a request's number in a message.
type kind uint64

const (
	kindStage kind = iota + 1
	kindCreateChunk
	kindImportChunk
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

// requests makes an empty request of each kind.
var requests = [kindEnd]func() Request{
	kindStage:        func() Request { return &Stage{} },
	kindCreateChunk:  func() Request { return &CreateChunk{Chunk: backend.Chunk{FD: -1}} },
	kindImportChunk:  func() Request { return &ImportChunk{} },
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

// plain is a question without arguments, and done an answer that says no more than that.
type (
	plain struct{}
	done  struct{}
)

func (plain) question(*coder) {}
func (done) answer(*coder)    {}

// Stage makes the memory behind the descriptor the staging area.
type Stage struct {
	plain
	done
}

func (*Stage) kind() kind { return kindStage }

// CreateChunk reserves device memory.
type CreateChunk struct {
	Size uint64 // bytes

	Chunk backend.Chunk // answer; the caller owns its descriptor, if it has one
}

func (*CreateChunk) kind() kind          { return kindCreateChunk }
func (r *CreateChunk) question(c *coder) { numbers(c, &r.Size) }
func (r *CreateChunk) answer(c *coder)   { numbers(c, &r.Chunk.Addr, &r.Chunk.Size) }

// descriptor is the one that comes with the answer.
func (r *CreateChunk) descriptor() *int { return &r.Chunk.FD }

// ImportChunk maps a chunk of an earlier process, behind the descriptor, at its old address.
type ImportChunk struct {
	done
	Addr, Size uint64
}

func (*ImportChunk) kind() kind          { return kindImportChunk }
func (r *ImportChunk) question(c *coder) { numbers(c, &r.Addr, &r.Size) }

// MapPeer maps a chunk of another device, behind the descriptor.
type MapPeer struct {
	PeerAddr, Size uint64 // the chunk, as the other device knows it

	Addr uint64 // answer: where it is on this one
}

func (*MapPeer) kind() kind          { return kindMapPeer }
func (r *MapPeer) question(c *coder) { numbers(c, &r.PeerAddr, &r.Size) }
func (r *MapPeer) answer(c *coder)   { numbers(c, &r.Addr) }

// Pin makes host memory of the session, behind the descriptor, known to the device at the address
// that it has in the session.
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

// MemInfo asks how much memory the device has.
type MemInfo struct {
	plain

	Free, Total uint64 // answer, bytes
}

func (*MemInfo) kind() kind        { return kindMemInfo }
func (r *MemInfo) answer(c *coder) { numbers(c, &r.Free, &r.Total) }

// Compile translates a program.
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

// Signatures reads what kernels take from their declarations.
type Signatures struct {
	Program backend.Program // declarations alone

	Kernels []Kernel // answer, without handles and Info
}

func (*Signatures) kind() kind          { return kindSignatures }
func (r *Signatures) question(c *coder) { codeProgram(c, &r.Program) }
func (r *Signatures) answer(c *coder)   { list(c, &r.Kernels, codeKernel) }

// Build asks what NVIDIA's compiler makes of a program.
type Build struct {
	Program backend.Program
	SASS    bool // the machine code is wanted, too

	Build backend.Build // answer
}

func (*Build) kind() kind { return kindBuild }

func (r *Build) question(c *coder) {
	codeProgram(c, &r.Program)
	c.bools(&r.SASS)
}

func (r *Build) answer(c *coder) { codeBuild(c, &r.Build) }

// Load makes the kernels of an image ready to be launched.
type Load struct {
	Module  uint32
	Image   backend.Image
	Program backend.Program // of the image, if Program.Check; otherwise empty
	Kernels []Kernel        // with handles; the answer has their Info, too
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
	Bytes  uint64 // how many are wanted; 0 for the size alone

	Size uint64 // answer: bytes of the variable
	Data []byte // answer: the first Bytes of it
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

// Occupancy asks how many blocks of a kernel fit on a multiprocessor.
type Occupancy struct {
	Func        uint32
	SharedBytes uint32
	Threads     int // of a block; if it is 0, the answer has the number for which most threads fit

	Blocks int // answer
}

func (*Occupancy) kind() kind { return kindOccupancy }

func (r *Occupancy) question(c *coder) {
	numbers(c, &r.Func, &r.SharedBytes)
	numbers(c, &r.Threads)
}

func (r *Occupancy) answer(c *coder) { numbers(c, &r.Threads, &r.Blocks) }

// Graph makes a graph, in the place of an earlier one of the handle.
type Graph struct {
	done
	Graph, Stream uint32 // the stream is the one that was captured
	Commands      []byte // see AppendRecord
}

func (*Graph) kind() kind { return kindGraph }

func (r *Graph) question(c *coder) {
	numbers(c, &r.Graph, &r.Stream)
	c.bytes(&r.Commands)
}

// Texture makes a texture, or has the one of the handle take over what stands in its memory.
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

// Library makes a library ready.
type Library struct {
	done
	Family routine.Family
}

func (*Library) kind() kind          { return kindLibrary }
func (r *Library) question(c *coder) { numbers(c, &r.Family) }

// GroupID asks for something by which the members of one group find each other.
type GroupID struct {
	plain

	ID []byte // answer
}

func (*GroupID) kind() kind        { return kindGroupID }
func (r *GroupID) answer(c *coder) { c.bytes(&r.ID) }

// Join makes the device a member of a group whose members share the memory behind the descriptor.
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

// StartProfile has all work recorded from now on.
type StartProfile struct {
	done
	TimesOnly bool // and not what kernels do
}

func (*StartProfile) kind() kind          { return kindStartProfile }
func (r *StartProfile) question(c *coder) { c.bools(&r.TimesOnly) }

// StopProfile ends the profile.
type StopProfile struct {
	plain

	Profile backend.Profile // answer
}

func (*StopProfile) kind() kind        { return kindStopProfile }
func (r *StopProfile) answer(c *coder) { codeProfile(c, &r.Profile) }

// Report takes what check mode has seen.
type Report struct {
	plain

	Report backend.Report // answer
}

func (*Report) kind() kind        { return kindReport }
func (r *Report) answer(c *coder) { codeReport(c, &r.Report) }
