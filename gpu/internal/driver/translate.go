package driver

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// newestDriver stands for the version of a driver that is not there: any NVRTC will do.
const newestDriver = 13000

// A Translator compiles programs to look at what comes of them. It needs NVRTC and neither a driver nor a GPU.
type Translator struct{ c *compiler }

// NewTranslator finds NVRTC, the one for the driver of that version, or 0 if there is none.
func NewTranslator(driverVersion int) (*Translator, error) {
	if driverVersion == 0 {
		driverVersion = newestDriver
	}
	c, err := newCompiler(driverVersion, nil)
	if err != nil {
		return nil, err
	}
	return &Translator{c}, nil
}

// Code is a program in the forms that it takes on its way to the GPU, with the lines of its source.
type Code struct {
	Arch     string // "sm_90"
	Compiler string
	PTX      []byte
	Cubin    []byte            // nil if the architecture is a virtual one ("compute_90")
	Lowered  map[string]string // source name of a kernel to symbol
	Log      string            // with what ptxas says of the kernels' resources
}

// Translate compiles the program for the compute capability cc, given as 10*major+minor, unless its
// options name an architecture.
func (t *Translator) Translate(p backend.Program, cc int) (Code, error) {
	p.Options = slices.Clone(p.Options)
	if !debugs(p.Options) {
		p.Options = append(p.Options, "-lineinfo")
	}
	p.Options = append(p.Options, "--ptxas-options=-v")
	_, arch := t.c.options(p.Options, cc)
	code := Code{Arch: arch, Compiler: "NVRTC " + t.c.version}
	img, err := t.c.compileAs(p, cc, true)
	if err != nil {
		return Code{}, err
	}
	code.PTX, code.Lowered, code.Log = img.Data, img.Lowered, img.Log
	if isVirtual(arch) {
		return code, nil
	}
	if img, err = t.c.compileAs(p, cc, false); err != nil {
		return Code{}, err
	}
	code.Cubin, code.Log = img.Data, img.Log
	return code, nil
}

// debugs reports whether the options ask for debugging, which brings lines of its own.
func debugs(options []string) bool {
	return slices.Contains(options, "-G") || slices.Contains(options, "--device-debug")
}
