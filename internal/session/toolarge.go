package session

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// The type checkers of go/types and the compiler visit a type once for each use in other types: type t1 struct{ a, b t0 }, type
// t2 struct{ a, b t1 } and so on take twice as long with each type. Constant strings can double in the same way. Such a check
// can't be stopped, so a check that would take more than some seconds, or more memory than a session has, is not started.

const (
	// maxVisits is the maximum number of visits of types, times their depth. A visit takes about 20 ns per level.
	maxVisits = 200e6
	// maxConstant is the maximum total length of constant strings in concatenations, in bytes.
	maxConstant = 64 << 20
)

// A weight is the cost of visiting a type.
type weight struct {
	visits float64 // number of visits of named types
	levels float64 // the sum of their depths
}

// add adds the weight of a part.
func (w *weight) add(part weight) {
	w.visits += part.visits
	w.levels += part.levels
}

// below returns the weight of a named type whose declaration has the weight w.
func (w weight) below() weight { return weight{1 + w.visits, 1 + w.visits + w.levels} }

// A scale computes the weights of the files to check. It resolves names at the top level only.
type scale struct {
	base     *program
	types    map[string]*ast.TypeSpec
	weights  map[string]weight // weights of types; zero while they are computed
	earlier  map[types.Type]weight
	consts   map[string]ast.Expr
	lengths  map[string]float64 // lengths of constant strings
	measured float64            // the sum of all measured lengths
}

// tooLarge returns a problem if the files would take too long or too much memory to check.
func (c *checked) tooLarge(files []*ast.File) []types.Error {
	s := scale{
		base: c.base, types: map[string]*ast.TypeSpec{}, weights: map[string]weight{}, earlier: map[types.Type]weight{},
		consts: map[string]ast.Expr{}, lengths: map[string]float64{},
	}
	for _, f := range files {
		ast.Inspect(f, s.collect)
	}
	total := 0.0
	for name, spec := range s.types {
		if total += s.named(name).levels; total > maxVisits {
			return []types.Error{{Fset: c.fset, Pos: spec.Pos(), Msg: name + " and the types around it are part of each other so many times that Go could not check them in reasonable time: have pointers or slices in between"}}
		}
	}
	var problems []types.Error
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.BinaryExpr); ok && len(problems) == 0 {
				if s.measured += s.length(x); s.measured > maxConstant {
					problems = []types.Error{{Fset: c.fset, Pos: x.Pos(), Msg: "this makes constant strings longer than " + strconv.Itoa(maxConstant>>20) + " MiB: make a variable with strings.Repeat"}}
				}
				return false
			}
			return len(problems) == 0
		})
	}
	return problems
}

// collect records the declarations in a node.
func (s *scale) collect(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.TypeSpec:
		s.types[n.Name.Name] = n
	case *ast.GenDecl:
		if n.Tok != token.CONST {
			return true
		}
		for _, spec := range n.Specs {
			v := spec.(*ast.ValueSpec)
			for i, id := range v.Names {
				if i < len(v.Values) {
					s.consts[id.Name] = v.Values[i]
				}
			}
		}
	}
	return true
}

// named returns the weight of the type with that name.
func (s *scale) named(name string) weight {
	if w, ok := s.weights[name]; ok {
		return w
	}
	if spec := s.types[name]; spec != nil {
		s.weights[name] = weight{} // a type that is part of itself is an error, which the check reports
		s.weights[name] = s.expr(spec.Type).below()
		return s.weights[name]
	}
	if e := s.base.names[name]; e != nil {
		if obj, ok := e.obj.(*types.TypeName); ok {
			return s.typ(obj.Type())
		}
	}
	return weight{1, 1}
}

// expr returns the weight of a type expression.
func (s *scale) expr(x ast.Expr) (w weight) {
	switch x := x.(type) {
	case *ast.Ident:
		return s.named(x.Name)
	case *ast.ParenExpr:
		return s.expr(x.X)
	case *ast.UnaryExpr: // ~T
		return s.expr(x.X)
	case *ast.BinaryExpr: // a union
		w = s.expr(x.X)
		w.add(s.expr(x.Y))
	case *ast.ArrayType:
		if x.Len != nil {
			return s.expr(x.Elt)
		}
	case *ast.StructType:
		for _, f := range x.Fields.List {
			part := s.expr(f.Type)
			for range max(1, len(f.Names)) {
				w.add(part)
			}
		}
	case *ast.InterfaceType:
		for _, f := range x.Methods.List {
			if len(f.Names) == 0 {
				w.add(s.expr(f.Type))
			}
		}
	case *ast.IndexExpr:
		return s.instance(x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return s.instance(x.X, x.Indices)
	}
	return w
}

// instance returns an upper bound of the weight of an instance of a generic type, in which each type may be an argument.
func (s *scale) instance(generic ast.Expr, args []ast.Expr) weight {
	w, all := s.expr(generic), weight{}
	for _, a := range args {
		all.add(s.expr(a))
	}
	w.levels += w.visits * all.levels
	w.visits += w.visits * all.visits
	return w
}

// typ returns the weight of a type of an earlier cell.
func (s *scale) typ(t types.Type) (w weight) {
	t = types.Unalias(t)
	if w, ok := s.earlier[t]; ok {
		return w
	}
	switch t := t.(type) {
	case *types.Named:
		if !fromCell(t.Obj()) {
			return weight{1, 1}
		}
		s.earlier[t] = weight{}
		w = s.typ(t.Underlying()).below()
	case *types.Array:
		w = s.typ(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			w.add(s.typ(f.Type()))
		}
	}
	s.earlier[t] = w
	return w
}

// length returns the maximum length of a constant string in bytes, and 0 for other expressions.
func (s *scale) length(x ast.Expr) float64 {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			return float64(len(x.Value))
		}
	case *ast.ParenExpr:
		return s.length(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.ADD {
			return s.length(x.X) + s.length(x.Y)
		}
	case *ast.CallExpr: // a conversion
		if len(x.Args) == 1 {
			return s.length(x.Args[0])
		}
	case *ast.Ident:
		return s.constant(x.Name)
	}
	return 0
}

func (s *scale) constant(name string) float64 {
	if n, ok := s.lengths[name]; ok {
		return n
	}
	if value := s.consts[name]; value != nil {
		s.lengths[name] = 0
		s.lengths[name] = s.length(value)
	} else if e := s.base.names[name]; e != nil {
		if obj, ok := e.obj.(*types.Const); ok && obj.Val().Kind() == constant.String {
			s.lengths[name] = float64(len(constant.StringVal(obj.Val())))
		}
	}
	return s.lengths[name]
}
