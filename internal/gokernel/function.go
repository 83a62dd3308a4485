package gokernel

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// A function is a Go function that is translated, for one choice of its type parameters.
type function struct {
	t    *translation
	src  *Program // that declares it
	name string   // in C++
	sig  *types.Signature
	decl *ast.FuncDecl
	// kernel reports whether it is launched, and unchecked whether its indices are not checked.
	kernel, unchecked bool
	targs             map[string]types.Type // by the name of the type parameter

	caller  *function // the one whose translation began this one
	done    bool
	callees []*function
	// together reports whether threads wait for each other or exchange values, and effects whether the order of its calls matters.
	together, effects bool

	text    string
	out     *strings.Builder
	indent  int
	line    int            // of the user's text, that the next line of out has by the last #line
	file    string         // of the user's text
	marked  token.Position // of what is translated, in the user's text
	locals  map[types.Object]string
	passed  map[string]types.Object // to a kernel, by the name of the first parameter of each
	taken   map[string]bool
	temps   int
	results string // the C++ type of the results
	named   []string
	targets []*target // of break and continue, innermost last
	// several reports whether the order of the calls in the current statement matters.
	several  bool
	closures map[types.Object]string // C++ names of variables with functions
	// templates are the template parameters for functions that it is given.
	templates []string
	shared    map[types.Object]bool // variables with the address of shared memory
}

// notInNames matches what types have and names have not.
var notInNames = regexp.MustCompile(`\W+`)

// function returns the translation of a function at a call.
func (t *translation) function(at ast.Node, obj *types.Func, targs *types.TypeList, unchecked bool, caller *function) *function {
	found := t.find(at, obj)
	decl, _ := found.decl.(*ast.FuncDecl)
	if decl == nil || decl.Body == nil {
		refuseByPackage(at, obj)
		refuse(at, "the Go source of %s is not at hand, so it cannot be translated: write the function in Go beside the kernel", obj.FullName())
	}
	obj = found.object.(*types.Func)
	key := fmt.Sprintf("%p %v", obj, unchecked)
	f := &function{t: t, src: found.Program, sig: obj.Signature(), decl: decl, kernel: caller == nil, unchecked: unchecked, caller: caller}
	name := obj.Name()
	if receiver := receiverName(obj); receiver != "" {
		name = receiver + "_" + name
	}
	if f.src != t.Program {
		name = obj.Pkg().Name() + "_" + name
	}
	if targs.Len() > 0 {
		f.targs = map[string]types.Type{}
		params := f.sig.TypeParams()
		if f.sig.Recv() != nil {
			params = f.sig.RecvTypeParams()
		}
		for i := range targs.Len() {
			to := caller.subst(targs.At(i))
			f.targs[params.At(i).Obj().Name()] = to
			key += " " + to.String()
			name += "_" + notInNames.ReplaceAllString(strings.NewReplacer("[", "", "]", "_", "*", "p").Replace(types.TypeString(to, func(*types.Package) string { return "" })), "_")
		}
	}
	if known := t.functions[key]; known != nil {
		if !known.done {
			refuse(at, "%s calls itself, and the stack of a GPU's thread is small: use a loop", obj.Name())
		}
		return known
	}
	t.functions[key] = f
	f.name = t.unique(name)
	defer func() { f.done = true }() // also if its head is refused, so that its next caller is not said to be recursive
	if f.src != t.Program && caller.src == t.Program {
		t.blame(at, obj, f.translate)
	} else {
		f.translate()
	}
	t.order = append(t.order, f)
	return f
}

// refuseByPackage refuses a function with what kernels use in place of its package, if that is known.
func refuseByPackage(at ast.Node, of *types.Func) {
	if of.Pkg() == nil {
		return
	}
	if remedy := remedies[of.Pkg().Path()]; remedy != "" {
		refuse(at, "a GPU cannot run %s: %s", of.FullName(), remedy)
	}
}

// blame calls translate for an imported function, and refuses the call of it if something in that function, or in what it calls, is refused:
// a user does not see the place.
func (t *translation) blame(call ast.Node, of *types.Func, translate func()) {
	before := len(t.problems)
	t.attempt(translate)
	if len(t.problems) == before {
		return
	}
	why := t.problems[before]
	t.problems = t.problems[:before]
	refuseByPackage(call, of)
	refuse(call, "%s cannot be translated, because of %s:%d: %s", of.FullName(), why.Pos.Filename, why.Pos.Line, why.Message)
}

// translate writes the function.
func (f *function) translate() {
	f.out, f.locals, f.taken, f.passed = &strings.Builder{}, map[types.Object]string{}, map[string]bool{}, map[string]types.Object{}
	f.closures, f.shared = map[types.Object]string{}, map[types.Object]bool{}
	if cudaComment(f.decl) != nil {
		f.callCUDA()
		return
	}
	params, body := f.params()
	head := "static __device__ " + f.resultType() + " " + f.name
	if len(f.templates) > 0 {
		head = "template <" + strings.Join(f.templates, ", ") + "> " + head
	}
	if f.kernel {
		head = `extern "C" __global__ void ` + f.name
	}
	f.mark(f.decl)
	f.write("%s(%s) {", head, strings.Join(params, ", "))
	f.indent++
	for _, line := range body {
		f.write("%s", line)
	}
	f.declareResults()
	f.block(f.decl.Body)
	f.indent--
	f.mark(rbrace(f.decl.Body.Rbrace))
	f.write("}")
	f.text = f.out.String()
}

