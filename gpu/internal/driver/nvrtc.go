package driver

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
	"github.com/gopherwarp/gopherwarp/internal/toolkit"
)

// nvrtc is the table of NVRTC's functions.
type nvrtc struct {
	Version           func(major, minor *int32) nvrtcResult                                                          `c:"nvrtcVersion"`
	GetErrorString    func(r nvrtcResult) string                                                                     `c:"nvrtcGetErrorString"`
	NumSupportedArchs func(n *int32) nvrtcResult                                                                     `c:"nvrtcGetNumSupportedArchs"`
	SupportedArchs    func(archs *int32) nvrtcResult                                                                 `c:"nvrtcGetSupportedArchs"`
	CreateProgram     func(program *uintptr, source, name string, n int32, headers, includeNames **byte) nvrtcResult `c:"nvrtcCreateProgram"`
	DestroyProgram    func(program *uintptr) nvrtcResult                                                             `c:"nvrtcDestroyProgram"`
	AddNameExpression func(program uintptr, name string) nvrtcResult                                                 `c:"nvrtcAddNameExpression"`
	CompileProgram    func(program uintptr, n int32, options **byte) nvrtcResult                                     `c:"nvrtcCompileProgram"`
	GetLoweredName    func(program uintptr, name string, lowered **byte) nvrtcResult                                 `c:"nvrtcGetLoweredName"`
	GetLogSize        func(program uintptr, size *uint64) nvrtcResult                                                `c:"nvrtcGetProgramLogSize"`
	GetLog            func(program uintptr, log *byte) nvrtcResult                                                   `c:"nvrtcGetProgramLog"`
	GetCUBINSize      func(program uintptr, size *uint64) nvrtcResult                                                `c:"nvrtcGetCUBINSize"`
	GetCUBIN          func(program uintptr, cubin *byte) nvrtcResult                                                 `c:"nvrtcGetCUBIN"`
	GetPTXSize        func(program uintptr, size *uint64) nvrtcResult                                                `c:"nvrtcGetPTXSize"`
	GetPTX            func(program uintptr, ptx *byte) nvrtcResult                                                   `c:"nvrtcGetPTX"`
}

type nvrtcResult int32

const (
	nvrtcSuccess             nvrtcResult = 0
	nvrtcErrInvalidOption    nvrtcResult = 5
	nvrtcErrCompilation      nvrtcResult = 6
	nvrtcErrBuiltinOperation nvrtcResult = 7
)

// A compiler is NVRTC with its headers and a cache.
type compiler struct {
	lib      *nvrtc
	version  string   // "13.0"
	archs    []int    // supported compute capabilities, as 10*major+minor
	includes []string // directories of CUDA's own headers
	cache    *cache   // nil if there is no cache directory
}

// newCompiler loads NVRTC, the version that fits the driver best if there are several.
func newCompiler(driverVersion int, cache *cache) (*compiler, error) {
	places := toolkit.Directories()
	handle, name, err := openLibrary(nvrtcCandidates(places, driverVersion/1000))
	if err != nil {
		return nil, &backend.Error{
			Code: int(errJITCompilerNotFound),
			Name: "CUDA_ERROR_JIT_COMPILER_NOT_FOUND",
			Message: "NVRTC, the library that compiles CUDA C++, was not found. Install it with " + installNVRTC(driverVersion/1000) +
				", or set CUDA_HOME to the directory of a CUDA toolkit. The simulator (GOPHERWARP_DEVICE=sim) works without it",
		}
	}
	path := loadedFrom(name)
	loadBuiltins(path)
	lib := new(nvrtc)
	if err := bind(handle, lib); err != nil {
		return nil, fmt.Errorf("NVRTC (%s) is too old: %w; CUDA 11.2 or newer is needed", name, err)
	}
	c := &compiler{lib: lib, cache: cache, includes: headerDirectories(places, path)}
	var major, minor, n int32
	if err := c.check(lib.Version(&major, &minor), "reading NVRTC's version"); err != nil {
		return nil, err
	}
	c.version = fmt.Sprintf("%d.%d", major, minor)
	if err := c.check(lib.NumSupportedArchs(&n), "reading NVRTC's architectures"); err != nil {
		return nil, err
	}
	archs := make([]int32, n+1) // never empty, since its address is needed
	if err := c.check(lib.SupportedArchs(&archs[0]), "reading NVRTC's architectures"); err != nil {
		return nil, err
	}
	for _, a := range archs[:n] {
		c.archs = append(c.archs, int(a))
	}
	return c, nil
}

