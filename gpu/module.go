package gpu

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// A Module is a compiled CUDA program, loaded on one device.
type Module struct {
	handle  uint32
	loaded  *client.LoadedModule
	dev     *Device
	kernels []*Kernel
	program backend.Program
	// sourceless reports whether the program's source consists only of declarations.
	sourceless bool
	// checked is the same program compiled for check mode, or nil if it was not needed yet. The connection's lock guards it.
	checked *twin
	// recorded is a twin whose launches can be recorded.
	recorded  *twin
	instances instances
}

// compilation is the configuration that options change.
type compilation struct {
	program  backend.Program
	declared string
}

// A CompileOption configures a compilation.
type CompileOption func(*compilation)

// WithName sets the name of the source in messages, e.g. "cell[3].cu". The default is "program.cu".
func WithName(name string) CompileOption {
	return func(c *compilation) { c.program.Name = name }
}

// WithListing sets the text that the program was made from, to whose lines #line in the program refers. Check mode's report lists it instead of the
// program.
func WithListing(text string) CompileOption {
	return func(c *compilation) { c.program.Shown = text }
}

// WithFileListing is WithListing for another file that #line in the program names.
func WithFileListing(name, text string) CompileOption {
	return func(c *compilation) {
		c.program.Beside = append(c.program.Beside, backend.Source{Name: name, Text: text})
	}
}

// WithFlags adds compiler options, in the form of NVRTC's: "--use_fast_math", "-DN=3".
func WithFlags(flags ...string) CompileOption {
	return func(c *compilation) { c.program.Options = append(c.program.Options, flags...) }
}

// WithInstances compiles instances of kernel templates with the module, e.g. "scale<float>".
func WithInstances(names ...string) CompileOption {
	return func(c *compilation) { c.program.Kernels = append(c.program.Kernels, names...) }
}

// WithDeclarations declares, in CUDA C++, the kernels of an image that LoadImage loads:
//
//	extern "C" __global__ void saxpy(float a, const float *x, float *y, int n);
func WithDeclarations(source string) CompileOption {
	return func(c *compilation) { c.declared += source + "\n" }
}

// withExpression implements hook.WithExpression.
func withExpression(description []byte) any {
	return CompileOption(func(c *compilation) { c.program.Expression = description })
}

// Compile compiles CUDA C++ for the current device and loads it. If the source does not compile, the error is a *CompileError. Images are
// cached on disk, so that compiling the same source again is fast.
func Compile(src string, opts ...CompileOption) (*Module, error) {
	d, err := Current()
	if err != nil {
		return nil, err
	}
	return d.Compile(src, opts...)
}

// Compile is like the function Compile but compiles for this device instead of the current one.
func (d *Device) Compile(src string, opts ...CompileOption) (*Module, error) {
	c := compilation{program: backend.Program{Name: "program.cu", Source: src}}
	for _, o := range opts {
		o(&c)
	}
	searchHere(&c.program)
	return d.compile(c.program)
}

// LoadImage loads a compiled program on the current device: PTX, a cubin or a fatbin, which need a GPU, or the result of Module.Image for
// the same kind of device. WithDeclarations, which is required, declares its kernels; the declarations cannot be checked. A kernel is
// found by its name (extern "C") or by its mangled name, which can be read from PTX and cubins.
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

// load loads an image, whose kernels the program declares, or, if image is nil, compiles the program and loads the result.
func (d *Device) load(program backend.Program, image *backend.Image) (*Module, error) {
	l := d.link
	m := &Module{dev: d, program: program, sourceless: image != nil}
	var err error
	if image == nil {
		defer gpuhooks.Compiling(program.Name)()
	}
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

// Log returns the messages of the compiler, such as warnings.
func (m *Module) Log() string { return m.loaded.Image.Log }

// Cached reports whether the image was read from the cache on disk instead of being compiled.
func (m *Module) Cached() bool { return m.loaded.Image.Cached }

// Image returns the compiled program, for LoadImage: a cubin (or PTX for a GPU that is newer than the compiler), or the simulator's own
// format.
func (m *Module) Image() []byte {
	if m.dev.link.Properties().Simulated {
		return pack(m.loaded.Image)
	}
	return slices.Clone(m.loaded.Image.Data)
}

// Device returns the device on which the module is loaded.
func (m *Module) Device() *Device { return m.dev }

// Kernels returns the names of the module's kernels, in the order of the source; instances of templates are last.
func (m *Module) Kernels() []string {
	var names []string
	for _, k := range m.kernels {
		names = append(names, k.name)
	}
	return names
}

// Kernel returns the kernel with that name in the source. An instance of a template ("scale<float>") is compiled if it does not exist
// yet. The error for a kernel that does not exist is an *Error with the name CUDA_ERROR_NOT_FOUND.
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

// unknown returns the error for a kernel that the module does not have.
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
