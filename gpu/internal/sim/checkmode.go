package sim

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
)

// checkRuntimeName is the soname of the runtime that programs of check mode are linked to.
const checkRuntimeName = "libgopherwarp-check.so"

// compileChecked compiles a program for check mode, or returns it from the cache.
func (t *toolchain) compileChecked(p backend.Program) (backend.Image, error) {
	u, err := t.newUnit(p)
	if err != nil {
		return backend.Image{}, err
	}
	if u.parseErr != nil {
		// The ordinary compilation fails, too, with a better message.
		p.Check = false
		return t.compile(p)
	}
	u.names = append([]string{u.program.Name}, slices.Sorted(maps.Keys(userSearch(u.options).Files(p.Source)))...)
	u.names = append(u.names, renamed(p.Source, u.names)...)
	u.text += namesOfFiles(checkmode.SymbolName, u.names)
	return t.make(u, func() (product, error) {
		prod, err := t.buildChecked(u)
		if failed := new(backend.CompileError); errors.As(err, &failed) {
			// The messages are those of a compilation without check mode, if that fails, too.
			p.Check = false
			if _, err := t.compile(p); err != nil {
				return product{}, err
			}
			return product{}, errorf(codeJITCompilerNotFound,
				"%s compiles, but not for check mode, which needs g++ 11 or later, or clang++ 16 or later (this is %s):\n%s", u.program.Name, t.gxx, failed.Log)
		}
		return prod, err
	})
}

// lineDirective matches a line from which on the program's lines are those of another file.
var lineDirective = regexp.MustCompile(`(?m)^#line \d+ "([^"]+)"$`)

