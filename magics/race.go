package magics

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// isRaceFlag reports whether an argument of %test asks for the race detector.
func isRaceFlag(arg string) bool {
	return slices.Contains([]string{"-race", "--race", "-race=true", "--race=true"}, arg)
}

// runRaceTests runs tests under the race detector, which must be in a whole program: one of their own, with all declarations that they mention.
func runRaceTests(ctx context.Context, c *Call, tests []session.Declared, args []string) error {
	outline, err := c.session.Outline(ctx, session.Source{Name: cellName(c.Cell)}, c.Out)
	if err != nil {
		return err
	}
	outline.Declarations = c.declaredKernels(outline.Known)
	files, err := testFiles(outline, slices.DeleteFunc(tests, func(t session.Declared) bool { return !named(t.Name, args) }), c.cudaFinder(ctx, c.Cell, c.Out))
	if err != nil {
		return err
	}
	c.Out.Stream("stdout", "Building the tests with the race detector …\n")
	built, err := c.session.BuildRaceTests(ctx, files, c.Out)
	if err != nil {
		return err
	}
	// As with go test, all output is standard output, in its order.
	argv := []string{"/bin/sh", "-c", `exec "$0" "$@" 2>&1`, built, "-test.v"}
	for _, arg := range args {
		if flag := strings.TrimLeft(arg, "-"); flag != arg && !strings.HasPrefix(flag, "test.") {
			arg = "-test." + flag
		}
		argv = append(argv, arg)
	}
	out := &raceOutput{Output: c.Out, dir: filepath.Dir(built) + "/", rest: map[string]string{}}
	defer out.flush()
	own := *c
	own.Out = out
	err = own.runProgram(ctx, program{name: "the tests", argv: argv, env: outline.Known.Env()})
	if failed, ok := errors.AsType[*kernel.CellError](err); ok {
		failed.Name = "TestsFailed"
	}
	return err
}

// named reports whether -run among the arguments matches a test, or none is there. What it says of subtests is left to package testing, as is an
// invalid pattern.
func named(test string, args []string) bool {
	for i, arg := range args {
		name, pattern, ok := strings.Cut(strings.TrimPrefix(strings.TrimLeft(arg, "-"), "test."), "=")
		if name != "run" || !strings.HasPrefix(arg, "-") {
			continue
		}
		if !ok && i+1 < len(args) {
			pattern = args[i+1]
		}
		pattern, _, _ = strings.Cut(pattern, "/")
		matched, err := regexp.MatchString(pattern, test)
		return matched || err != nil
	}
	return true
}

// keepKernels keeps the declarations of a cell's kernels, for which the session has variables.
func (e *Engine) keepKernels(cell string, outline *session.Outline, unit *gokernel.Unit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, k := range unit.Kernels {
		for _, d := range outline.Declarations {
			if slices.Contains(d.Names, k.Name) {
				e.kernels[[2]string{cell, k.Name}] = d
			}
		}
	}
}

// declaredKernels returns the declarations of the session's kernels.
func (e *Engine) declaredKernels(known *session.Knowledge) []session.Declaration {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []session.Declaration
	for _, name := range slices.Sorted(maps.Keys(known.Names)) {
		if d, ok := e.kernels[[2]string{known.Names[name].Cell, name}]; ok {
			list = append(list, d)
		}
	}
	return list
}

// testFiles returns the files of a package with tests and all that they mention. The outline's declarations are the kernels of the session.
func testFiles(outline *session.Outline, tests []session.Declared, finder CUDAFinder) (map[string]string, error) {
	l := newKernelLoader(outline)
	for _, t := range tests {
		if d := l.byName[t.Name]; d != nil {
			if err := l.add(d); err != nil {
				return nil, err
			}
		}
	}
	var files []*testFile
	byPlace := map[string]*testFile{}
	for _, p := range l.parts {
		f := &testFile{at: p.Pos.Filename, text: strings.Repeat("\n", p.Pos.Line-1) + strings.Repeat(" ", max(p.Pos.Column-1, 0)) + p.Text, imports: p.imports, dots: p.Dots}
		files, byPlace[p.Pos.String()] = append(files, f), f
	}
	cuda, err := l.addLaunchers(byPlace, finder)
	if err != nil {
		return nil, err
	}
	return l.checked(append(files, l.helpers(cuda)))
}

// A testFile is a file of a package with tests.
type testFile struct {
	at      string // name of the cell
	text    string // in the lines of the cell
	imports map[string]string
	dots    []string
}

// source returns the file's text.
func (f *testFile) source() string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, name := range slices.Sorted(maps.Keys(f.imports)) {
		fmt.Fprintf(&b, "import %s %q\n", name, f.imports[name])
	}
	for _, path := range f.dots {
		fmt.Fprintf(&b, "import . %q\n", path)
	}
	if f.at != "" {
		fmt.Fprintf(&b, "//line %s:1:1\n", f.at)
	}
	return b.String() + f.text + "\n"
}

// testKernels is the name of the variable with the program of the kernels.
const testKernels = "gopherwarpKernels"

