package gokernel

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
)

// NDPath is the path of package nd.
const NDPath = GPUPath + "/nd"

// arrayFunctions has the functions of package nd that call a Go function for elements, and which argument that is.
var arrayFunctions = map[string]int{"Map": 1, "Map2": 2, "Map3": 3, "Reduce": 1, "Accumulate": 1}

var arrayMention = regexp.MustCompile(`\.\s*(?:Map|Map2|Map3|Reduce|Accumulate)\s*[\[(]`)

// ArraysMentioned reports whether a text may have calls of package nd's functions that take a Go function.
func ArraysMentioned(text string) bool { return arrayMention.MatchString(text) }

// An ArrayCall is a call of one of package nd's functions that take a Go function.
type ArrayCall struct {
	Package  string // its name there
	Name     string // of package nd's function
	Function ast.Expr
}

// ArrayCalls lists the calls in a node. isND reports whether an expression is the name of package nd.
func ArrayCalls(in ast.Node, isND func(*ast.Ident) bool) []ArrayCall {
	var list []ArrayCall
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := uninstantiated(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if at := arrayFunctions[sel.Sel.Name]; ok && at > 0 && at < len(call.Args) && isND(id) {
			list = append(list, ArrayCall{id.Name, sel.Sel.Name, call.Args[at]})
		}
		return true
	})
	return list
}

// An ArrayFunction is the translation of a function that package nd calls for elements.
type ArrayFunction struct {
	CName string // in the CUDA code
	CUDA  string // the function and all that it needs, to stand in a namespace
}

// TranslateFunction translates a function of numbers for package nd. Its error is an Error with all that a GPU cannot run.
func (p *Program) TranslateFunction(d *ast.FuncDecl) (*ArrayFunction, error) {
	t := newTranslation(p)
	var made *function
	t.attempt(func() {
		switch {
		case d.Recv != nil:
			refuse(d.Recv, "package nd calls functions and no methods: write a function that calls the method")
		case d.Type.TypeParams != nil:
			refuse(d.Type.TypeParams, "package nd calls functions without type parameters: write a function of numbers that calls it")
		}
		obj := p.Info.Defs[d.Name].(*types.Func)
		for _, list := range []*types.Tuple{obj.Signature().Params(), obj.Signature().Results()} {
			for v := range list.Variables() {
				if _, basic := v.Type().Underlying().(*types.Basic); !basic {
					refuse(objectNode{v}, "the elements of arrays are numbers and bools, and not %s", v.Type())
				}
			}
		}
		made = t.function(d.Name, obj, nil, false, &function{t: t, src: p})
		if made.together || threadPosition.MatchString(t.text()) {
			refuse(d, "a function of elements knows no threads, since package nd chooses them: write a kernel")
		}
		if len(t.cuda) > 0 {
			refuse(d, "a function of elements calls no CUDA C++: write a kernel")
		}
	})
	if len(t.problems) > 0 {
		return nil, t.problems
	}
	text := t.text()
	if strings.Contains(text, "go::") {
		text = preludeFor(text) + text
	}
	return &ArrayFunction{made.name, text}, nil
}

// threadPosition matches what depends on the thread.
var threadPosition = regexp.MustCompile(`\b(?:threadIdx|blockIdx|blockDim|gridDim|go::global_\w+|go::lane)\b`)

// text returns the structs and functions that have been translated.
func (t *translation) text() string {
	var b strings.Builder
	b.WriteString(t.cudaText())
	b.WriteString(t.structs.text.String())
	for _, f := range t.order {
		b.WriteString(f.text)
	}
	return b.String()
}

// Call returns the Go code before and after a function that declares its translation. nd is the name of package nd.
func (a *ArrayFunction) Call(nd string) (before, after string) {
	return nd + ".Translated(", fmt.Sprintf(", %q, %q)", a.CName, a.CUDA)
}

// arrayDecls lists the functions of a package that its files pass to package nd by name.
func arrayDecls(p *packages.Package) []*ast.FuncDecl {
	passed := map[types.Object]bool{}
	isND := func(id *ast.Ident) bool {
		name, ok := p.TypesInfo.Uses[id].(*types.PkgName)
		return ok && name.Imported().Path() == NDPath
	}
	for _, f := range p.Syntax {
		for _, call := range ArrayCalls(f, isND) {
			if id := nameOf(call.Function); id != nil {
				passed[p.TypesInfo.Uses[id]] = true
			}
		}
	}
	var list []*ast.FuncDecl
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && passed[p.TypesInfo.Defs[d.Name]] {
				list = append(list, d)
			}
		}
	}
	return list
}

// arrayTexts returns Go code that declares the translations of functions, or "" if there are none.
func (p *Program) arrayTexts(list []*ast.FuncDecl) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	var b strings.Builder
	var problems Error
	b.WriteString("func init() {\n")
	for _, d := range list {
		made, err := p.TranslateFunction(d)
		var more Error
		if errors.As(err, &more) {
			problems = append(problems, more...)
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\tnd.Translated(%s, %q, %s)\n", d.Name.Name, made.CName, rawString(made.CUDA))
	}
	b.WriteString("}\n\n")
	if len(problems) > 0 {
		return "", problems
	}
	return b.String(), nil
}
