package gpuhost

import (
	"context"
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/extension"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
	"github.com/gopherwarp/gopherwarp/internal/waiting"
)

// The names of the handlers.
const (
	CallCompile = "gpu.compile"
	CallUse     = "gpu.use"
	CallStatus  = "gpu.status"
)

// CompileRequest is the request to compile a CUDA program and load it on the current device.
type CompileRequest struct {
	Name    string            // of the program, e.g. "cell[3].cu"
	Source  string            //
	Shown   string            // the text that the source was made from, or ""
	Beside  map[string]string // texts of other files that #line in the source names
	Flags   []string          // NVRTC's options
	Check   bool              // launch the kernels in check mode
	JSON    bool              // show check mode's reports as JSON, from this cell on
	Show    Show              // the facts to report
	Go      []string          // names of functions in Go that become a part of Source
	Include []string          // files and directories of headers, which become Flags
	// Templates are the names of the kernel templates, to be bound as well.
	Templates []string
}

// CompileReply is the reply to a CompileRequest.
type CompileReply struct {
	Kernels []string
	Log     string // the compiler's warnings
	Device  string
	Built   *Built // if facts were requested
}

// Extension returns the session program's extension for the GPU.
func Extension() extension.Extension {
	cell.Keep(usual()...)
	var r reports
	return extension.Extension{
		Start: func() {
			gpuhooks.Compiling = r.compiling
			cell.Behind = gpuhooks.Behind
			gpuhooks.Warm()
		},
		CellStart: prof.Range, // profilers such as Nsight show the cells
		CellEnd:   r.cellEnd,
		Handlers: map[string]func(context.Context, []byte) ([]byte, error){
			CallCompile: prochost.Answer(r.compile),
			CallUse:     prochost.Answer(use),
			CallStatus:  prochost.Answer(status),
			CallMemory:  prochost.Answer(memory),
			CallRecord:  prochost.Answer(r.record),
		},
	}
}

// KernelKey returns the key under which Compile stores a kernel for the cell that binds it.
func KernelKey(program, kernel string) string { return "gpu.kernel " + program + " " + kernel }

func (r *reports) compile(q CompileRequest) (CompileReply, error) {
	r.asked.Add(1)
	defer r.asked.Add(-1)
	options := []gpu.CompileOption{gpu.WithName(q.Name), gpu.WithListing(q.Shown), gpu.WithFlags(q.Flags...)}
	for name, text := range q.Beside {
		options = append(options, gpu.WithFileListing(name, text))
	}
	if q.Check {
		options = append(options, gpu.WithCheck())
		r.json.Store(q.JSON)
	}
	mod, err := gpu.Compile(q.Source, options...)
	if err != nil {
		var source *gpu.CompileError
		if errors.As(err, &source) {
			return CompileReply{}, sourceError{source}
		}
		return CompileReply{}, err
	}
	reply := CompileReply{Kernels: mod.Kernels(), Log: mod.Log(), Device: mod.Device().String()}
	for _, name := range reply.Kernels {
		k, err := mod.Kernel(name)
		if err != nil {
			return CompileReply{}, err
		}
		cell.Put(KernelKey(q.Name, name), k)
	}
	for _, name := range q.Templates {
		cell.Put(KernelKey(q.Name, name), mod.Template(name))
	}
	if q.Show.Any() {
		if reply.Built, err = look(mod, q.Show); err != nil {
			return CompileReply{}, err
		}
	}
	return reply, nil
}

// compiling shows that the compilation of a program by a cell takes long, until end is called. The kernel process shows those that it has
// asked for.
func (r *reports) compiling(program string) (end func()) {
	host := cell.CurrentHost()
	if host == nil || r.asked.Load() > 0 {
		return func() {}
	}
	ended := waiting.Begin("Compiling "+program, func(data map[string]any, id string, update bool) { host.Display(data, nil, id, update) })
	return func() { ended() }
}

// sourceError shows only the compiler's log, which names the cell's lines.
type sourceError struct{ *gpu.CompileError }

func (e sourceError) Error() string   { return e.Log }
func (sourceError) ErrorKind() string { return "CUDA compile error" }

func use(name string) (string, error) {
	if err := gpu.Use(name); err != nil {
		return "", err
	}
	d, err := gpu.Current()
	if err != nil {
		return "", err
	}
	return d.String(), nil
}

// Status describes the current device and the memory use of all devices.
type Status struct {
	Properties  gpu.Properties
	Device      string
	Free, Total uint64 // bytes
	States      []gpu.State
}

func status(struct{}) (Status, error) {
	d, err := gpu.Current()
	if err != nil {
		return Status{}, err
	}
	s := Status{Properties: d.Properties(), Device: d.Name()}
	if s.Free, s.Total, err = d.MemInfo(); err != nil {
		return Status{}, err
	}
	s.States = gpu.Status()
	return s, nil
}
