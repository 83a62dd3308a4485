package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Unit is the CUDA program of kernels.
type Unit struct {
	CUDA    string // with the prelude and #line directives
	Kernels []*Kernel
	Debug   Debug
}

// A Kernel is a translated function.
type Kernel struct {
	Name     string
	CName    string // in the CUDA program
	Params   []Param
	Together bool   // whether its threads wait for each other or exchange values
	Text     string // the CUDA code of the kernel and of what it calls, to read

	decl *ast.FuncDecl
}

// A Param is a parameter of a kernel.
type Param struct {
	Name string
	Type types.Type // a number, a bool, or a slice, array or struct of these
}

// A translation is the work on one program.
type translation struct {
	*Program
	problems Error

	imports  map[string]*Program            // by path
	declared map[*Program]map[string]source // by key

	functions map[string]*function // by key
	order     []*function          // callees before callers
	names     map[string]bool      // of functions and structs
	structs   *structs
	tables    map[types.Object]string // C++ code of variables that kernels use
	texts     map[string]string       // names of the bytes of constant texts

	inCUDA  map[*ast.FuncDecl]inCUDA // functions that are in CUDA C++, too
	foreign map[string]bool          // words of that code
	cuda    []CUDASource             // what of it is needed
}

// newTranslation begins to translate a program.
func newTranslation(p *Program) *translation {
	t := &translation{
		Program: p, imports: map[string]*Program{}, declared: map[*Program]map[string]source{},
		inCUDA: map[*ast.FuncDecl]inCUDA{}, foreign: map[string]bool{},
		functions: map[string]*function{}, names: map[string]bool{}, tables: map[types.Object]string{}, texts: map[string]string{},
	}
	t.structs = newStructs(t)
	for _, c := range mathFunctions {
		t.names[c], t.names[c+"f"] = true, true // a function of the program would hide them
	}
	t.declare(p)
	return t
}

// Translate translates kernels and the functions that they call. Its error is an Error with all that a GPU cannot run.
func (p *Program) Translate(kernels []*ast.FuncDecl) (*Unit, error) {
	t := newTranslation(p)
	u := &Unit{}
	var made []*function
	for _, d := range kernels {
		t.attempt(func() {
			k, f := t.kernel(d)
			u.Kernels, made = append(u.Kernels, k), append(made, f)
		})
	}
	if len(t.problems) > 0 {
		slices.SortStableFunc(t.problems, func(a, b Problem) int { return a.Pos.Offset - b.Pos.Offset })
		return nil, t.problems
	}
	text := t.text()
	u.CUDA = preludeFor(text) + text
	u.Debug = t.debug(u.CUDA)
	for i, f := range made {
		u.Kernels[i].Text = t.readable(f)
	}
	return u, nil
}

// readable returns the CUDA code of a function and of what it calls, without #line.
func (t *translation) readable(of *function) string {
	needed := map[*function]bool{}
	var need func(f *function)
	need = func(f *function) {
		if !needed[f] {
			needed[f] = true
			for _, callee := range f.callees {
				need(callee)
			}
		}
	}
	need(of)
	var b strings.Builder
	b.WriteString(t.structs.text.String())
	for _, f := range t.order {
		if !needed[f] {
			continue
		}
		for line := range strings.Lines(f.text) {
			if !strings.HasPrefix(line, "#line") {
				b.WriteString(line)
			}
		}
	}
	return b.String()
}

// kernel translates one kernel.
func (t *translation) kernel(d *ast.FuncDecl) (*Kernel, *function) {
	for _, word := range options(d) {
		if word != "nobounds" {
			refuse(directiveOf(d), "the word %s after %s is unknown: the only one is nobounds", word, Directive)
		}
	}
	switch {
	case d.Recv != nil:
		refuse(d.Recv, "a kernel is no method: make it a function, and pass the receiver as an argument")
	case d.Type.TypeParams != nil:
		refuse(d.Type.TypeParams, "a kernel has no type parameters: write one for each type, and let them call a generic function")
	case d.Type.Results != nil:
		refuse(d.Type.Results, "a kernel returns nothing: write results to a slice")
	case d.Body == nil:
		refuse(d, "the kernel has no body")
	case cudaComment(d) != nil:
		refuse(cudaComment(d), "a kernel in CUDA C++ needs no Go: write it in a %%%%cuda cell")
	}
	f := t.function(d.Name, t.Info.Defs[d.Name].(*types.Func), nil, unchecked(d), nil)
	k := &Kernel{Name: d.Name.Name, CName: f.name, Together: f.together, decl: d}
	for v := range f.sig.Params().Variables() {
		k.Params = append(k.Params, Param{v.Name(), v.Type()})
	}
	return k, f
}

// position returns a position in the user's text.
func (t *translation) position(at token.Pos) token.Position {
	p := t.Fset.Position(at)
	if t.Short != nil {
		p.Filename = t.Short(p.Filename)
	}
	return p
}

// unique returns a name for a function or struct, which begins with name. The prelude has none of that name: the simulator tells by names which
// functions wait for other threads.
func (t *translation) unique(name string) string {
	made := cName(name)
	for i := 2; t.names[made] || t.foreign[made] || preludeNames[made]; i++ {
		made = fmt.Sprintf("%s_%d", cName(name), i)
	}
	t.names[made] = true
	return made
}
