package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// findLocals finds the variables that only the statements of one cell use. They are declared there, as in the cell.
func (g *Listing) findLocals() {
	g.local = map[home]bool{}
	for _, c := range g.cells {
		for _, v := range c.fresh {
			if h := c.homes[v]; g.mayBeLocal(c, v, h) {
				g.local[h] = true
			}
		}
		for g.dropGroups(c) {
		}
	}
}

// mayBeLocal reports whether nothing but the cell's statements uses v, which is at h.
func (g *Listing) mayBeLocal(c *listedCell, v *types.Var, h home) bool {
	if c.moved[v.Name()] != nil || c.files[v.Name()] != "" || len(g.needs.uses[h]) != 1 || len(c.aparts) > 0 {
		return false
	}
	if use := g.needs.uses[h][c]; use == nil || use.inDecls || !use.read {
		return false
	}
	alone := true
	for _, ch := range c.bodyChunks() {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BranchStmt:
				alone = alone && n.Tok != token.GOTO
			case *ast.Ident:
				obj := c.objectOf(n)
				_, isPackage := obj.(*types.PkgName)
				other, known := c.homes[obj]
				alone = alone && (n.Name != v.Name() || !isPackage) && (!known || other == h || other.base() != h.base())
			}
			return alone
		})
	}
	return alone
}

// dropGroups removes variables that are set together with one that is not local, and those that Go sets in another order than they are
// written. It reports whether there were any.
func (g *Listing) dropGroups(c *listedCell) bool {
	dropped := false
	drop := func(names []*ast.Ident) {
		for _, id := range names {
			if h, ok := c.homes[c.objectOf(id)]; ok && g.local[h] {
				delete(g.local, h)
				dropped = true
			}
		}
	}
	var run []assignment
	endRun := func() {
		valued := slices.DeleteFunc(slices.Clone(run), func(a assignment) bool { return len(a.spec.Values) == 0 })
		order := slices.DeleteFunc(c.initOrder(run), func(a assignment) bool { return len(a.spec.Values) == 0 })
		for i, a := range run {
			if !slices.Equal(valued, order) || c.mentionsItself(a.spec) {
				drop(run[i].spec.Names)
			}
		}
		run = nil
	}
	for _, ch := range c.chunks {
		if ch.stmt != nil {
			endRun()
		}
		run = append(run, assignmentsOf(ch)...)
		var names []*ast.Ident
		for _, d := range ch.definitions() {
			names = append(names, d.names...)
		}
		if slices.ContainsFunc(names, func(id *ast.Ident) bool { return id.Name != "_" && !g.local[c.homes[c.objectOf(id)]] }) {
			drop(names)
		}
	}
	endRun()
	return dropped
}

// mentionsItself reports whether the values of a variable mention it, as func literals at package level can.
func (c *listedCell) mentionsItself(spec *ast.ValueSpec) bool {
	for _, x := range spec.Values {
		mentioned := c.homesIn(x)
		for _, id := range spec.Names {
			if obj := c.objectOf(id); obj != nil && mentioned[c.homes[obj]] {
				return true
			}
		}
	}
	return false
}
