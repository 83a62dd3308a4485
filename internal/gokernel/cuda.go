package gokernel

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// CUDADirective is the comment before a function that is in CUDA C++, too: kernels call that one, and plain Go runs the body in Go. After it is
// the file with the function; without one it is in an earlier cell.
const CUDADirective = "//gpu:cuda"

var cudaDirective = regexp.MustCompile(`^//gpu:cuda(?:[ \t]|$)`)

// A CUDASource is CUDA C++ with functions that kernels in Go call.
type CUDASource struct {
	Name string // of the file, for messages
	Text string
}

// inCUDA is where the CUDA C++ of a function is, or why it is nowhere.
type inCUDA struct {
	CUDASource
	err error
}

// cudaComment returns the comment that says that a function is in CUDA C++, or nil.
func cudaComment(d *ast.FuncDecl) *ast.Comment {
	if d.Doc == nil {
		return nil
	}
	i := slices.IndexFunc(d.Doc.List, func(c *ast.Comment) bool { return cudaDirective.MatchString(c.Text) })
	if i < 0 {
		return nil
	}
	return d.Doc.List[i]
}

// CUDAFiles returns a function for Program.CUDA that reads files relative to a directory.
func CUDAFiles(dir string) func(file, function string) (CUDASource, error) {
	return func(file, function string) (CUDASource, error) {
		if file == "" {
			return CUDASource{}, fmt.Errorf("no cell has it, so say the file: %s %s.cuh", CUDADirective, function)
		}
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return CUDASource{}, fmt.Errorf("read CUDA C++: %w", err)
		}
		if !DefinesInCUDA(string(text), function) {
			return CUDASource{}, fmt.Errorf("%s has no function %s: write __device__ … %[2]s(…) there", file, function)
		}
		return CUDASource{file, string(text)}, nil
	}
}

// DefinesInCUDA reports whether CUDA C++ has the definition of a __device__ function.
func DefinesInCUDA(text, function string) bool {
	head := regexp.MustCompile(`__device__[^;{}()]*\b` + regexp.QuoteMeta(function) + `\s*\([^;{}]*\)\s*\{`)
	return head.MatchString(comment.ReplaceAllString(text, " "))
}

var comment = regexp.MustCompile(`//[^\n]*|(?s:/\*.*?\*/)`)