// addLaunchers puts launchers in the place of the kernels in files, which are by the position of their part, and returns the CUDA program.
func (l *kernelLoader) addLaunchers(files map[string]*testFile, finder CUDAFinder) (cuda string, err error) {
	used := *l.Outline
	used.Declarations = nil
	for i := range l.Declarations {
		if l.added[&l.Declarations[i]] {
			used.Declarations = append(used.Declarations, l.Declarations[i])
		}
	}
	program, unit, err := translateKernels(&used, finder)
	if err != nil || unit == nil {
		return "", err
	}
	for _, k := range unit.Kernels {
		f := files[l.byName[k.Name].Parts[0].Pos.String()]
		edited := newEditing(f.text, program.Fset)
		for _, edit := range k.PackageEdits(testKernels) {
			edited.add(edit)
		}
		f.text = edited.text()
		f.imports["gpu"] = gokernel.GPUPath
	}
	return unit.CUDA, nil
}

// helpers returns a file with what cells can call without having declared it, and the program of the kernels.
func (l *kernelLoader) helpers(cuda string) *testFile {
	f := &testFile{imports: map[string]string{"gpu": gokernel.GPUPath, "display": session.ModulePath + "/display"}}
	for name, text := range map[string]string{
		"must":      "func must[T any](v T, err error) T {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\treturn v\n}\n",
		"Display":   "func Display(v any) error {\n\tdisplay.Print(v)\n\treturn nil\n}\n",
		testKernels: fmt.Sprintf("var %s = gpu.NewSource(\"kernels\", %q)\n", testKernels, cuda),
	} {
		if l.byName[name] == nil {
			f.text += text
		}
	}
	return f
}

// checked checks the files as one package and returns their text, without imports that they do not use.
func (l *kernelLoader) checked(files []*testFile) (map[string]string, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		made, err := parser.ParseFile(fset, "", f.source(), parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("read the tests: %w", err)
		}
		parsed = append(parsed, made)
	}
	checked, err := gokernel.Load(fset, parsed, l.Importer)
	if list, ok := errors.AsType[gokernel.Error](err); ok {
		for i, p := range list {
			if m := undefinedName.FindStringSubmatch(p.Message); m != nil {
				list[i].Message += l.whyNotInTests(m[1])
			}
		}
		return nil, kernelError(list)
	}
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for i, f := range files {
		names, paths := used(parsed[i], checked.Info)
		maps.DeleteFunc(f.imports, func(name, _ string) bool { return !names[name] })
		f.dots = slices.DeleteFunc(slices.Clone(f.dots), func(path string) bool { return !paths[path] })
		texts[fmt.Sprintf("part%d_test.go", i)] = f.source()
	}
	return texts, nil
}

// whyNotInTests returns why a name of the session is not there in tests under the race detector, as the end of a message.
func (l *kernelLoader) whyNotInTests(name string) string {
	if known, ok := l.Known.Names[name]; ok {
		return " under the race detector, whose tests run in a program without the session's variables: " + name + " is a variable of " + known.Cell +
			", so declare one in the test"
	}
	return ""
}

// used returns the names of the imported packages that a file mentions, and the paths of all packages whose objects it uses.
func used(f *ast.File, info *types.Info) (names, paths map[string]bool) {
	names, paths = map[string]bool{}, map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			names[obj.Name()] = true
		default:
			if obj.Pkg() != nil {
				paths[obj.Pkg().Path()] = true
			}
		}
		return true
	})
	return names, paths
}

// A raceOutput is the output of tests under the race detector. In its reports it omits what runs kernels and is not the user's, and directories.
type raceOutput struct {
	kernel.Output
	dir string // of the tests

	mu   sync.Mutex
	rest map[string]string // the beginning of a line, by stream
	head string            // the first line of a stack trace, which is omitted if nothing follows
	skip bool              // whether the next line is the place of a frame that is omitted
}

var (
	createdAt   = regexp.MustCompile(`^Goroutine \d+ \(.*\) created at:\n$`)
	runnerFrame = regexp.MustCompile(`^  (sync\.\(\*WaitGroup\)\.Go|\S*/gpu/internal/gothread\.\S*|\S*/gpu\.Launch\.Run|testing\.\S+|main\.main)\(`)
	userFrame   = regexp.MustCompile(`^  gopherwarp/notebook/race\.(?:` + gokernel.RunPrefix + `(\w+)\.func1)?`)
)

// Stream shows the lines of the text, and keeps the beginning of the last one.
func (o *raceOutput) Stream(name, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var shown strings.Builder
	text = o.rest[name] + text
	o.rest[name] = ""
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\n") {
			o.rest[name] = line
		} else {
			shown.WriteString(o.line(line))
		}
	}
	if shown.Len() > 0 {
		o.Output.Stream(name, shown.String())
	}
}

// line returns what is shown for a line.
func (o *raceOutput) line(line string) string {
	switch {
	case o.skip:
		o.skip = false
		return ""
	case runnerFrame.MatchString(line):
		o.skip = true
		return ""
	case createdAt.MatchString(line):
		o.head = line
		return ""
	}
	head := o.head
	o.head = ""
	if head != "" && !strings.HasPrefix(line, "  ") {
		return strings.TrimPrefix(line, "\n") // no frame was left
	}
	return head + strings.ReplaceAll(userFrame.ReplaceAllString(line, "  $1"), o.dir, "")
}

// flush shows what is left.
func (o *raceOutput) flush() {
	for name, rest := range o.rest {
		if rest != "" {
			o.Output.Stream(name, rest)
		}
	}
}
