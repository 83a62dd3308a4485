package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/ptx"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
	"github.com/gopherwarp/gopherwarp/internal/cxx"
)

// programEntry is the function that runs a whole program's main.
const programEntry = "gw_main"

// BuildProgram compiles a whole program, which has its own main and whose host code launches its
// kernels. The image is for RunProgram.
func (s simulator) BuildProgram(p backend.Program) (backend.Image, error) {
	tools, err := findToolchain()
	if err != nil {
		return backend.Image{}, err
	}
	if m := s.choice.model; m != nil {
		var props backend.Properties
		m.apply(&props)
		p.Options = slices.Insert(slices.Clone(p.Options), 0, archOption(props))
	}
	u, err := tools.newProgramUnit(p, !p.Check)
	if err != nil {
		return backend.Image{}, err
	}
	build := tools.build
	if p.Check {
		build = tools.buildChecked
	}
	return tools.make(u, func() (product, error) {
		prod, err := build(u)
		if failed := new(backend.CompileError); errors.As(err, &failed) && len(u.splits) > 0 {
			// As in compile, compile the user's own text, so that the messages refer to it.
			if u, err = tools.newProgramUnit(p, false); err != nil {
				return product{}, err
			}
			return build(u)
		}
		return prod, err
	})
}

func archOption(p backend.Properties) string {
	return fmt.Sprintf("-arch=sm_%d%d", p.ComputeMajor, p.ComputeMinor)
}

// newProgramUnit is newUnit for a whole program. The files that it includes from the user's directories are part of it.
func (t *toolchain) newProgramUnit(p backend.Program, split bool) (*unit, error) {
	p.Name = cmp.Or(p.Name, "program.cu")
	b, err := t.newProgramBuilder(p, split)
	if err != nil {
		return nil, err
	}
	u := b.unit
	u.lockstep = runsInLockstep(p, u.options)
	b.split = b.split && !u.lockstep
	if err := b.parts(append([]backend.Source{{Name: p.Name, Text: p.Source}}, p.More...)); err != nil {
		return nil, err
	}
	if err := b.entry(); err != nil {
		return nil, err
	}
	if u.nested {
		u.options = append(u.options, "-DGW_NESTED")
	}
	way := "program"
	if p.Check {
		way = "checked program"
		names := []string{p.Name}
		for _, s := range p.More {
			names = append(names, s.Name)
		}
		u.nameFiles(checkmode.SymbolName, append(names, u.included(b.here)...))
	} else if len(u.beside) > 0 {
		u.nameFiles(checkmode.SymbolFiles, append([]string{p.Name}, u.included(b.here)...))
	}
	u.text = u.parts[0].text
	if b.known {
		parts := append([]string{way, b.files.String(), u.cccl, u.ccclVersion}, append(u.options, u.link...)...)
		for _, p := range u.parts {
			parts = append(parts, p.dir, p.text)
		}
		for _, name := range slices.Sorted(maps.Keys(u.beside)) {
			parts = append(parts, u.beside[name])
		}
		u.key = cacheKey(parts...)
	}
	return u, nil
}

// A programBuilder makes a unit of the files of a whole program.
type programBuilder struct {
	tools *toolchain
	unit  *unit
	split bool
	local bool   // the files are compiled apart, and each has device code of its own
	here  string // the current directory
	files strings.Builder
	known bool // what files is the digest of
	mains []bool
	named bool // some file names main
	// others is nil if no file uses device functions of another.
	others *loopsplit.Others
}

// A programFile is a file of a program as it was read.
type programFile struct {
	program  backend.Program
	file     *cudac.File       // nil for one in C
	included map[string]string // its headers by their paths
	dir      string
	asks     bool // kernels ask in which memory an address is
	spins    bool // a loop of a header seems to wait for another thread
}

func (t *toolchain) newProgramBuilder(p backend.Program, split bool) (*programBuilder, error) {
	failed := func(err error) error {
		return &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s: error: %v\n", p.Name, err)}
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, wrap(codeSystemNotReady, err, "finding the directory of %s", p.Name)
	}
	options, link, err := translateProgram(p.Options)
	if err != nil {
		return nil, failed(err)
	}
	dir := here
	if p.Dir != "" {
		if dir, err = filepath.Abs(p.Dir); err != nil {
			return nil, wrap(codeSystemNotReady, err, "finding the directory of %s", p.Name)
		}
	}
	p.Dir = dir
	quotes := []string{"-iquote", dir}
	if dir != here {
		quotes = append(quotes, "-iquote", here)
	}
	u := &unit{
		program: p, whole: true, lowered: map[string]string{"": programEntry}, splits: map[*cudac.Kernel]loopsplit.Split{}, beside: map[string]string{},
		options: append(quotes, options...), link: link,
	}
	b := &programBuilder{tools: t, unit: u, split: split, here: here, known: true}
	if len(p.More) > 0 {
		b.local = !relocatable(p.Options)
	}
	return b, nil
}