var (
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*\b`)
	macroName  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
)

// findCUDA finds the CUDA C++ of a package's functions, so that no name of the program is one of theirs.
func (t *translation) findCUDA(p *Program) {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || cudaComment(d) == nil {
				continue
			}
			var found inCUDA
			if p.CUDA == nil {
				found.err = fmt.Errorf("files cannot be read here")
			} else {
				file := strings.TrimSpace(strings.TrimPrefix(cudaComment(d).Text, CUDADirective))
				found.CUDASource, found.err = p.CUDA(file, d.Name.Name)
			}
			t.inCUDA[d] = found
			for _, word := range identifier.FindAllString(found.Text, -1) {
				t.foreign[word] = true
			}
			for _, m := range macroName.FindAllStringSubmatch(found.Text, -1) {
				t.names[m[1]] = true // also of variables
			}
		}
	}
}

// need makes the CUDA C++ of a function a part of the program.
func (t *translation) need(d *ast.FuncDecl) {
	found := t.inCUDA[d]
	if found.err != nil {
		refuse(d, "the CUDA C++ of %s is not at hand: %v", d.Name.Name, found.err)
	}
	if !slices.Contains(t.cuda, found.CUDASource) {
		t.cuda = append(t.cuda, found.CUDASource)
	}
}

// callCUDA writes a function that calls the one of its name in CUDA C++.
func (f *function) callCUDA() {
	f.t.need(f.decl)
	name := f.decl.Name.Name
	switch {
	case f.sig.Recv() != nil:
		refuse(f.decl, "CUDA C++ has no methods of Go's types: make %s a function", name)
	case f.sig.TypeParams().Len() > 0:
		refuse(f.decl, "a function that is in CUDA C++ has no type parameters in Go: write one for each type")
	case f.sig.Results().Len() > 1:
		refuse(f.decl, "a function of CUDA C++ has one result at most: give it pointers for more")
	}
	var params, types, args []string
	for v := range f.sig.Params().Variables() {
		plainInCUDA(objectNode{v}, v.Type())
		arg := fmt.Sprintf("argument%d", len(args))
		params = append(params, f.declare(objectNode{v}, v.Type(), arg))
		types, args = append(types, f.cType(objectNode{v}, v.Type())), append(args, arg)
	}
	result, statement := f.resultType(), ""
	if result != "void" {
		plainInCUDA(f.decl, f.sig.Results().At(0).Type())
		statement = "return "
	}
	f.effects, f.together = true, f.waits()
	f.mark(f.decl)
	f.write("static __device__ %s %s(%s) {", result, f.name, strings.Join(params, ", "))
	f.indent++
	f.mark(f.decl.Name)
	f.write("static_assert(go::callable<decltype(%s), %s(%s)>::value, \"%[1]s has other types in CUDA C++: Go's int is long long, int32 is int, float32 is float, float64 is double\");",
		name, result, strings.Join(types, ", "))
	f.mark(f.decl.Name)
	f.write("%s%s(%s);", statement, name, strings.Join(args, ", "))
	f.indent--
	f.write("}")
	f.text = f.out.String()
}

// plainInCUDA refuses types that functions of CUDA C++ do not have, or not under a name that is known here.
func plainInCUDA(at ast.Node, typ types.Type) {
	if p, ok := typ.Underlying().(*types.Pointer); ok {
		typ = p.Elem()
	}
	if _, basic := typ.Underlying().(*types.Basic); !basic || halfName(typ) != "" {
		refuse(at, "a function of CUDA C++ takes numbers, bools, and pointers to these, and not %s: pass &x[0] and the length for a slice", typ)
	}
}

// waits reports whether the body in Go waits for other threads, or exchanges values with them.
func (f *function) waits() bool {
	found := false
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || deviceFunctions[f.gpuName(call.Fun)].together
		}
		return !found
	})
	return found
}

// cudaText returns the CUDA C++ that functions come from.
func (t *translation) cudaText() string {
	var b strings.Builder
	for _, c := range t.cuda {
		fmt.Fprintf(&b, "#line 1 %q\n%s\n", c.Name, strings.TrimRight(c.Text, "\n"))
	}
	return b.String()
}

// TranslateFunctions returns functions, and all that they call, as CUDA C++ that calls them by the names that they have in Go. Its error is
// an Error with all that a GPU cannot run.
func (p *Program) TranslateFunctions(list []*ast.FuncDecl) (string, error) {
	t := newTranslation(p)
	for _, d := range list {
		t.attempt(func() {
			name := d.Name.Name
			switch {
			case directiveOf(d) != nil:
				refuse(d, "%s is a kernel, and CUDA C++ cannot call it: move what both need to a function", name)
			case d.Recv != nil || d.Type.TypeParams != nil:
				refuse(d, "CUDA C++ cannot call methods and generic functions of Go: write a function that calls %s", name)
			case cName(name) != name:
				refuse(d, "%s means something else in CUDA C++: rename the function", name)
			}
			if cudaComment(d) != nil {
				t.need(d)
				return // CUDA C++ calls that one itself
			}
			made := t.function(d.Name, p.Info.Defs[d.Name].(*types.Func), nil, false, &function{t: t, src: p})
			if made.name != name {
				refuse(d, "%s is the name of something else in CUDA C++, too: rename the function", name)
			}
			if len(made.templates) > 0 {
				refuse(d, "CUDA C++ cannot pass functions to functions of Go: write a function that calls %s", name)
			}
		})
	}
	if len(t.problems) > 0 {
		return "", t.problems
	}
	text := t.text()
	return preludeFor(text) + text, nil
}
