package sim

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim/loopsplit"
	"github.com/gopherwarp/gopherwarp/internal/cudac"
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
	u, err := newProgramUnit(p, !p.Check)
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
			if u, err = newProgramUnit(p, false); err != nil {
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

// newProgramUnit is like newUnit but for a whole program. Files of the current directory that it
// includes are part of the unit.
func newProgramUnit(p backend.Program, split bool) (*unit, error) {
	p.Name = cmp.Or(p.Name, "program.cu")
	options, err := translate(p.Options)
	if err != nil {
		return nil, &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s: error: %v\n", p.Name, err)}
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, wrap(codeSystemNotReady, err, "finding the directory of %s", p.Name)
	}
	u := &unit{
		program: p, whole: true, lowered: map[string]string{"": programEntry}, splits: map[*cudac.Kernel]loopsplit.Split{}, beside: map[string]string{},
		options: append([]string{"-iquote", here}, options...),
	}
	search := userSearch(u.options)
	if err := search.Check(p.Name, p.Source); err != nil {
		return nil, &backend.CompileError{Program: p.Name, Log: err.Error() + "\n"}
	}
	for path, text := range search.Files(p.Source) {
		name, err := filepath.Rel(here, path)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		if text, _, err = u.hostCode(backend.Program{Name: name, Source: text}, split); err != nil {
			return nil, err
		}
		u.beside[name] = fmt.Sprintf("#line 1 %s\n%s", strconv.Quote(name), text)
	}
	text, file, err := u.hostCode(p, split)
	if err != nil {
		return nil, err
	}
	u.file = file
	u.text = fmt.Sprintf("#line 1 %s\n%s\n# 1 \"\"\n"+
		"extern \"C\" GW_API int %s(int n, char **args, gwrt::Ask ask, int devices) { return gwrt::begin(ask, devices), gwrt::callMain(main, n, args); }\n",
		strconv.Quote(p.Name), text, programEntry) + dynamicShared(&cudac.File{DynamicShared: u.dynamic})
	way := "program"
	if p.Check {
		way = "checked program"
		u.text += checkedName([]string{p.Name})
	}
	if files, known := search.Digest(p.Source); known {
		parts := append([]string{way, u.text, files}, u.options...)
		for _, name := range slices.Sorted(maps.Keys(u.beside)) {
			parts = append(parts, u.beside[name])
		}
		u.key = cacheKey(parts...)
	}
	return u, nil
}

// hostCode rewrites a file of the program: it inserts a first line in kernels, which launches them
// when host code calls them, and replaces k<<<…>>>(…) by such a call.
func (u *unit) hostCode(p backend.Program, split bool) (string, *cudac.File, error) {
	wrong := func(line int, format string, args ...any) error {
		return &backend.CompileError{Program: p.Name, Log: fmt.Sprintf("%s:%d: error: %s\n", p.Name, line, fmt.Sprintf(format, args...))}
	}
	file, err := cudac.Parse(p.Source, defines(u.options)...)
	var sites []cudac.LaunchSite
	if err == nil {
		sites, err = cudac.Launches(p.Source)
	}
	if e := new(cudac.Error); errors.As(err, &e) {
		return "", nil, wrong(e.Line, "%s", e.Msg)
	}
	if err != nil {
		return "", nil, err
	}
	var edits []cudac.Edit
	for _, b := range file.Bodies() {
		if slices.Contains(b.Args, "") {
			return "", nil, wrong(b.Kernel.Line, "a parameter of kernel %s has no name; the simulator needs one to pass it on", b.Kernel.Name)
		}
		edits = append(edits, cudac.Edit{Begin: b.Begin, End: b.Begin, Text: launchesItself(b) + resume(p, b.Begin)})
	}
	for _, s := range sites {
		for _, b := range file.Bodies() {
			if s.Begin >= b.Begin && s.Begin < b.End {
				return "", nil, wrong(s.Line, "kernels cannot launch others on the simulator: launch %s from host code", s.Kernel)
			}
		}
		edits = append(edits,
			cudac.Edit{Begin: s.Begin, End: s.Args, Text: "(::gwrt::configure(" + s.Config + "), " + s.Kernel},
			cudac.Edit{Begin: s.End, End: s.End, Text: fmt.Sprintf(", ::gwrt::launched(%q, %d))", s.Kernel, s.Line)})
	}
	if split {
		for k, s := range splits(p, u.options, file) {
			if !k.IsTemplate() { // whose instances are not known here
				u.splits[k] = s
				edits = append(edits, cudac.Edit{Begin: s.End, End: s.End, Text: s.Text + hasSplit(k, s) + resume(p, s.End)})
			}
		}
	}
	slices.SortStableFunc(edits, func(a, b cudac.Edit) int { return cmp.Compare(a.Begin, b.Begin) })
	for _, k := range file.Kernels {
		u.lowered[k.QualifiedName()] = programEntry // so that their names can be looked up
	}
	u.dynamic = append(u.dynamic, file.DynamicShared...)
	return cudac.Apply(p.Source, edits), file, nil
}

// hasSplit returns the line that registers a kernel's split form.
func hasSplit(k *cudac.Kernel, s loopsplit.Split) string {
	return fmt.Sprintf("[[maybe_unused]] static const bool gw_%s = ::gwrt::hasSplit<%s, %s>();\n", s.Name, pointerTo(k, k.Name, k.Name), pointerTo(k, s.Name, k.Name))
}

// checkedName returns the definition of the names of the program and of the files that it includes, for check mode.
func checkedName(names []string) string {
	return fmt.Sprintf("extern \"C\" {\nextern GW_API const char %[1]s[];\nconst char %[1]s[] = %[2]q;\n}\n", checkmode.SymbolName, strings.Join(names, "\n"))
}

// launchesItself returns the first line of a kernel.
func launchesItself(b cudac.Body) string {
	k := b.Kernel
	function := b.Expr
	if function == k.Name {
		function = pointerTo(k, k.Name, k.Name)
	}
	args := ""
	if len(b.Args) > 0 {
		args = ", " + strings.Join(b.Args, ", ")
	}
	return fmt.Sprintf(" if (__builtin_expect(::gwsim::launching != nullptr, 0)) return ::gwrt::launch<(%s)>(%q, ::gwsim::%s%s);\n", function, k.QualifiedName(), bounds(k), args)
}
