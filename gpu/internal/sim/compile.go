package sim

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/ptx"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/include"
)

// The maximum shared memory of a launch in bytes, static shared memory included.
const (
	maxStaticShared  = 48 << 10
	maxDynamicShared = 227 << 10
)

// A unit is a program prepared for the compiler.
type unit struct {
	program  backend.Program
	options  []string // of the compiler
	file     *cudac.File
	parseErr error // in which case the file is empty
	splits   map[*cudac.Kernel]loopsplit.Split
	text     string
	names    []string          // of check mode: of the program and of the user's files that it includes
	lowered  map[string]string // the symbols of the entry points, by kernel
	key      string            // in the cache; "" if the result cannot be cached
	whole    bool              // a program with a main
	// Of a whole program:
	parts  []part
	beside map[string]string // included files as the compiler reads them, by path
	link   []string          // options of the linker
	// lockstep reports that the lanes of a warp wait for each other at accesses to volatile variables.
	lockstep    bool
	nested      bool           // kernels launch kernels
	thrust      bool           // it includes Thrust
	cccl        string         // the directory of Thrust's headers, unless options name it
	ccclVersion string         // the file of these headers that has it
	dynamic     []cudac.Shared // the dynamic shared memory of all files
}

// newUnit parses a program. A parse error is stored in the unit, not returned: if the compiler
// rejects the program, too, its message is better.
func (t *toolchain) newUnit(p backend.Program) (*unit, error) {
	if p.Name == "" {
		p.Name = "program.cu"
	}
	options, err := translate(p.Options)
	if err != nil {
		return nil, &backend.CompileError{Program: p.Name, Log: err.Error() + "\n"}
	}
	p.Source = cudac.AlignFirst(p.Source)
	edits := ptx.Edits(p.Source)
	if asksForSpace.MatchString(p.Source) {
		edits = append(edits, constantEdits(p.Source)...)
		slices.SortStableFunc(edits, cudac.InOrder)
	}
	p.Source = cudac.Apply(p.Source, edits)
	u := &unit{program: p, options: options}
	search := userSearch(options)
	files, known := search.Digest(p.Source)
	u.file, u.parseErr = cudac.ParseFiles(p.Source, search, defines(options)...)
	if u.parseErr == nil {
		u.file, u.parseErr = t.decide(u.file, question{unit: u, source: p.Source, search: search, digest: files, known: known})
	}
	if u.parseErr != nil {
		u.file = &cudac.File{}
	}
	u.lockstep = runsInLockstep(p, options)
	if !p.Check && !u.lockstep {
		u.splits = splits(p, options, u.file)
	}
	u.text, u.lowered, err = translationUnit(p, u.file, u.splits)
	if err != nil && u.parseErr == nil {
		return nil, &backend.CompileError{Program: p.Name, Log: p.Name + ": error: " + err.Error() + "\n"}
	}
	if u.parseErr == nil && known {
		way := ""
		if p.Check {
			way = "check with lines"
			if p.Record {
				way = "recorded with lines"
			}
		}
		u.key = cacheKey(append([]string{way, u.text, files}, options...)...)
	}
	return u, nil
}

// make returns the unit's image, from the cache or from build.
func (t *toolchain) make(u *unit, build func() (product, error)) (backend.Image, error) {
	if u.key != "" {
		if prod, ok := t.cached(u.key); ok {
			return backend.Image{Lowered: u.lowered, Data: prod.object, Log: prod.log, Cached: true}, nil
		}
	}
	prod, err := build()
	if err != nil {
		return backend.Image{}, err
	}
	if u.key != "" {
		t.keep(u.key, prod)
	}
	return backend.Image{Lowered: u.lowered, Data: prod.object, Log: prod.log}, nil
}

