package gokernel

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
)

// machine is the GOARCH for which imported packages are read: one of 64 bits for which they have Go code and no assembly.
const machine = "mips64le"

// LoadImport reads the source of an imported package from its directory, for translation. What does not compile in it matters only if a
// kernel needs it.
func LoadImport(fset *token.FileSet, importPath, dir string, importer types.Importer) (*Program, error) {
	context := build.Default
	context.GOARCH, context.CgoEnabled = machine, false
	found, err := context.ImportDir(dir, 0)
	if err != nil {
		return nil, fmt.Errorf("find the source of package %s: %w", importPath, err)
	}
	p := newProgram(fset)
	p.CUDA = CUDAFiles(dir)
	for _, name := range found.GoFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, fmt.Errorf("read package %s: %w", importPath, err)
		}
		f, err := parser.ParseFile(fset, path.Join(importPath, name), text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("read package %s: %w", importPath, err)
		}
		p.Files = append(p.Files, f)
	}
	conf := types.Config{Importer: importer, Sizes: types.SizesFor("gc", machine), FakeImportC: true, Error: func(error) {}}
	p.Types, _ = conf.Check(importPath, fset, p.Files, p.Info)
	return p, nil
}

// A source is where a function or variable of an imported package is declared.
type source struct {
	*Program
	object types.Object // as this program has it
	decl   ast.Node     // an *ast.FuncDecl, or the *ast.ValueSpec of a variable
}

// find returns the declaration of an object of package scope, or of a method.
func (t *translation) find(at ast.Node, of types.Object) source {
	p := t.Program
	if of.Pkg() != nil && of.Pkg().Path() != t.Types.Path() {
		p = t.imported(at, of)
	}
	return t.declared[p][key(of)]
}

// remedies are what kernels use in place of functions of packages that cannot be translated.
var remedies = map[string]string{
	"sync":         "threads wait for each other with gpu.SyncThreads, and change what they share with gpu.AtomicAdd and its like",
	"sync/atomic":  "use gpu.AtomicAdd, AtomicMin, AtomicMax, AtomicExchange or AtomicCompareAndSwap",
	"math/rand":    randomRemedy,
	"math/rand/v2": randomRemedy,
	"time":         "time the launch from the host",
	"os":           "read files and the environment on the host, and pass what they hold",
}

const randomRemedy = "take random numbers from gpu.RandomFloat32(seed, request, i) and its like, which need no state"

// imported returns the package of an object.
func (t *translation) imported(at ast.Node, of types.Object) *Program {
	name := of.Pkg().Path()
	if p := t.imports[name]; p != nil {
		return p
	}
	if name == "fmt" || name == "log" {
		refuse(at, "a kernel prints with gpu.Printf")
	}
	if t.Import == nil {
		refuse(at, "the source of %s is not at hand, so it cannot be translated: write the function in Go beside the kernel", name)
	}
	p, err := t.Import(name)
	if err != nil {
		refuse(at, "%s cannot be translated: %v", of.Name(), err)
	}
	t.imports[name] = p
	t.declare(p)
	return p
}

// declare records the functions and variables of a package.
func (t *translation) declare(p *Program) {
	all := map[string]source{}
	add := func(name *ast.Ident, decl ast.Node) {
		if o := p.Info.Defs[name]; o != nil && name.Name != "_" {
			all[key(o)] = source{p, o, decl}
		}
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, name := range s.Names {
							add(name, s)
						}
					}
				}
			}
		}
	}
	t.declared[p] = all
	t.findCUDA(p)
}

// key returns what tells an object from the others of its package, whichever way the package was read: its name, with that of the
// receiver's type before it.
func key(o types.Object) string {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return o.Name()
	}
	return receiverName(f) + "." + o.Name()
}

// receiverName returns the name of the type that has a method, or "".
func receiverName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	typ := recv.Type()
	if p, ok := typ.(*types.Pointer); ok {
		typ = p.Elem()
	}
	if n, ok := types.Unalias(typ).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}