// parts adds the files of the program, with those that they include.
func (b *programBuilder) parts(sources []backend.Source) error {
	var list []*programFile
	for i, s := range sources {
		f, err := b.read(s, i == 0)
		if err != nil {
			return err
		}
		list = append(list, f)
	}
	if len(list) > 1 && !b.local {
		b.share(list)
	}
	for _, f := range list {
		if err := b.part(f); err != nil {
			return err
		}
	}
	b.unit.file = list[0].file
	return nil
}

// share lets each file know what is in the others, whose device code its kernels may use.
func (b *programBuilder) share(list []*programFile) {
	var files []*cudac.File
	all := programFile{}
	for _, f := range list {
		all.asks, all.spins = all.asks || f.asks, all.spins || f.spins || waitsInLoops(f.program.Source)
		if f.file != nil {
			files = append(files, f.file)
		}
	}
	for _, f := range list {
		f.asks = all.asks
	}
	b.split = b.split && !all.spins
	if b.split {
		b.others = loopsplit.OthersOf(files)
	}
}

// read reads a file of the program, and those that it includes.
func (b *programBuilder) read(s backend.Source, first bool) (*programFile, error) {
	u := b.unit
	p := u.program
	p.Name, p.Source = s.Name, cudac.AlignFirst(s.Text)
	search := userSearch(u.options)
	if !first {
		search.Own = filepath.Join(b.here, filepath.Dir(s.Name))
		if filepath.IsAbs(s.Name) {
			search.Own = filepath.Dir(s.Name)
		}
	}
	if err := search.Check(p.Name, p.Source); err != nil {
		return nil, &backend.CompileError{Program: p.Name, Log: err.Error() + "\n"}
	}
	digest, known := search.Digest(p.Source)
	b.files.WriteString(digest + "\n")
	b.known = b.known && known
	f := &programFile{program: p, dir: search.Own}
	if filepath.Ext(s.Name) == ".c" && len(p.More) > 0 {
		return f, nil
	}
	f.included = search.Files(p.Source)
	if err := b.thrust(p, f.included); err != nil {
		return nil, err
	}
	var err error
	f.file, err = cudac.ParseProgram(p.Source, search, defines(u.options)...)
	if err == nil {
		f.file, err = b.tools.decide(f.file, question{unit: u, source: p.Source, dir: cmp.Or(search.Own, u.program.Dir), search: search, digest: digest, known: known})
	}
	if err != nil {
		return nil, sourceError(p.Name, err)
	}
	f.asks = asksForSpace.MatchString(p.Source)
	for _, text := range f.included {
		f.asks, f.spins = f.asks || asksForSpace.MatchString(text), f.spins || waitsInLoops(text)
	}
	return f, nil
}

// part adds a file of the program, with those that it includes.
func (b *programBuilder) part(f *programFile) error {
	u, p := b.unit, f.program
	if f.file == nil {
		b.mains = append(b.mains, hasMainAlone(p))
		b.named = b.named || hasMainAlone(p)
		u.parts = append(u.parts, part{name: p.Name, dir: f.dir, text: fmt.Sprintf("#line 1 %s\n%s\n", strconv.Quote(p.Name), p.Source), language: "c"})
		return nil
	}
	for path, text := range f.included {
		b.named = b.named || namesMain(text)
		if _, done := u.beside[path]; done {
			continue
		}
		name := nameIn(b.here, path)
		text, err := b.hostCode(backend.Program{Name: name, Source: cudac.AlignFirst(text)}, f, path)
		if err != nil {
			return err
		}
		u.beside[path] = fmt.Sprintf("#line 1 %s\n%s", strconv.Quote(name), text)
	}
	text, err := b.hostCode(p, f, "")
	if err != nil {
		return err
	}
	b.named = b.named || namesMain(p.Source)
	b.mains = append(b.mains, f.file.HasMain || f.file.IncludesMain || hasMainAlone(p))
	u.dynamic = append(u.dynamic, f.file.DynamicShared...)
	language := ""
	if isHostOnly(p, f.file) {
		language = "c++"
	}
	u.parts = append(u.parts, part{name: p.Name, dir: f.dir, text: fmt.Sprintf("#line 1 %s\n%s\n# 1 \"\"\n", strconv.Quote(p.Name), text), language: language})
	return nil
}

// thrust finds Thrust if a file of the program includes it.
func (b *programBuilder) thrust(p backend.Program, included map[string]string) error {
	name, line := p.Name, includesThrust(p.Source)
	for path, text := range included {
		if line == 0 {
			name, line = nameIn(b.here, path), includesThrust(text)
		}
	}
	if b.unit.thrust || line == 0 {
		return nil
	}
	if err := b.unit.findThrust(); err != nil {
		return &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s:%d: error: %v\n", name, line, err)}
	}
	return nil
}

