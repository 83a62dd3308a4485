package magics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// goKernels compiles the kernels that a part of a cell declares in Go, and returns the part's text with launchers in their place. Nothing
// changes if one of them does not compile.
func (e *Engine) goKernels(ctx context.Context, cell kernel.Cell, text string, out kernel.Output) (string, error) {
	name := cellName(cell)
	outline, err := e.session.Outline(ctx, session.Source{Name: name, Text: text}, out)
	if err != nil {
		return "", err
	}
	program, unit, err := translateKernels(outline, e.cudaFinder(ctx, cell, out))
	if err != nil || unit == nil {
		return text, err
	}
	request := gpuhost.CompileRequest{Name: name, Source: unit.CUDA, Shown: cell.Code, Beside: e.listings(name, unit)}
	var reply gpuhost.CompileReply
	c := &Call{Engine: e, Cell: cell, Out: out}
	if err := c.compile(ctx, request, &reply); err != nil {
		return "", c.cudaError(err)
	}
	e.keepKernels(name, outline, unit)
	if e.debugger != nil {
		e.debugger.Kernels(name, unit.Debug)
	}
	from := shelved(request.Name)
	return withLaunchers(text, program, unit, strings.TrimSuffix(from.imports, "\n"), from.kernel), nil
}

// listings returns the texts of the other cells that a program has functions of.
func (e *Engine) listings(name string, unit *gokernel.Unit) map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	texts := map[string]string{}
	for file := range unit.Debug.Lines {
		if text, ok := e.sources[file]; ok && file != name {
			texts[file] = text
		}
	}
	return texts
}

// translateKernels translates the kernels that are declared in an outline. Without any the unit is nil.
func translateKernels(outline *session.Outline, finder CUDAFinder) (*gokernel.Program, *gokernel.Unit, error) {
	program, err := loadKernels(outline)
	if err != nil {
		return nil, nil, kernelError(err)
	}
	program.CUDA = finder
	var kernels []*ast.FuncDecl
	for _, f := range program.Files {
		kernels = append(kernels, gokernel.Kernels(f)...)
	}
	if len(kernels) == 0 {
		return program, nil, nil
	}
	unit, err := program.Translate(kernels)
	if err != nil {
		return nil, nil, kernelError(err)
	}
	return program, unit, nil
}

// withLaunchers returns a text with launchers in the place of its kernels. begin is a statement before the first one, and compiled returns the
// expression of a compiled kernel.
func withLaunchers(text string, program *gokernel.Program, unit *gokernel.Unit, begin string, compiled func(name string) string) string {
	edited := newEditing(text, program.Fset)
	for i, k := range unit.Kernels {
		edits := k.Edits(compiled(k.CName))
		if i == 0 {
			edits[0].Text = begin + "; " + edits[0].Text
		}
		for _, edit := range edits {
			edited.add(edit)
		}
	}
	return edited.text()
}

// kernelError returns the problems of kernels as those of a cell that does not compile.
func kernelError(err error) error {
	var list gokernel.Error
	if !errors.As(err, &list) {
		return err
	}
	failed := &session.CompileError{}
	for _, p := range list {
		failed.Problems = append(failed.Problems, session.Problem{Pos: p.Pos, Message: p.Message})
	}
	return failed
}

// loadKernels checks the kernels of a cell and all declarations that they need.
func loadKernels(d *session.Outline) (*gokernel.Program, error) {
	l := newKernelLoader(d)
	for i := range d.Declarations {
		if slices.ContainsFunc(d.Declarations[i].Parts, func(p session.Part) bool { return gokernel.Mentioned(p.Text) }) {
			if err := l.add(&d.Declarations[i]); err != nil {
				return nil, err
			}
		}
	}
	program, err := l.program()
	var list gokernel.Error
	if errors.As(err, &list) {
		for i, p := range list {
			if m := undefinedName.FindStringSubmatch(p.Message); m != nil {
				list[i].Message += l.whyUndefined(m[1])
			}
		}
		return nil, list
	}
	return program, err
}

var undefinedName = regexp.MustCompile(`^undefined: (\w+)$`)

// A kernelLoader collects declarations as files of one package.
type kernelLoader struct {
	*session.Outline
	fset   *token.FileSet
	files  []*ast.File
	parts  []loadedPart // of the files
	byName map[string]*session.Declaration
	added  map[*session.Declaration]bool
}

// A loadedPart is a part of a declaration with the packages that it may mention.
type loadedPart struct {
	session.Part
	imports map[string]string
}

func newKernelLoader(d *session.Outline) *kernelLoader {
	l := &kernelLoader{Outline: d, fset: token.NewFileSet(), byName: map[string]*session.Declaration{}, added: map[*session.Declaration]bool{}}
	for _, list := range [][]session.Declaration{d.Known.Declarations, d.Declarations} {
		for i := range list {
			for _, name := range list[i].Names {
				l.byName[name] = withMethods(l.byName[name], &list[i])
			}
		}
	}
	return l
}

