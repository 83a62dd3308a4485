package driver

import (
	"slices"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// newestDriver is used as the driver's version without a driver: any NVRTC is acceptable.
const newestDriver = 13000

// A Translator compiles programs for inspection. It needs NVRTC, but neither a driver nor a GPU.
type Translator struct{ c *compiler }

// NewTranslator loads the NVRTC for the driver of that version, or for 0 without a driver.
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

// Code is the result of compiling a program, with the lines of its source.
type Code struct {
	Arch     string // e.g. "sm_90"
	Compiler string
	PTX      []byte
	Cubin    []byte            // nil for a virtual architecture ("compute_90")
	Lowered  map[string]string // the kernels' symbols, by name in the source
	Log      string            // including ptxas's information about the kernels' resources
}

// Translate compiles the program for the compute capability cc, given as 10*major+minor, unless its options name an architecture.
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

// debugs reports whether the options include one for debugging, which itself adds line information.
func debugs(options []string) bool {
	return slices.Contains(options, "-G") || slices.Contains(options, "--device-debug")
}