// hasMainAlone reports whether the file has a main to a reader who leaves out what it includes. A condition that the parser
// cannot decide may leave a bracket open there.
func hasMainAlone(p backend.Program) bool {
	alone, err := cudac.Parse(p.Source)
	return err == nil && alone.HasMain
}

var mainWord = regexp.MustCompile(`\bmain\b`)

// namesMain reports whether a text has the word main outside of comments and strings: a main, or a macro that makes one.
func namesMain(text string) bool {
	for t := range cxx.All(text) {
		if (t.Kind == cxx.Ident || t.Kind == cxx.Directive) && mainWord.MatchString(t.Text) {
			return true
		}
	}
	return false
}

// isHostOnly reports whether nvcc would give a file to the host's compiler: then it is not CUDA C++.
func isHostOnly(p backend.Program, file *cudac.File) bool {
	return filepath.Ext(p.Name) != ".cu" && filepath.Ext(p.Name) != ".cuh" && filepath.Ext(p.Name) != "" && len(p.More) > 0 &&
		len(file.Kernels) == 0 && !strings.Contains(p.Source, "<<<")
}

const noMain = "the program has no main function: give the file that has it, too (gopherwarp program main.cu other.cu); " +
	"kernels without a main are for cells and gpu.Compile"

// entry adds the function that the process calls to the file that has main.
func (b *programBuilder) entry() error {
	u := b.unit
	at := max(0, slices.Index(b.mains, true))
	if !b.named {
		return &backend.CompileError{Program: u.program.Name, Log: u.program.Name + ": error: " + noMain + "\n"}
	}
	const call = "extern \"C\" int gw_call_main(int n, char **args) { return gwrt::callMain(main, n, args); }\n"
	ofC := ""
	switch u.parts[at].language {
	case "":
		u.parts[at].text += call
	case "c":
		ofC = "extern \"C\" int gw_main_of_c(int, char **, char **) __asm__(\"main\");\n" + strings.Replace(call, "main,", "gw_main_of_c,", 1)
	default:
		u.parts[at].text += "#include \"main.h\"\n" + call // of the simulator: prepare says where it is
	}
	start := ofC + fmt.Sprintf("extern \"C\" GW_API int %s(int n, char **args, gwrt::Ask ask, int devices, const gwrt::Constructor *first, size_t bytes) {\n"+
		"    return gwrt::begin(ask, devices), gwrt::construct(first, bytes, n, args), gw_call_main(n, args);\n}\n", programEntry) +
		dynamicShared(&cudac.File{DynamicShared: u.dynamic})
	// It goes with device code, which has what it needs.
	for i := range u.parts {
		if u.parts[i].language == "" {
			u.parts[i].text += start
			return nil
		}
	}
	u.parts = append(u.parts, part{name: u.program.Name, dir: u.program.Dir, text: start})
	return nil
}

// sourceError is a failure to read a file, as the compiler would report it.
func sourceError(name string, err error) error {
	if e := new(cudac.Error); errors.As(err, &e) {
		return &backend.CompileError{Program: name, Log: fmt.Sprintf("%s:%d: error: %s\n", name, e.Line, e.Msg)}
	}
	return err
}

// hostCode rewrites a file of the program, which is the source or, at a path, one that it includes. Kernels stay as they are,
// but for a first line that launches them when host code calls them; k<<<…>>>(…) becomes such a call.
func (b *programBuilder) hostCode(p backend.Program, f *programFile, path string) (string, error) {
	u, file := b.unit, f.file
	sites, err := cudac.Launches(p.Source)
	if err != nil {
		if path != "" {
			return p.Source, nil // it may be no C++: data, or another language's
		}
		return "", sourceError(p.Name, err)
	}
	bodies := file.BodiesIn(path)
	nests := launchesInKernels(sites, bodies)
	u.nested = u.nested || nests
	splits := map[*cudac.Kernel]loopsplit.Split{}
	if b.split && !nests {
		splits = programSplits(p, u.options, f, path, b.others)
		maps.Copy(u.splits, splits)
	}
	edits := splitEdits(p, splits)
	for _, body := range bodies {
		if slices.Contains(body.Args, "") {
			return "", sourceError(p.Name, &cudac.Error{
				Line: body.Kernel.Line,
				Msg:  fmt.Sprintf("a parameter of kernel %s has no name; the simulator needs one to pass it on", body.Kernel.Name),
			})
		}
		edits = append(edits, body.Names...)
		edits = append(edits, cudac.Edit{Begin: body.Begin, End: body.Begin, Text: launchesItself(body, splits[body.Kernel]) + resume(p, body.Begin)})
	}
	edits = append(edits, launchEdits(sites)...)
	edits = append(edits, ptx.Edits(p.Source)...)
	if f.asks {
		edits = append(edits, constantEdits(p.Source)...)
	}
	if b.local {
		edits = append(edits, cudac.Localise(p.Source)...)
	}
	slices.SortStableFunc(edits, cudac.InOrder)
	for _, k := range file.Kernels {
		u.lowered[k.QualifiedName()] = programEntry // so that their names can be looked up
	}
	return cudac.Apply(p.Source, edits), nil
}

