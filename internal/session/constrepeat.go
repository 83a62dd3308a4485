package session

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
)

// In a group of constants, a line without a value repeats the one above. A name in it can
// mean another constant there, as X does in
//
//	const (
//		X = X + X
//		Y
//	)
//
// The text above can't be used for both lines after names are replaced in it, so the
// repetition is written out.

// repeatConstants writes repetitions out where a name means something else.
func (p *parsed) repeatConstants(c *chunk) {
	ast.Inspect(c.node(), func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			return true
		}
		declares := constNames(d)
		var above *ast.ValueSpec
		for _, spec := range d.Specs {
			spec := spec.(*ast.ValueSpec)
			switch {
			case len(spec.Values) > 0 || spec.Type != nil:
				above = spec
			case above != nil && mentions(above, declares):
				p.repeat(c, spec, above)
			}
		}
		return true
	})
}

// mentions reports whether the type or values of spec contain one of the names.
func mentions(spec *ast.ValueSpec, names []string) bool {
	found := false
	look := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && slices.Contains(names, id.Name)
		return !found
	}
	for _, x := range spec.Values {
		ast.Inspect(x, look)
	}
	if spec.Type != nil {
		ast.Inspect(spec.Type, look)
	}
	return found
}

// repeat gives spec its own copy of the type and values above it.
func (p *parsed) repeat(c *chunk, spec, above *ast.ValueSpec) {
	again := func(x ast.Expr) ast.Expr {
		pos := p.fset.Position(x.Pos())
		text := fmt.Sprintf("/*line %s:%d:%d*/%s", pos.Filename, pos.Line, pos.Column, c.textOf(x))
		fresh, err := parser.ParseExprFrom(p.fset, pos.Filename, text, parser.SkipObjectResolution)
		if err != nil {
			panic("an expression does not parse again: " + err.Error())
		}
		return fresh
	}
	for _, x := range above.Values {
		spec.Values = append(spec.Values, again(x))
	}
	if above.Type != nil {
		spec.Type = again(above.Type)
	}
	if c.repeated == nil {
		c.repeated = map[*ast.ValueSpec]bool{}
	}
	c.repeated[spec] = true
}

// repetition returns the text of the type and values that were repeated. name returns the text of an identifier; a member is one
// after a dot.
func repetition(spec *ast.ValueSpec, name func(id *ast.Ident, member bool) string) string {
	var b bytes.Buffer
	write := func(x ast.Expr) {
		members := map[*ast.Ident]bool{}
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				members[n.Sel] = true
			case *ast.Ident:
				n.Name = name(n, members[n])
			}
			return true
		})
		_ = printer.Fprint(&b, token.NewFileSet(), x) // writing to a buffer never fails
	}
	if spec.Type != nil {
		b.WriteString(" ")
		write(spec.Type)
	}
	b.WriteString(" = ")
	for i, x := range spec.Values {
		if i > 0 {
			b.WriteString(", ")
		}
		write(x)
	}
	return b.String()
}