// loadBuiltins loads the library that NVRTC opens by name when it compiles. pip's packages do not set a search path for it, so
// the linker would not find it.
func loadBuiltins(nvrtcPath string) {
	if nvrtcPath == "" {
		return
	}
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(nvrtcPath), "libnvrtc-builtins.so.*"))
	if len(found) > 0 {
		// If it cannot be loaded, the first compilation fails with an error that says why.
		_, _, _ = openLibrary(found)
	}
}

func installNVRTC(major int) string {
	if major == 12 || major == 11 {
		return fmt.Sprintf("`pip install nvidia-cuda-nvrtc-cu%d`", major)
	}
	return "`pip install nvidia-cuda-nvrtc`"
}

func (c *compiler) check(r nvrtcResult, doing string) error {
	if r == nvrtcSuccess {
		return nil
	}
	return fmt.Errorf("%s: %s", doing, c.lib.GetErrorString(r))
}

// Compile compiles the program, or returns its image from the cache.
func (d *device) Compile(p backend.Program) (backend.Image, error) {
	if d.compiler == nil {
		// An error is not stored: the user may install NVRTC and try again.
		c, err := newCompiler(d.props.DriverVersion, userCache())
		if err != nil {
			return backend.Image{}, err
		}
		d.compiler = c
	}
	return d.compiler.compile(p, 10*d.props.ComputeMajor+d.props.ComputeMinor)
}

// compile compiles the program for the compute capability cc, given as 10*major+minor.
func (c *compiler) compile(p backend.Program, cc int) (backend.Image, error) {
	_, arch := c.options(p.Options, cc)
	return c.compileAs(p, cc, isVirtual(arch))
}

// isVirtual reports whether an architecture has PTX only, which the driver compiles.
func isVirtual(arch string) bool { return strings.HasPrefix(arch, "compute_") }

// compileAs is like compile, to PTX or to a cubin.
func (c *compiler) compileAs(p backend.Program, cc int, ptx bool) (backend.Image, error) {
	if p.Name == "" {
		p.Name = "program.cu"
	}
	if strings.ContainsRune(p.Source, 0) {
		return backend.Image{}, &backend.CompileError{Program: p.Name, Log: "the source contains a NUL byte"}
	}
	var unread error // why the source's kernels are unknown
	if len(p.Kernels) == 0 {
		p.Kernels, unread = definedKernels(p)
	}
	options, _ := c.options(p.Options, cc)
	options = append(options, impliedOptions(p.Source)...)
	key, cacheable := cacheKey(p, options, c.version)
	if cacheable {
		if img, ok := c.cache.get(key, p.Name); ok {
			return img, nil
		}
	}
	img, err := c.translate(p, p.Kernels, options, ptx)
	if namesAmbiguous(err) {
		if again, err2 := c.translate(p, exactExpressions(p), options, ptx); err2 == nil {
			img, err = again, nil
		}
	}
	if err != nil {
		return backend.Image{}, err
	}
	if unread != nil {
		// Only here, since an error of NVRTC would be the better one.
		return backend.Image{}, &backend.CompileError{Program: p.Name, Log: unread.Error()}
	}
	if cacheable {
		c.cache.put(key, p.Name, img)
	}
	return img, nil
}