// splitEdits insert the split forms of a file's kernels: after them, and those of templates before them, since an instance registers its
// own when it is launched.
func splitEdits(p backend.Program, splits map[*cudac.Kernel]loopsplit.Split) []cudac.Edit {
	var edits []cudac.Edit
	for k, s := range splits {
		at, text := s.End, s.Text+hasSplit(k, s)
		if k.IsTemplate() {
			at, text = k.Definition().Template[0].Begin, s.Text
		}
		edits = append(edits, cudac.Edit{Begin: at, End: at, Text: text + resume(p, at)})
	}
	return edits
}

// launchEdits make calls of launches.
func launchEdits(sites []cudac.LaunchSite) []cudac.Edit {
	var edits []cudac.Edit
	for _, s := range sites {
		edits = append(edits,
			cudac.Edit{Begin: s.Begin, End: s.Args, Text: "(::gwrt::configure(" + s.Config + "), " + s.Kernel},
			cudac.Edit{Begin: s.End, End: s.End, Text: fmt.Sprintf(", ::gwrt::launched(%q, %d))", s.Kernel, s.Line)})
	}
	return edits
}

// launchesInKernels reports whether a kernel launches another.
func launchesInKernels(sites []cudac.LaunchSite, bodies []cudac.Body) bool {
	return slices.ContainsFunc(sites, func(s cudac.LaunchSite) bool {
		return slices.ContainsFunc(bodies, func(b cudac.Body) bool { return s.Begin >= b.Begin && s.Begin < b.End })
	})
}

// included returns the names of the files that the program includes, as messages have them, in order.
func (u *unit) included(here string) []string {
	var names []string
	for path := range u.beside {
		names = append(names, nameIn(here, path))
	}
	slices.Sort(names)
	return names
}

// hasSplit returns the line that registers the split form of a kernel that is no template.
func hasSplit(k *cudac.Kernel, s loopsplit.Split) string {
	return fmt.Sprintf("[[maybe_unused]] static const bool gw_%s = ::gwrt::hasSplit<%s, %s>();\n", s.Name, pointerTo(k, k.Name, k.Name), pointerTo(k, s.Name, k.Name))
}

// nameFiles adds the names of the program and of the files that it includes to it.
func (u *unit) nameFiles(symbol string, names []string) {
	if i := slices.IndexFunc(u.parts, func(p part) bool { return p.language == "" }); i >= 0 {
		u.parts[i].text += namesOfFiles(symbol, names)
	}
}

// namesOfFiles returns the definition of a text with names.
func namesOfFiles(symbol string, names []string) string {
	return fmt.Sprintf("extern \"C\" {\nextern GW_API const char %[1]s[];\nconst char %[1]s[] = %[2]q;\n}\n", symbol, strings.Join(names, "\n"))
}

// launchesItself returns the first line of a kernel, which may have a split form.
func launchesItself(b cudac.Body, split loopsplit.Split) string {
	k := b.Kernel
	function, loops := b.Expr, "nullptr"
	if of, ok := strings.CutPrefix(b.Expr, k.Name+"<"); ok && split.Text != "" {
		loops = split.Name + "<" + of
	}
	hidden := slices.Contains(b.Args, k.Name) // by a parameter
	switch {
	case hidden && function == k.Name && k.Namespace == "":
		function = ownPointer(b, "::"+function)
	case function == k.Name:
		function = ownPointer(b, qualify(k, function, function))
	case hidden:
		function = strings.TrimSuffix("::"+k.Namespace, "::") + "::" + function
	}
	args := ""
	if len(b.Args) > 0 {
		args = ", " + strings.Join(b.Args, ", ")
	}
	return fmt.Sprintf(" if (__builtin_expect(::gwsim::launching != nullptr, 0)) return ::gwrt::launch<(%s), (%s)>(%q, ::gwsim::%s%s);\n", function, loops, k.QualifiedName(), bounds(k), args)
}

// ownPointer is pointerTo within the kernel's body, where the compiler knows the types of the parameters: they may be macros that
// the parser does not know for certain.
func ownPointer(b cudac.Body, function string) string {
	if b.Kernel.IsTemplate() {
		return function
	}
	types := make([]string, len(b.Args))
	for i, name := range b.Args {
		types[i] = "decltype(" + name + ")"
	}
	return "static_cast<void (*)(" + strings.Join(types, ", ") + ")>(" + function + ")"
}