// renamed returns the files of #line in a program, in order, without known ones and the header that kernels in Go have.
func renamed(source string, known []string) []string {
	var names []string
	for _, m := range lineDirective.FindAllStringSubmatch(source, -1) {
		if name := m[1]; name != preludeHeader && !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// buildChecked runs the compiler twice: to assembly, which Rewrite changes, and from there to a
// shared object.
func (t *toolchain) buildChecked(u *unit) (product, error) {
	p := u.program
	rt, err := t.buildCheckRuntime()
	if err != nil {
		return product{}, err
	}
	dir, err := os.MkdirTemp("", "gopherwarp-sim-")
	if err != nil {
		return product{}, wrap(codeSystemNotReady, err, "making a directory to compile in")
	}
	defer os.RemoveAll(dir)
	in, err := t.prepare(u, dir)
	if err != nil {
		return product{}, err
	}
	objects, err := t.programObjects(u, dir)
	if err != nil {
		return product{}, err
	}
	if !p.Record { // which has other flags
		t.prepareHeader(u, dir)
	}
	args := slices.Concat(t.commonFlags(), t.kernelFlags(), checkmode.CompilerFlags(t.clang, p.Record),
		t.headers(u), t.include(u.header(), true), []string{"-include", filepath.Join(t.checkFiles(), "prelude.h")},
		in.options)
	how := checkmode.Rewriting{Clang: t.clang, Count: len(in.files) == 1}
	if p.Record {
		how.Record = u.names
	}
	log := ""
	var rewritten []string
	for i, file := range in.files {
		name := fmt.Sprintf("kernel-%d.s", i)
		assembler := filepath.Join(dir, name)
		more, err := t.runWith(u.header(), dir, in.dir, u.text, append(args[:len(args):len(args)], "-S", "-o", assembler, "-x", "c++", file)...)
		log += strings.ReplaceAll(more, in.mirror, "")
		if err != nil {
			return product{}, t.rejected(u, err, log)
		}
		if err := rewriteFile(assembler, how); err != nil {
			return product{}, wrap(codeSystemNotReady, err, "moving shared variables apart")
		}
		rewritten = append(rewritten, name)
	}
	log = t.cleanLog(&p, log)
	args = slices.Concat(t.commonFlags(), []string{"-o", "kernel.so"}, objects, rewritten, in.objects, []string{rt, "-Wl,-z,defs"})
	args = append(args, u.link...)
	if more, err := t.run(dir, nil, args...); err != nil {
		log += t.cleanLog(&p, more)
		return product{}, &backend.CompileError{Program: p.Name, Log: log + hints(u, log)}
	}
	object, err := os.ReadFile(filepath.Join(dir, "kernel.so"))
	if err != nil {
		return product{}, wrap(codeSystemNotReady, err, "reading the compiled kernels")
	}
	return product{object: object, log: log}, nil
}

// rewriteFile changes a file of assembly for check mode.
func rewriteFile(path string, how checkmode.Rewriting) error {
	assembly, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, checkmode.Rewrite(assembly, how), 0o644)
}

func (t *toolchain) checkFiles() string { return filepath.Join(filepath.Dir(t.shim), "check") }

// buildCheckRuntime returns the path of the compiled runtime of check mode.
func (t *toolchain) buildCheckRuntime() (string, error) {
	return t.buildOnce(t.checkRuntimePath(), "the runtime of the simulator's check mode", header{preludeHeader, true}, func(tmp, out string) (string, error) {
		args := append(t.commonFlags(), "-O2", "-std=c++17", "-Wl,-Bsymbolic", "-Wl,-soname,"+checkRuntimeName, "-I", t.shim, "-I", t.checkFiles(),
			"-o", out, filepath.Join(t.checkFiles(), "check.cpp"))
		return t.run(tmp, nil, args...)
	})
}

// rtldDeepBind makes a library prefer its own symbols to those of the process (RTLD_DEEPBIND): the
// two runtimes define the same symbols.
const rtldDeepBind = 8

// theCheckRuntime is the check runtime of the process; like theRuntime, there is at most one.
var theCheckRuntime struct {
	sync.Mutex
	check, tired, footprint uintptr
}

// startCheckRuntime loads the runtime and starts its only worker.
func startCheckRuntime(t *toolchain) error {
	r := &theCheckRuntime
	r.Lock()
	defer r.Unlock()
	if r.check != 0 {
		return nil
	}
	path, err := t.buildCheckRuntime()
	if err != nil {
		return err
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL|rtldDeepBind)
	if err != nil {
		return wrap(codeSystemNotReady, err, "loading check mode's runtime")
	}
	start, err := purego.Dlsym(lib, "gw_start")
	run, err2 := purego.Dlsym(lib, "gw_check")
	tired, err3 := purego.Dlsym(lib, "gw_tired")
	footprint, err4 := purego.Dlsym(lib, "gw_footprint")
	if err := errors.Join(err, err2, err3, err4); err != nil {
		return wrap(codeSystemNotReady, err, "loading check mode's runtime %s (delete it to have it built again)", path)
	}
	if errno, _, _ := purego.SyscallN(start, 1); errno != 0 {
		return wrap(codeSystemNotReady, unix.Errno(errno), "starting check mode's worker thread")
	}
	r.check, r.tired, r.footprint = run, tired, footprint
	return nil
}

// checking is the state of a device for check mode.
type checking struct {
	memory checkmode.Memory
	views  []backend.View // of the next launch
	// recorded are the blocks of the next launch that are recorded.
	recorded backend.Blocks
	report   backend.Report
	last     *checkmode.Launch // nil if the last launch was not in check mode
	// patience is the maximum time a thread may run without accessing memory; 0 means the default.
	patience time.Duration
}

// forget discards the last launch.
func (c *checking) forget() {
	if c.last != nil {
		c.last.Close()
		c.last = nil
	}
}

// patience is the default of checking.patience. Threads of the lessons need less.
const patience = 10 * time.Second

// checkedModule is the additional data of a module of check mode.
type checkedModule struct {
	program *checkmode.Program
	name    string
}

// isChecked reports whether the image is a program of check mode.
func isChecked(image []byte) bool {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return false // loading it returns the error
	}
	needed, _ := f.ImportedLibraries()
	return slices.Contains(needed, checkRuntimeName)
}