// definedKernels returns the names of the kernels that a program defines, except templates, which are compiled only for given
// arguments.
func definedKernels(p backend.Program) ([]string, error) {
	file, err := parse(p)
	var e *cudac.Error
	if errors.As(err, &e) { // formatted like NVRTC's errors
		return nil, fmt.Errorf("%s(%d): error: %s", p.Name, e.Line, e.Msg)
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, k := range file.Kernels {
		if k.Wanted() {
			names = append(names, k.QualifiedName())
		}
	}
	return names, nil
}

// namesAmbiguous reports whether NVRTC failed because of the kernels' names and not because of the source. A kernel with the name
// of one of NVRTC's own device functions (all, any, …) overloads it, and then its name alone is ambiguous.
func namesAmbiguous(err error) bool {
	var e *backend.CompileError
	return errors.As(err, &e) && strings.Contains(e.Log, "cannot determine which instance of overloaded function")
}

// exactExpressions returns expressions for the program's kernels with the types of their parameters. They are not used first
// because a type may be undefined outside the kernel's own namespace. For kernels that the source itself overloads it returns the
// one that cudac reports, whose parameters launches are checked against.
func exactExpressions(p backend.Program) []string {
	expressions := slices.Clone(p.Kernels)
	file, err := parse(p)
	if err != nil {
		return expressions
	}
	for i, name := range p.Kernels {
		k := file.Kernel(name)
		if k == nil || k.QualifiedName() != name || k.IsTemplate() {
			continue
		}
		var types []string
		for _, param := range k.Params {
			types = append(types, param.Type)
		}
		expressions[i] = fmt.Sprintf("static_cast<void (*)(%s)>(%s)", strings.Join(types, ", "), name)
	}
	return expressions
}

// options returns the user's options with those that are missing: the device's architecture and the language standard, unless
// they are given, and the directories of CUDA's headers. It also returns the architecture that is used.
func (c *compiler) options(user []string, cc int) (all []string, arch string) {
	all = slices.Clone(user)
	arch, ok := optionValue(user, "-arch", "--gpu-architecture")
	if !ok {
		arch = c.archFor(cc)
		all = append(all, "--gpu-architecture="+arch)
	}
	if _, ok := optionValue(user, "-std", "--std"); !ok {
		all = append(all, "--std=c++17")
	}
	for _, dir := range c.includes {
		all = append(all, "--include-path="+dir)
	}
	return all, arch
}

// archFor returns the architecture to compile for. For a device newer than NVRTC it is the newest virtual architecture that NVRTC
// supports, whose PTX the driver compiles.
func (c *compiler) archFor(cc int) string {
	if len(c.archs) == 0 || slices.Contains(c.archs, cc) {
		return "sm_" + strconv.Itoa(cc)
	}
	best := 0
	for _, a := range c.archs {
		if a < cc {
			best = max(best, a)
		}
	}
	if best == 0 {
		// Older than NVRTC supports: NVRTC returns an error that says so.
		return "sm_" + strconv.Itoa(cc)
	}
	return "compute_" + strconv.Itoa(best)
}

// optionValue returns the value of an option's last occurrence, in the forms -o=value, --option=value and -o value.
func optionValue(options []string, names ...string) (value string, ok bool) {
	for i, o := range options {
		name, v, joined := strings.Cut(strings.TrimSpace(o), "=")
		if !joined {
			name, v, joined = strings.Cut(name, " ")
		}
		if !slices.Contains(names, name) {
			continue
		}
		if !joined && i+1 < len(options) {
			v = options[i+1]
		}
		value, ok = strings.TrimSpace(v), true
	}
	return value, ok
}

// translate runs NVRTC. The expressions denote the program's kernels, in the same order.
func (c *compiler) translate(p backend.Program, expressions, options []string, ptx bool) (backend.Image, error) {
	lib := c.lib
	doing := "compiling " + p.Name
	headers, names := standInHeaders()

	var program uintptr
	r := lib.CreateProgram(&program, p.Source, p.Name, int32(len(names)), cStrings(headers), cStrings(names))
	if err := c.check(r, doing); err != nil {
		return backend.Image{}, err
	}
	defer lib.DestroyProgram(&program)
	for _, e := range expressions {
		if err := c.check(lib.AddNameExpression(program, e), doing+": adding kernel "+e); err != nil {
			return backend.Image{}, err
		}
	}

	r = lib.CompileProgram(program, int32(len(options)), cStrings(options))
	log, err := c.bytes(program, lib.GetLogSize, lib.GetLog, doing+": reading the log")
	if err != nil {
		return backend.Image{}, err
	}
	text := strings.TrimSpace(strings.TrimRight(string(log), "\x00"))
	switch r {
	case nvrtcSuccess:
	case nvrtcErrCompilation, nvrtcErrInvalidOption:
		if text == "" {
			text = lib.GetErrorString(r)
		}
		return backend.Image{}, &backend.CompileError{Program: p.Name, Log: text}
	case nvrtcErrBuiltinOperation:
		return backend.Image{}, errors.New(doing + ": NVRTC did not find its companion libnvrtc-builtins: reinstall the package that it came from")
	default:
		return backend.Image{}, fmt.Errorf("%s: %s\n%s", doing, lib.GetErrorString(r), text)
	}

	img := backend.Image{Log: text, Lowered: make(map[string]string, len(p.Kernels))}
	if ptx {
		img.Data, err = c.bytes(program, lib.GetPTXSize, lib.GetPTX, doing+": reading the PTX")
	} else {
		img.Data, err = c.bytes(program, lib.GetCUBINSize, lib.GetCUBIN, doing+": reading the cubin")
		if err == nil {
			img.PTX, err = c.bytes(program, lib.GetPTXSize, lib.GetPTX, doing+": reading the PTX")
		}
	}
	if err != nil {
		return backend.Image{}, err
	}
	for i, k := range p.Kernels {
		var lowered *byte
		if err := c.check(lib.GetLoweredName(program, expressions[i], &lowered), doing+": looking up kernel "+k); err != nil {
			return backend.Image{}, err
		}
		img.Lowered[k] = goString(lowered)
	}
	return img, nil
}

// bytes returns one of the program's results.
func (c *compiler) bytes(program uintptr, size func(uintptr, *uint64) nvrtcResult, get func(uintptr, *byte) nvrtcResult, doing string) ([]byte, error) {
	var n uint64
	if err := c.check(size(program, &n), doing); err != nil || n == 0 {
		return nil, err
	}
	b := make([]byte, n)
	return b, c.check(get(program, &b[0]), doing)
}

// cStrings returns a C array of C strings, or nil if the list is empty.
func cStrings(list []string) **byte {
	if len(list) == 0 {
		return nil
	}
	array := make([]*byte, len(list))
	for i, s := range list {
		array[i] = &append([]byte(s), 0)[0]
	}
	return &array[0]
}

// userFiles returns a digest of the user's files that a program includes; known is false if they cannot be determined.
func userFiles(p backend.Program) (digest string, known bool) {
	if slices.ContainsFunc(p.Options, func(o string) bool { return strings.Contains(strings.SplitN(o, "=", 2)[0], "pch") }) {
		return "", false
	}
	search, _, known := include.FromOptions(p.Options)
	if !known {
		return "", false
	}
	// NVRTC looks for quoted names in the program's directory, which is the current one.
	search.Own = filepath.Dir(p.Name)
	return search.Digest(p.Source)
}

// parse parses a program, including the files that it includes.
func parse(p backend.Program) (*cudac.File, error) {
	search, defines, _ := include.FromOptions(p.Options)
	search.Own = filepath.Dir(p.Name)
	return cudac.ParseFiles(p.Source, search, defines...)
}
