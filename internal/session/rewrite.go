package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An edit replaces the bytes from..to of a text. It inserts if they are equal.
type edit struct {
	from, to int
	text     string
}

// An editList collects the edits of a text. Insertions at the same offset stay in their order.
type editList []edit

func (l *editList) insert(at int, text string) { l.replace(at, at, text) }

func (l *editList) replace(from, to int, text string) { *l = append(*l, edit{from, to, text}) }

// apply returns the bytes from..to of text with the edits that lie within. It fails if two of these overlap.
func (l editList) apply(text string, from, to int) (string, error) {
	within := slices.DeleteFunc(slices.Clone(l), func(ed edit) bool { return ed.from < from || ed.to > to })
	slices.SortStableFunc(within, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := from
	for _, ed := range within {
		if ed.from < at {
			return "", fmt.Errorf("replace %q by %q: an edit before it overlaps", text[ed.from:ed.to], ed.text)
		}
		b.WriteString(text[at:ed.from])
		b.WriteString(ed.text)
		at = ed.to
	}
	return b.String() + text[at:to], nil
}

// A rewriter makes the emitted text of a chunk, or of an expression in it: names that denote objects of cells are replaced,
// and loops and goroutines call package cell.
type rewriter struct {
	*emitter
	ch       *chunk
	from, to int // offsets of the range that is rewritten
	edits    editList
	members  map[*ast.Ident]bool // identifiers after a dot
}

// rewrite returns the emitted text of the range between two offsets of a chunk.
func (e *emitter) rewrite(ch *chunk, from, to int) string {
	r := &rewriter{emitter: e, ch: ch, from: from, to: to, members: map[*ast.Ident]bool{}}
	ast.Inspect(ch.node(), r.visit)
	text, err := r.edits.apply(ch.src.Text, from, to)
	if err != nil && e.err == nil {
		e.err = err
	}
	return text
}

// visit adds the edits for a node. It reports whether the nodes below it need edits too.
func (r *rewriter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return r.selector(n)
	case *ast.GoStmt:
		return r.goStmt(n)
	case *ast.ValueSpec:
		return r.valueSpec(n)
	case *ast.Ident:
		r.ident(n)
	case *ast.StructType:
		r.structType(n)
	case *ast.AssignStmt:
		r.assignStmt(n)
	case *ast.CallExpr:
		r.call(n)
	case *ast.FuncDecl:
		if r.mayRecur(n) {
			r.begin(n.Body, "Nested();")
		}
	case *ast.ForStmt:
		r.loop(n, n.Body)
	case *ast.RangeStmt:
		r.loop(n, n.Body)
	}
	return true
}

// contains reports whether a node is in the range that is rewritten. Other nodes must not add imports.
func (r *rewriter) contains(n ast.Node) bool {
	return r.from <= r.ch.offset(n.Pos()) && r.ch.offset(n.End()) <= r.to
}

// around inserts text before and after a node.
func (r *rewriter) around(n ast.Node, before, after string) {
	r.edits.insert(r.ch.offset(n.Pos()), before)
	r.edits.insert(r.ch.offset(n.End()), after)
}

// begin inserts a call of a function of package cell at the beginning of a block.
func (r *rewriter) begin(b *ast.BlockStmt, call string) {
	r.edits.insert(r.ch.offset(b.Lbrace+1), r.alias(CellImport)+"."+call)
}

func (r *rewriter) selector(n *ast.SelectorExpr) bool {
	if r.isC(n) {
		return false // the cgo tool translates it
	}
	r.members[n.Sel] = true
	if r.exits(n) && r.contains(n) {
		r.edits.replace(r.ch.offset(n.Pos()), r.ch.offset(n.End()), r.alias(exitImport)+"."+n.Sel.Name)
		return false // the original package is not needed
	}
	if r.logger(n) && r.contains(n.X) {
		r.around(n.X, r.alias(exitImport)+".ExitLogger(", ")")
	}
	return true
}

func (r *rewriter) goStmt(n *ast.GoStmt) bool {
	if f, ok := n.Call.Fun.(*ast.FuncLit); ok {
		r.edits.insert(r.ch.offset(f.Body.Lbrace+1), "defer "+r.alias(CellImport)+".Guard();")
		return true
	}
	if !r.contains(n) {
		return true
	}
	text, ok := r.guarded(r.ch, n)
	if ok {
		r.edits.replace(r.ch.offset(n.Pos()), r.ch.offset(n.End()), text)
	}
	return !ok
}

// valueSpec writes out a constant that repeats the line above, if a name means something else there.
func (r *rewriter) valueSpec(n *ast.ValueSpec) bool {
	if !r.ch.repeated[n] {
		return true
	}
	for _, id := range n.Names {
		r.ident(id)
	}
	last := n.Names[len(n.Names)-1]
	text := repetition(n, func(id *ast.Ident, member bool) string {
		if text, ok := r.rename(id, member); ok {
			return text
		}
		return id.Name
	})
	r.edits.insert(r.ch.offset(last.Pos())+len(r.ch.writtenName(last)), text)
	return false
}

func (r *rewriter) ident(id *ast.Ident) {
	at := r.ch.offset(id.Pos())
	if at < r.from || at >= r.to {
		return // its package would be imported without need
	}
	text, renamed := r.rename(id, r.members[id])
	if !renamed {
		text = id.Name
	}
	if written := r.ch.writtenName(id); text != written {
		r.edits.replace(at, at+len(written), text)
	}
}

func (r *rewriter) structType(n *ast.StructType) {
	for _, id := range r.embeddedPredeclared(n) {
		r.edits.insert(r.ch.offset(id.Pos()), r.embedded(""))
	}
}

// assignStmt replaces := at top level by =, as the variables are declared at package level.
func (r *rewriter) assignStmt(n *ast.AssignStmt) {
	if n == r.ch.stmt && n.Tok == token.DEFINE {
		at := r.ch.offset(n.TokPos)
		r.edits.replace(at, at+len(":="), "=")
	}
}

func (r *rewriter) call(n *ast.CallExpr) {
	if arg := r.started(n); arg != nil {
		r.around(arg, r.alias(CellImport)+".Guarded(", ")")
	}
}

func (r *rewriter) loop(n ast.Node, body *ast.BlockStmt) {
	if !r.runsBriefly(n, body) {
		r.begin(body, "Poll();")
	}
}

// rename returns the emitted text for an identifier that denotes a package, or an object declared in a cell or a package. A
// member is an identifier after a dot.
func (e *emitter) rename(id *ast.Ident, member bool) (string, bool) {
	obj := e.info.Uses[id]
	if obj == nil {
		obj = e.info.Defs[id]
	}
	if obj == nil || id.Name == "_" {
		return "", false
	}
	if h, ok := e.homes[obj]; ok {
		return e.qualified(h), true
	}
	if pkg, ok := obj.(*types.PkgName); ok {
		return e.alias(pkg.Imported().Path()), true
	}
	if !fromCell(obj) {
		if pkg := obj.Pkg(); pkg != nil && obj.Parent() == pkg.Scope() && !member { // from a dot import
			return e.alias(pkg.Path()) + "." + id.Name, true
		}
		return "", false
	}
	switch obj := obj.(type) {
	case *types.Var:
		if obj.IsField() && !embedsLocal(obj) {
			return exported(id.Name), true
		}
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return exported(id.Name), true
		}
		if id.Name == "init" {
			e.inits++
			return initName(e.inits - 1), true
		}
	}
	return "", false
}