// withMethods returns the declaration of a name after a later one: if that has methods only, they are added to the type's.
func withMethods(known, later *session.Declaration) *session.Declaration {
	if known == nil || methodOf(later.Parts[0]) == "" {
		return later
	}
	all := &session.Declaration{Names: known.Names}
	for _, p := range known.Parts {
		method := methodOf(p)
		if method == "" || !slices.ContainsFunc(later.Parts, func(q session.Part) bool { return methodOf(q) == method }) {
			all.Parts = append(all.Parts, p)
		}
	}
	all.Parts = append(all.Parts, later.Parts...)
	return all
}

// methodOf returns the name of the method that a part declares, or "".
func methodOf(p session.Part) string {
	if f := funcOf(p); f != nil && f.Recv != nil {
		return f.Name.Name
	}
	return ""
}

// funcOf returns the function or method that a part declares, or nil.
func funcOf(p session.Part) *ast.FuncDecl {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+p.Text, 0)
	if err != nil || len(f.Decls) != 1 {
		return nil
	}
	fun, _ := f.Decls[0].(*ast.FuncDecl)
	return fun
}

// add adds a declaration and all that it mentions.
func (l *kernelLoader) add(d *session.Declaration) error {
	if l.added[d] {
		return nil
	}
	l.added[d] = true
	for _, p := range d.Parts {
		f, err := l.parse(p, nil)
		if err != nil {
			return fmt.Errorf("read the declaration of %s: %w", strings.Join(d.Names, ", "), err)
		}
		imports := map[string]string{}
		for _, id := range f.Unresolved {
			switch known := l.byName[id.Name]; {
			case known != nil:
				if err := l.add(known); err != nil {
					return err
				}
			case types.Universe.Lookup(id.Name) == nil:
				if path := l.path(p, id.Name, f); path != "" {
					imports[id.Name] = path
				}
			}
		}
		if f, err = l.parse(p, imports); err != nil {
			return err
		}
		l.files, l.parts = append(l.files, f), append(l.parts, loadedPart{p, imports})
	}
	return nil
}

// program checks what has been added.
func (l *kernelLoader) program() (*gokernel.Program, error) {
	program, err := gokernel.Load(l.fset, l.files, l.Importer)
	if err == nil {
		program.Import = func(path string) (*gokernel.Program, error) {
			return gokernel.LoadImport(l.fset, path, l.SourceDir(path), l.Importer)
		}
	}
	return program, err
}

// path returns the package that a name denotes in a part, whose file is f, or "".
func (l *kernelLoader) path(p session.Part, name string, f *ast.File) string {
	if path := p.Imports[name]; path != "" {
		return path
	}
	if _, known := l.Known.Names[name]; known {
		return ""
	}
	return cmp.Or(l.Known.Imports[name], l.FindImport(name, f))
}

// parse returns a part as a file, whose positions are those of the cell.
func (l *kernelLoader) parse(p session.Part, imports map[string]string) (*ast.File, error) {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "import %s %q\n", name, imports[name])
	}
	for _, path := range p.Dots {
		fmt.Fprintf(&b, "import . %q\n", path)
	}
	fmt.Fprintf(&b, "//line %s:%d:%d\n%s\n", p.Pos.Filename, p.Pos.Line, max(p.Pos.Column, 1), p.Text)
	return parser.ParseFile(l.fset, "", b.String(), parser.ParseComments)
}

// whyUndefined returns what a name is that a kernel cannot use, as the end of a message.
func (l *kernelLoader) whyUndefined(name string) string {
	if l.isVariable(name) {
		return " in a kernel: it is a variable of " + l.Known.Names[name].Cell + ", so pass it as an argument"
	}
	return " in a kernel, which knows functions, types and constants, and gets variables as arguments"
}

// isVariable reports whether a name is that of an earlier cell's variable.
func (l *kernelLoader) isVariable(name string) bool {
	_, is := l.Known.Names[name].Object.(*types.Var)
	return is
}

// An editing replaces parts of a text at the positions of a file set.
type editing struct {
	source string
	lines  []int // offset of each line
	fset   *token.FileSet
	edits  []placed
}

// A placed is an edit at offsets of the text.
type placed struct {
	start, end int
	text       string
}

func newEditing(text string, fset *token.FileSet) *editing {
	e := &editing{source: text, fset: fset, lines: []int{0}}
	for i := range text {
		if text[i] == '\n' {
			e.lines = append(e.lines, i+1)
		}
	}
	return e
}

func (e *editing) offset(pos token.Pos) int {
	p := e.fset.Position(pos)
	return e.lines[p.Line-1] + p.Column - 1
}

func (e *editing) add(edit gokernel.Edit) {
	e.edits = append(e.edits, placed{e.offset(edit.Pos), e.offset(edit.End), edit.Text})
}

// text returns the edited text.
func (e *editing) text() string {
	slices.SortFunc(e.edits, func(a, b placed) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, p := range e.edits {
		b.WriteString(e.source[at:p.start])
		b.WriteString(p.text)
		at = p.end
	}
	return b.String() + e.source[at:]
}