// rbrace is the position of a closing brace.
type rbrace token.Pos

func (r rbrace) Pos() token.Pos { return token.Pos(r) }
func (r rbrace) End() token.Pos { return token.Pos(r) + 1 }

// params returns the parameters, and the lines that make slices of those of a kernel.
func (f *function) params() (params, body []string) {
	vars := slices.Collect(f.sig.Params().Variables())
	if r := f.sig.Recv(); r != nil {
		vars = append([]*types.Var{r}, vars...)
	}
	for i, v := range vars {
		at := objectNode{v}
		if f.sig.Variadic() && i == len(vars)-1 {
			refuse(at, "a function for a GPU has a fixed number of parameters: pass a slice or an array")
		}
		switch f.subst(v.Type()).Underlying().(type) {
		case *types.Slice, *types.Pointer:
			f.effects = true // it may change what it is given
		}
		name := f.local(v)
		if _, ok := f.subst(v.Type()).Underlying().(*types.Signature); ok && !f.kernel {
			// Each closure has a type of its own.
			f.templates = append(f.templates, "class "+name+"_f")
			f.closures[v], f.effects = name, true
			params = append(params, name+"_f "+name)
			continue
		}
		if !f.kernel {
			params = append(params, f.declare(at, v.Type(), name))
			continue
		}
		p, lines := f.kernelParam(at, v, name)
		f.passed[p[0][strings.LastIndexAny(p[0], " *")+1:]] = v
		params, body = append(params, p...), append(body, lines...)
	}
	return params, body
}

// objectNode is the position of an object's declaration.
type objectNode struct{ types.Object }

func (o objectNode) End() token.Pos { return o.Pos() + 1 }

// resultType returns the C++ type of what the function returns, which it declares.
func (f *function) resultType() string {
	r := f.sig.Results()
	for v := range r.Variables() {
		switch f.subst(v.Type()).Underlying().(type) {
		case *types.Pointer, *types.Slice:
			refuse(objectNode{v}, "a function for a GPU returns no %s, since the memory may have ended with the function: pass the memory to it", v.Type())
		}
	}
	f.results = f.resultsOf(f.decl, f.sig, f.name)
	return f.results
}

// resultsOf returns the C++ type of what a function of the name returns: for several results a struct, which it declares.
func (f *function) resultsOf(at ast.Node, sig *types.Signature, name string) string {
	r := sig.Results()
	switch r.Len() {
	case 0:
		return "void"
	case 1:
		return f.cType(at, r.At(0).Type())
	}
	var fields strings.Builder
	for i := range r.Len() {
		fmt.Fprintf(&fields, " %s;", f.declare(at, r.At(i).Type(), fmt.Sprintf("r%d", i)))
	}
	results := f.t.unique(name + "_results")
	fmt.Fprintf(&f.t.structs.text, "struct %s {%s };\n", results, fields.String())
	return results
}

// declareResults declares named results.
func (f *function) declareResults() {
	for v := range f.sig.Results().Variables() {
		if v.Name() == "" {
			return
		}
		name := f.local(v)
		f.named = append(f.named, name)
		f.write("%s = {};", f.declare(objectNode{v}, v.Type(), name))
	}
}

// local returns the C++ name of a variable. Each has its own, since a C++ variable is known in its own initializer.
func (f *function) local(o types.Object) string {
	if name := f.locals[o]; name != "" {
		return name
	}
	base := cName(o.Name())
	if base == "_" || base == "" {
		base = "unused"
	}
	name := base
	for i := 2; f.taken[name] || f.t.names[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	f.taken[name] = true
	f.locals[o] = name
	return name
}

// temp returns a new name.
func (f *function) temp() string {
	for {
		f.temps++
		name := fmt.Sprintf("t%d", f.temps)
		if !f.taken[name] && !f.t.names[name] {
			f.taken[name] = true
			return name
		}
	}
}

// write writes one line, which is of the user's text where mark has said last: a statement may become several lines.
func (f *function) write(format string, args ...any) {
	if f.marked.IsValid() && (f.marked.Filename != f.file || f.marked.Line != f.line) {
		fmt.Fprintf(f.out, "#line %d %q\n", f.marked.Line, f.marked.Filename)
		f.line, f.file = f.marked.Line, f.marked.Filename
	}
	f.out.WriteString(strings.Repeat("\t", f.indent))
	fmt.Fprintf(f.out, format, args...)
	f.out.WriteByte('\n')
	f.line++
}

// mark makes the next lines those of a node.
func (f *function) mark(n ast.Node) {
	if at := f.t.position(n.Pos()); at.IsValid() {
		f.marked = at
	}
}

// aside returns what translate writes, without writing it.
func (f *function) aside(translate func()) string {
	out, line, file, at := f.out, f.line, f.file, f.marked
	f.out, f.file = &strings.Builder{}, "" // it may be put elsewhere
	translate()
	text := f.out.String()
	f.out, f.line, f.file, f.marked = out, line, file, at
	return text
}

// put writes lines that aside has returned.
func (f *function) put(lines string) {
	f.out.WriteString(lines)
	f.file = "" // the line of what follows is not known
}
