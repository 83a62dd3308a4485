package magics

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// arrayFunctions translates the functions that a part of a cell passes to nd.Map and the like, and returns the part's text in which they
// are declared as translated.
func (e *Engine) arrayFunctions(ctx context.Context, cell kernel.Cell, text string, out kernel.Output) (string, error) {
	outline, err := e.session.Outline(ctx, session.Source{Name: cellName(cell), Text: text}, out)
	if err != nil {
		return text, nil // the session reports it, with hints
	}
	a := &arrayLoader{kernelLoader: newKernelLoader(outline), vars: map[string]bool{}}
	for _, p := range outline.Text {
		a.part(p)
	}
	if len(a.problems) > 0 {
		return "", kernelError(a.problems)
	}
	if len(a.found) == 0 {
		return text, nil
	}
	program, err := a.load()
	if err != nil {
		return "", kernelError(err)
	}
	program.CUDA = e.cudaFinder(ctx, cell, out)
	edited := newEditing(text, a.fset)
	for _, f := range a.found {
		made, err := program.TranslateFunction(declared(program, f.name))
		if err != nil {
			return "", kernelError(err)
		}
		before, after := made.Call(f.call.Package)
		at, end := f.call.Function.Pos(), f.call.Function.End()
		edited.add(gokernel.Edit{Pos: at, End: at, Text: before})
		edited.add(gokernel.Edit{Pos: end, End: end, Text: after})
	}
	return edited.text(), nil
}

// An arrayLoader collects the functions that a cell passes to package nd, and all that they mention.
type arrayLoader struct {
	*kernelLoader
	found    []arrayFunction
	vars     map[string]bool // that the cell declares
	problems gokernel.Error
}

// An arrayFunction is a function that is passed to package nd.
type arrayFunction struct {
	call gokernel.ArrayCall
	name string // of the declaration
	decl *session.Declaration
}

// refuse records why a function cannot be translated.
func (a *arrayLoader) refuse(at ast.Node, format string, args ...any) {
	a.problems = append(a.problems, gokernel.Problem{Pos: a.fset.Position(at.Pos()), Message: fmt.Sprintf(format, args...)})
}

// part finds the calls in a declaration or statement.
func (a *arrayLoader) part(p session.Part) {
	line := fmt.Sprintf("/*line %s:%d:%d*/", p.Pos.Filename, p.Pos.Line, max(p.Pos.Column, 1))
	before := "package main;" + line
	f, err := parser.ParseFile(a.fset, "", before+p.Text, 0)
	if err != nil {
		before = "package main;func _(){" + line
		if f, err = parser.ParseFile(a.fset, "", before+p.Text+"\n}", 0); err != nil {
			return // the session has parsed it
		}
		a.declares(f)
	}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			a.variables(g)
		}
	}
	isND := func(id *ast.Ident) bool { return id.Obj == nil && a.path(p, id.Name, f) == gokernel.NDPath }
	for _, call := range gokernel.ArrayCalls(f, isND) {
		a.function(p, f, call, len(before))
	}
}

// declares records the variables that a statement declares.
func (a *arrayLoader) declares(f *ast.File) {
	for _, s := range f.Decls[0].(*ast.FuncDecl).Body.List {
		if s, ok := s.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
			for _, x := range s.Lhs {
				if id, ok := x.(*ast.Ident); ok {
					a.vars[id.Name] = true
				}
			}
		}
	}
}

func (a *arrayLoader) variables(g *ast.GenDecl) {
	for _, s := range g.Specs {
		for _, id := range s.(*ast.ValueSpec).Names {
			a.vars[id.Name] = true
		}
	}
}

// function adds the function of a call. The part's text is in the file behind that many bytes.
func (a *arrayLoader) function(p session.Part, f *ast.File, call gokernel.ArrayCall, before int) {
	switch fun := ast.Unparen(call.Function).(type) {
	case *ast.FuncLit:
		if !a.captures(f, call, fun) {
			a.literal(p, call, fun, before)
		}
		return
	case *ast.Ident:
		known := a.byName[fun.Name]
		if known != nil && (fun.Obj == nil || fun.Obj.Kind == ast.Fun) && !a.vars[fun.Name] && isFunction(known) {
			a.found = append(a.found, arrayFunction{call, fun.Name, known})
			return
		}
	case *ast.SelectorExpr:
		a.refuse(fun, "nd.%s translates functions of the notebook: pass a function literal that calls %s", call.Name, types.ExprString(fun))
		return
	}
	a.refuse(call.Function, "nd.%s translates the function for the device, so it must be a function literal, or the name of a function: a variable may have any", call.Name)
}