// compile compiles a program, or returns it from the cache.
func (t *toolchain) compile(p backend.Program) (backend.Image, error) {
	u, err := t.newUnit(p)
	if err != nil {
		return backend.Image{}, err
	}
	return t.make(u, func() (product, error) {
		prod, err := t.build(u)
		if failed := new(backend.CompileError); errors.As(err, &failed) && len(u.splits) > 0 {
			// Compile the user's own text, so that the messages refer to it.
			u.text, _, _ = translationUnit(u.program, u.file, nil)
			prod, err = t.build(u)
		}
		if err == nil && u.parseErr != nil {
			where, what := u.program.Name, u.parseErr.Error()
			if e := new(cudac.Error); errors.As(u.parseErr, &e) {
				where, what = fmt.Sprintf("%s:%d", u.program.Name, e.Line), e.Msg
			}
			err = &backend.CompileError{Program: u.program.Name, Log: fmt.Sprintf("%s: error: %s\n", where, what)}
		}
		return prod, err
	})
}

// readsOtherFiles reports whether the program includes files of the user.
func readsOtherFiles(source string, options []string) bool {
	digest, known := userSearch(options).Digest(source)
	return digest != "" || !known
}

// userSearch returns the search path of g++ for files of the user.
func userSearch(options []string) include.Search {
	s, _, _ := include.FromOptions(options)
	return s
}

// build runs the compiler.
func (t *toolchain) build(u *unit) (product, error) {
	rt, err := t.buildRuntime()
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
	t.prepareHeader(u, dir)
	out := filepath.Join(dir, "kernel.so")
	args := slices.Concat(t.commonFlags(), t.kernelFlags())
	args = append(args, t.headers(u)...)
	args = append(args, t.include(u.header(), len(u.options) > 0)...)
	args = append(args, in.options...)
	args = append(args, "-fdebug-prefix-map="+in.dir+"=/program") // the same program is compiled to the same bytes
	if u.lockstep {
		log, err := t.compileLockstep(u, &in, dir, args)
		if err != nil {
			return product{}, t.rejected(u, err, strings.ReplaceAll(log, in.mirror, ""))
		}
	}
	args = append(args, "-o", out)
	args = append(args, objects...)
	args = append(args, "-x", "c++")
	args = append(args, in.files...)
	args = append(args, "-x", "none")
	args = append(args, in.objects...)
	args = append(args, rt, "-Wl,-z,defs")
	args = append(args, u.link...)
	log, err := t.runWith(u.header(), dir, in.dir, u.text, args...)
	log = strings.ReplaceAll(log, in.mirror, "")
	if err != nil {
		return product{}, t.rejected(u, err, log)
	}
	log = t.cleanLog(&u.program, log)
	object, err := os.ReadFile(out)
	if err != nil {
		return product{}, wrap(codeSystemNotReady, err, "reading the compiled kernels")
	}
	return product{object: object, log: log}, nil
}

// rejected returns the error of a compiler that failed with these messages.
func (t *toolchain) rejected(u *unit, err error, log string) error {
	if exit := new(exec.ExitError); !errors.As(err, &exit) {
		return wrap(codeJITCompilerNotFound, err, "running %s", t.gxx)
	}
	log = t.cleanLog(&u.program, log)
	return &backend.CompileError{Program: u.program.Name, Log: log + hints(u, log)}
}

// translationUnit returns the program, unchanged and with its own line numbers, followed by an
// entry point for every requested kernel, and the symbols of the entry points.
func translationUnit(p backend.Program, file *cudac.File, splits map[*cudac.Kernel]loopsplit.Split) (string, map[string]string, error) {
	wanted := p.Kernels
	if len(wanted) == 0 {
		for _, k := range file.Kernels {
			if k.Wanted() {
				wanted = append(wanted, k.QualifiedName())
			}
		}
	}
	var b strings.Builder
	name := strconv.Quote(p.Name)
	fmt.Fprintf(&b, "#line 1 %s\n%s\n", name, insertSplits(p, splits))
	lowered := map[string]string{}
	for i, expr := range wanted {
		k, _, err := file.Resolve(expr)
		if err != nil {
			return b.String(), nil, err
		}
		if !k.Defined {
			return b.String(), nil, fmt.Errorf("line %d declares kernel %s, but nothing defines it", k.Line, expr)
		}
		symbol := "gw_kernel_" + strconv.Itoa(i)
		lowered[expr] = symbol
		at := name
		if k.Path != "" {
			at = strconv.Quote(k.Path)
		}
		begin, end := inNamespace(k)
		fmt.Fprintf(&b, "#line %d %s\n%sGW_KERNEL(%s, %s, (%s)", k.Line, at, begin, symbol, bounds(k), pointerTo(k, k.Name, expr))
		if s, ok := splits[k]; ok {
			fmt.Fprintf(&b, ", (%s)", pointerTo(k, s.Name, expr))
		}
		b.WriteString(")" + end + "\n")
	}
	b.WriteString(dynamicShared(file))
	return b.String(), lowered, nil
}

