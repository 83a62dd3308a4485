package session

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A Listing has the parts of a program that does what the cells do. Objects that have one name in different cells have different names
// in it.
type Listing struct {
	Cells []ListedCell
	// Helpers are the functions that the text calls and that the program has to declare, by what they do: see HelperMust and the others.
	Helpers map[string]string
	*naming
	cells []*listedCell
	needs *needs
	local map[home]bool // variables that only the statements of one cell use
}

// A ListedCell is the text of one cell.
type ListedCell struct {
	Name         string // of the source
	Declarations string
	Statements   string
}

// The helpers of a listing.
const (
	HelperMust        = "must"        // returns the first of two values, or panics with the second, an error
	HelperDisplay     = "Display"     // prints a value and returns nil
	HelperCheck       = "check"       // panics with the last of its values if that is an error
	HelperShowChecked = "showChecked" // is check, and prints the values before the last
)

// displayImport is the package with the function Print, which shows the value of a cell's last expression.
const displayImport = ModulePath + "/display"

// List returns the program of the cells so far.
func (l *Lister) List() (*Listing, error) {
	g := &Listing{Helpers: map[string]string{}, cells: l.cells}
	mergeAgain(l.cells)
	g.needs = findNeeds(l.cells, l.s.program)
	if err := errors.Join(g.refuseRetyped(), g.refuseExit()); err != nil {
		return nil, err
	}
	g.findLocals()
	g.naming = newNaming(g)
	for _, c := range l.cells {
		w := &lister{Listing: g, c: c}
		cell, err := w.cell()
		if err != nil {
			return nil, err
		}
		g.Cells = append(g.Cells, cell)
	}
	return g, nil
}

// Helper returns the name of a helper, which the program then has to declare.
func (g *Listing) Helper(what string) string {
	if g.Helpers[what] == "" {
		g.Helpers[what] = what
		if what != HelperMust && what != HelperDisplay { // cells call these by their names
			g.Helpers[what] = g.Fresh(what)
		}
	}
	return g.Helpers[what]
}

// A lister writes one cell.
type lister struct {
	*Listing
	c *listedCell
}

func (w *lister) cell() (ListedCell, error) {
	var decls strings.Builder
	w.initNames() // before their texts are written
	vars, err := w.variables()
	if err != nil {
		return ListedCell{}, err
	}
	decls.WriteString(vars)
	for _, u := range w.needs.units {
		if u.cell == w.c && u.needed {
			from, to := u.ch.ownText()
			text := w.text(u.ch, max(from, u.ch.start), u.ch.start+len(u.ch.text)) + u.ch.src.Text[u.ch.start+len(u.ch.text):to]
			decls.WriteString(u.ch.keyword + text + "\n\n")
		}
	}
	statements, err := w.statements()
	return ListedCell{Name: w.c.src.Name, Declarations: decls.String(), Statements: statements}, err
}

// variables returns the declarations of the cell's variables that are not local to its statements.
func (w *lister) variables() (string, error) {
	var list []string
	var embeds strings.Builder
	for _, v := range w.c.fresh {
		h := w.c.homes[v]
		if !w.needs.homes[h] || w.local[h] {
			continue
		}
		text, err := w.typeOf(v)
		if err != nil {
			return "", problem(w.c.fset.Position(v.Pos()), "%s can't be declared in a program: %v. Give it an interface type (var %s any = …), or use it in one cell only", v.Name(), err, v.Name())
		}
		if file := w.c.files[v.Name()]; file != "" {
			fmt.Fprintf(&embeds, "//go:embed %s\nvar %s %s\n\n", file, w.name(h), text)
			w.blank["embed"] = true
			continue
		}
		list = append(list, w.name(h)+" "+text)
	}
	switch {
	case len(list) == 1:
		return embeds.String() + "var " + list[0] + "\n\n", nil
	case len(list) > 1:
		return embeds.String() + "var (\n" + strings.Join(list, "\n") + "\n)\n\n", nil
	}
	return embeds.String(), nil
}