// isFunction reports whether a declaration is a function.
func isFunction(d *session.Declaration) bool {
	f := funcOf(d.Parts[0])
	return f != nil && f.Recv == nil
}

// captures reports whether a function literal uses names that are declared around it, and records the problem.
func (a *arrayLoader) captures(f *ast.File, call gokernel.ArrayCall, lit *ast.FuncLit) bool {
	found := false
	fields := map[*ast.Ident]bool{} // which the parser may take for variables
	ast.Inspect(lit, func(n ast.Node) bool {
		if kv, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				fields[key] = true
			}
		}
		id, ok := n.(*ast.Ident)
		if !ok || found || fields[id] || id.Obj == nil || id.Obj.Pos() >= lit.Pos() && id.Obj.Pos() < lit.End() || f.Scope.Lookup(id.Name) == id.Obj && id.Obj.Kind != ast.Var {
			return true
		}
		found = true
		if id.Obj.Kind == ast.Var {
			a.refuse(id, "%s", captured(id.Name, call.Name))
		} else {
			a.refuse(id, "a function for nd.%s cannot use %s, which is declared in a function: declare it outside", call.Name, id.Name)
		}
		return true
	})
	return found
}

// captured returns what to do about a variable that a function uses.
func captured(name, function string) string {
	remedy := fmt.Sprintf("make it an argument, with nd.Scalar(%s) as one more array of nd.Map2 or nd.Map3", name)
	if function == "Reduce" || function == "Accumulate" {
		remedy = "make it a constant"
	}
	return fmt.Sprintf("a function for nd.%s cannot use the variable %s of the host: %s", function, name, remedy)
}

// literal adds a function literal as a declaration, at its position.
func (a *arrayLoader) literal(p session.Part, call gokernel.ArrayCall, lit *ast.FuncLit, before int) {
	name := ""
	for i := 1; name == ""; i++ {
		if made := fmt.Sprintf("function%d", i); a.byName[made] == nil {
			name = made
		}
	}
	from := lit.Type.Params.Pos()
	at, file := a.fset.Position(from), a.fset.File(from)
	text := p.Text[file.Offset(from)-before : file.Offset(lit.End())-before]
	d := &session.Declaration{Names: []string{name}, Parts: []session.Part{{
		Text:    fmt.Sprintf("func %s/*line %s:%d:%d*/%s", name, at.Filename, at.Line, at.Column, text),
		Imports: p.Imports, Dots: p.Dots, Pos: p.Pos,
	}}}
	a.byName[name] = d
	a.found = append(a.found, arrayFunction{call, name, d})
}

// load checks the functions and all that they mention.
func (a *arrayLoader) load() (*gokernel.Program, error) {
	for name := range a.vars {
		delete(a.byName, name)
	}
	for _, f := range a.found {
		if err := a.add(f.decl); err != nil {
			return nil, err
		}
	}
	program, err := a.program()
	var list gokernel.Error
	if !errors.As(err, &list) {
		return program, err
	}
	for i, p := range list {
		if m := undefinedName.FindStringSubmatch(p.Message); m != nil {
			list[i].Message = a.why(m[1])
		}
	}
	return nil, list
}

// why returns why a function cannot use a name.
func (a *arrayLoader) why(name string) string {
	if a.vars[name] || a.isVariable(name) {
		return captured(name, a.found[0].call.Name)
	}
	return "undefined: " + name + " in a function for package nd, which knows functions, types and constants"
}

// declared returns the function of that name.
func declared(p *gokernel.Program, name string) *ast.FuncDecl {
	for _, f := range p.Files {
		i := slices.IndexFunc(f.Decls, func(d ast.Decl) bool {
			fun, ok := d.(*ast.FuncDecl)
			return ok && fun.Recv == nil && fun.Name.Name == name
		})
		if i >= 0 {
			return f.Decls[i].(*ast.FuncDecl)
		}
	}
	panic("the function " + name + " is not among those that were loaded")
}

// withoutTranslations returns a declaration as the user wrote it, without the translations of the functions in it.
func withoutTranslations(text string) string {
	const before = "package main;"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", before+text, parser.SkipObjectResolution)
	if err != nil || !strings.Contains(text, ".Translated(") {
		return text
	}
	var b strings.Builder
	at := 0
	offset := func(p token.Pos) int { return fset.File(p).Offset(p) - len(before) }
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Translated" {
			b.WriteString(text[at:offset(call.Pos())] + text[offset(call.Args[0].Pos()):offset(call.Args[0].End())])
			at = offset(call.End())
			return false
		}
		return true
	})
	return b.String() + text[at:]
}