// Allocated implements backend.Checker.
func (d *device) Allocated(addr, size uint64, fresh bool) error {
	if err := d.alive(); err != nil {
		return err
	}
	if err := d.checks.memory.Allocated(addr, size, fresh); err != nil {
		return errorf(codeInvalidValue, "%v", err)
	}
	return nil
}

// Freed implements backend.Checker.
func (d *device) Freed(addr uint64) error {
	d.checks.memory.Freed(addr)
	return d.alive()
}

// Views implements backend.Checker.
func (d *device) Views(views []backend.View, recorded backend.Blocks) error {
	d.checks.views, d.checks.recorded = append(d.checks.views[:0], views...), recorded
	return d.alive()
}

// Report implements backend.Checker.
func (d *device) Report() (backend.Report, error) {
	d.checks.memory.AddLeaks(&d.checks.report)
	r := d.checks.report
	d.checks.report = backend.Report{}
	return r, d.alive()
}

// launchChecked runs a kernel in check mode. Its defects are added to the report: the launch
// itself succeeds, even if it ended early.
func (d *device) launchChecked(f *function, l *backend.Launch, args []byte) error {
	d.checks.forget()
	var chunks [][2]uint64
	for addr, size := range d.memory.chunks {
		chunks = append(chunks, [2]uint64{addr, addr + size})
	}
	m := f.module.checked
	run, err := d.checks.memory.Prepare(m.program, d.checks.views, chunks, l.SharedBytes, cmp.Or(d.checks.patience, patience))
	recorded := d.checks.recorded
	d.checks.views, d.checks.recorded = d.checks.views[:0], backend.Blocks{}
	if err == nil {
		err = run.Record(recorded)
	}
	if err != nil {
		return wrap(codeOutOfMemory, err, "checking kernel %s", f.name)
	}
	run.Request.Gang, run.Request.Cooperative = gang(f, l)
	code, _, _ := purego.SyscallN(theCheckRuntime.check, uintptr(unsafe.Pointer(&run.Request)), uintptr(unsafe.Pointer(f.entry)),
		uintptr(unsafe.Pointer(unsafe.SliceData(args))), uintptr(unsafe.Pointer(&d.dims)), uintptr(l.SharedBytes),
		uintptr(unsafe.Pointer(&f.cname[0])), uintptr(unsafe.Pointer(&d.failure)), uintptr(unsafe.Pointer(&run.Result)))
	run.AddTo(&d.checks.report, m.name, f.name)
	if recorded.N > 0 {
		run.AddTrace(&d.checks.report, m.name, f.name, l)
	}
	if int32(code) != 0 {
		// The launch has ended early: what is missing in memory would be missing for no fault of later launches.
		d.checks.memory.WrittenSomewhere()
	}
	d.checks.memory.Keep(run, m.name, f.name)
	d.checks.last = run
	if tired, _, _ := purego.SyscallN(theCheckRuntime.tired); tired != 0 {
		var programs []*checkmode.Program
		for _, m := range d.modules {
			if m.checked != nil {
				programs = append(programs, m.checked.program)
			}
		}
		d.checks.memory.Tired(programs)
	}
	return nil
}

// loadChecked prepares a module of check mode.
func (m *module) loadChecked(image []byte) error {
	tls, err := purego.Dlsym(m.handle, checkmode.SymbolTLS)
	name, err2 := purego.Dlsym(m.handle, checkmode.SymbolName)
	if err := errors.Join(err, err2); err != nil {
		return wrap(codeInvalidImage, err, "loading a program of check mode")
	}
	names := strings.Split(unix.BytePtrToString((*byte)(pointer(uint64(name)))), "\n")
	m.checked = &checkedModule{name: names[0]}
	img, err := checkmode.ReadImage(image, names...)
	if err == nil {
		m.checked.program, err = checkmode.Load(img, tls)
	}
	if err != nil {
		return wrap(codeInvalidImage, err, "loading a program of check mode")
	}
	return nil
}