// typeOf returns the text of a variable's type, as the cell has written it if it has.
func (w *lister) typeOf(v *types.Var) (string, error) {
	for _, ch := range w.c.chunks {
		for _, a := range assignmentsOf(ch) {
			if a.spec.Type != nil && slices.ContainsFunc(a.spec.Names, func(id *ast.Ident) bool { return w.c.info.Defs[id] == v }) {
				return w.text(ch, ch.offset(a.spec.Type.Pos()), ch.offset(a.spec.Type.End())), nil
			}
		}
	}
	return typeText(v.Type(), typeNames{w})
}

// refuseRetyped returns an error if a type is compiled again while variables may hold values of the earlier one in interfaces: a session
// changes their type, a program can't.
func (g *Listing) refuseRetyped() error {
	for i, c := range g.cells {
		for _, name := range slices.Sorted(maps.Keys(c.newTypes())) {
			was, ok := c.base.names[name].obj.(*types.TypeName)
			is := c.pkg.Scope().Lookup(name)
			if !ok || is == nil || !hasValues(was) || c.homes[was] == c.homes[is] || !g.needs.homes[c.homes[was]] || !g.needs.homes[c.homes[is]] {
				continue
			}
			for _, other := range slices.Sorted(maps.Keys(c.base.names)) {
				v, ok := c.base.names[other].obj.(*types.Var)
				if !ok || c.moved[other] != nil || !g.needs.usedFrom(c.homes[v], i) || !mayHold(v.Type(), was.Type(), map[types.Type]bool{}) {
					continue
				}
				return problem(c.fset.Position(c.chunks[0].node().Pos()),
					"type %s is declared again, and %s of %s may hold a value of the earlier one, whose type a program can't change as a session does: declare %[1]s with all its methods in one cell",
					name, other, c.base.names[other].cell)
			}
		}
	}
	return nil
}

// refuseExit returns an error if a cell calls os.Exit(0) and others follow: that ends a cell without an error, and a program as a whole.
func (g *Listing) refuseExit() error {
	for i, c := range g.cells {
		var found ast.Node
		look := func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if status := c.info.Types[call.Args[0]].Value; ok && c.exits(sel) && sel.Sel.Name == "Exit" && status != nil && constant.Sign(status) == 0 {
				found = n
			}
			return true
		}
		for _, ch := range c.chunks {
			ast.Inspect(ch.node(), look)
		}
		if found != nil && i < len(g.cells)-1 {
			return problem(c.fset.Position(found.Pos()), "os.Exit(0) would end the program, and here it ends only the cell: use return in a function, or if")
		}
	}
	return nil
}

// mayHold reports whether a value of type t may have an interface in it that can hold an x.
func mayHold(t, x types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return types.Implements(x, u) || types.Implements(types.NewPointer(x), u)
	case *types.Map:
		return mayHold(u.Key(), x, seen) || mayHold(u.Elem(), x, seen)
	case *types.Struct:
		for f := range u.Fields() {
			if fromCell(f) && mayHold(f.Type(), x, seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }:
		return mayHold(u.Elem(), x, seen)
	}
	return false
}

// ownText returns the offsets in the cell of a chunk without a comment that belongs to what is before it on its line, and with the
// comment behind it.
func (c *chunk) ownText() (from, to int) {
	from, to = c.start, c.start+len(c.text)
	text := c.src.Text
	line := text[strings.LastIndexByte(text[:from], '\n')+1 : from]
	if strings.TrimSpace(line) != "" && strings.HasPrefix(text[from:], "//") {
		end := strings.IndexByte(text[from:], '\n')
		if end < 0 || from+end > to {
			return from, to
		}
		from += end + 1
	}
	rest, _, _ := strings.Cut(text[to:], "\n")
	if comment := strings.TrimLeft(rest, " \t;"); strings.HasPrefix(comment, "//") {
		to += len(rest)
	}
	return from, to
}

// objectOf returns what an identifier denotes, or nil.
func (c *listedCell) objectOf(id *ast.Ident) types.Object {
	if obj := c.info.Uses[id]; obj != nil {
		return obj
	}
	return c.info.Defs[id]
}
