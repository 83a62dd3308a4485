package gpu

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// Module is a compiled CUDA program, loaded on one device.
type Module struct {
	handle  uint32
	loaded  *client.LoadedModule
	dev     *Device
	kernels []*Kernel
	program backend.Program
	// sourceless says that the program's source is only declarations.
	sourceless bool
	// checked is the same program for check mode, once Check needs it; the connection's
	// lock guards it.
	checked   *twin
	instances instances
}

// compilation is what options may change.
type compilation struct {
	program  backend.Program
	declared string
}

// CompileOption changes how Compile works.
type CompileOption func(*compilation)

// WithName sets what the source is called in messages, e.g. "cell[3].cu". It is "program.cu"
// otherwise.
func WithName(name string) CompileOption {
	return func(c *compilation) { c.program.Name = name }
}

// WithFlags adds options for the compiler, as NVRTC spells them: "--use_fast_math", "-DN=3".
func WithFlags(flags ...string) CompileOption {
	return func(c *compilation) { c.program.Options = append(c.program.Options, flags...) }
}

// WithInstances adds instances of kernel templates that are wanted, e.g. "scale<float>".
func WithInstances(names ...string) CompileOption {
	return func(c *compilation) { c.program.Kernels = append(c.program.Kernels, names...) }
}

// WithDeclarations says, in CUDA C++, which kernels an image has that LoadImage loads:
//
//	extern "C" __global__ void saxpy(float a, const float *x, float *y, int n);
func WithDeclarations(source string) CompileOption {
	return func(c *compilation) { c.declared += source + "\n" }
}

// Compile translates CUDA C++ for the current device and loads it. If the source is at fault
// the error is a *CompileError. Compiling the same source again is quick: images are kept on
// disk.
func Compile(src string, opts ...CompileOption) (*Module, error) {
	d, err := Current()
	if err != nil {
		return nil, err
	}
	return d.Compile(src, opts...)
}

// Compile is the function Compile for this device instead of the current one.
func (d *Device) Compile(src string, opts ...CompileOption) (*Module, error) {
	c := compilation{program: backend.Program{Name: "program.cu", Source: src}}
	for _, o := range opts {
		o(&c)
	}
	searchHere(&c.program)
	return d.compile(c.program)
}

// LoadImage loads a program that is compiled already: PTX, a cubin or a fatbin, which need a GPU,
// or what Module.Image gave on the same kind of device. WithDeclarations tells what its kernels take;
// nothing can check that it is true. A kernel is found by its own name (extern "C") or by the
// mangled one, which can be read from PTX and cubins.
func LoadImage(image []byte, opts ...CompileOption) (*Module, error) {
	d, err := Current()
	if err != nil {
		return nil, err
	}
	c := compilation{program: backend.Program{Name: "image"}}
	for _, o := range opts {
		o(&c)
	}
	if c.declared == "" {
		return nil, misuse("loading "+c.program.Name, "an image does not tell what its kernels take: say so with gpu.WithDeclarations(`extern \"C\" __global__ void name(…);`)")
	}
	program := c.program
	program.Source = c.declared
	unpacked := unpack(image)
	return d.load(program, &unpacked)
}

func (d *Device) compile(program backend.Program) (*Module, error) {
	return d.load(program, nil)
}

// load loads an image, of which the program has the declarations, or what the program compiles to if there is none.
func (d *Device) load(program backend.Program, image *backend.Image) (*Module, error) {
	l := d.link
	m := &Module{dev: d, program: program, sourceless: image != nil}
	var err error
	m.handle, m.loaded, err = l.Load(program, image)
	if err != nil {
		doing := "compiling "
		if image != nil {
			doing = "loading "
		}
		return nil, wrap(doing+program.Name, err)
	}
	for _, k := range m.loaded.Kernels {
		m.kernels = append(m.kernels, newKernel(m, k))
	}
	runtime.AddCleanup(m, l.Unload, m.handle)
	return m, nil
}

// Log is what the compiler had to say, its warnings above all.
func (m *Module) Log() string { return m.loaded.Image.Log }

// Cached reports whether the image came from the disk instead of the compiler.
func (m *Module) Cached() bool { return m.loaded.Image.Cached }

// Image is the compiled program, for LoadImage: a cubin (or PTX for a GPU that is newer than the
// compiler), or the simulator's own form.
func (m *Module) Image() []byte {
	if m.dev.link.Properties().Simulated {
		return pack(m.loaded.Image)
	}
	return slices.Clone(m.loaded.Image.Data)
}

// Device is where the module is loaded.
func (m *Module) Device() *Device { return m.dev }

// Kernels lists the names of the module's kernels, in the order of the source; instances of
// templates come last.
func (m *Module) Kernels() []string {
	var names []string
	for _, k := range m.kernels {
		names = append(names, k.name)
	}
	return names
}

// Kernel returns a kernel by its name in the source. An instance of a template ("scale<float>") is
// compiled if it was not asked for before.
func (m *Module) Kernel(name string) (*Kernel, error) {
	i := slices.IndexFunc(m.kernels, func(k *Kernel) bool { return k.name == name })
	if i >= 0 {
		return m.kernels[i], nil
	}
	if strings.Contains(name, "<") && !m.sourceless {
		return m.instance(name)
	}
	return nil, m.unknown(name)
}

// unknown is the error for a kernel that the module does not have.
func (m *Module) unknown(name string) error {
	have := "none"
	if len(m.kernels) > 0 {
		have = strings.Join(m.Kernels(), ", ")
	}
	return &Error{
		Code: codeNotFound, Name: "CUDA_ERROR_NOT_FOUND", Op: "looking for kernel " + name, Kernel: name,
		Message: fmt.Sprintf("%s has no kernel of that name; it has: %s. An instance of a template is named with its arguments, as in scale<float>", m.loaded.Name, have),
	}
}