// inNamespace returns the text around a kernel's entry point that makes the types of its parameters mean what they mean where
// the kernel is defined. A template's arguments are named from outside the namespace.
func inNamespace(k *cudac.Kernel) (begin, end string) {
	if k.Namespace == "" || k.IsTemplate() {
		return "", ""
	}
	parts := strings.Split(k.Namespace, "::")
	return "namespace " + strings.Join(parts, " { namespace ") + " { ", strings.Repeat(" }", len(parts))
}

// pointerTo returns an expression for a pointer to the kernel that is unambiguous, even if the
// headers have a function of the same name (index, time). The function is the kernel itself or its
// split form.
func pointerTo(k *cudac.Kernel, function, expr string) string {
	if k.IsTemplate() {
		return qualify(k, function, expr)
	}
	types := make([]string, len(k.Params))
	for i, p := range k.Params {
		types[i] = p.Type
	}
	return "static_cast<void (*)(" + strings.Join(types, ", ") + ")>(" + qualify(k, function, expr) + ")"
}

// qualify returns the name of a function declared beside the kernel, with the template arguments
// of the kernel's name and with the namespaces that the user may omit in it.
func qualify(k *cudac.Kernel, function, expr string) string {
	plain := strings.TrimPrefix(strings.TrimSpace(expr), "::")
	args := strings.TrimPrefix(strings.TrimPrefix(plain, k.QualifiedName()), k.Name)
	if k.Namespace != "" {
		return k.Namespace + "::" + function + args
	}
	return function + args
}

// bounds returns an expression for the launch bounds in the kernel's attributes.
func bounds(k *cudac.Kernel) string {
	cluster := ""
	if k.ClusterDims != "" && (!k.IsTemplate() || strings.Trim(k.ClusterDims, "0123456789, ") == "") {
		cluster = ", dim3(" + k.ClusterDims + ")"
	}
	return "bounds(" + maxThreads(k) + cluster + ")"
}

// maxThreads returns an expression for the first argument of __launch_bounds__.
func maxThreads(k *cudac.Kernel) string {
	if k.LaunchBounds == "" {
		return "gwsim::maxThreadsPerBlock"
	}
	if _, err := strconv.Atoi(k.LaunchBounds); err != nil && k.IsTemplate() {
		// It may depend on the template's parameters, which are not in scope here.
		return "gwsim::maxThreadsPerBlock"
	}
	return "gwsim::firstBound(" + k.LaunchBounds + ")"
}

// dynamicShared returns the definition of the program's `extern __shared__` arrays. All of them
// have the same address, which C++ cannot express, so it is done in assembly.
func dynamicShared(file *cudac.File) string {
	if len(file.DynamicShared) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`asm(".pushsection .tbss,\"awT\",%nobits\n.balign 256\n`)
	seen := map[string]bool{}
	for _, s := range file.DynamicShared {
		symbol := s.Name
		if s.Namespace != "" {
			symbol = "_ZN"
			for _, part := range append(strings.Split(s.Namespace, "::"), s.Name) {
				symbol += strconv.Itoa(len(part)) + part
			}
			symbol += "E"
		}
		if !seen[symbol] {
			seen[symbol] = true
			fmt.Fprintf(&b, `.globl %[1]s\n.hidden %[1]s\n%[1]s:\n`, symbol)
		}
	}
	fmt.Fprintf(&b, `.zero %d\n.popsection");`+"\n", maxDynamicShared)
	return b.String()
}
