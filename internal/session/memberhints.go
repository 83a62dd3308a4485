package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/spelling"
)

// functionsFor are Go's functions in place of methods of strings, lists and maps in other languages. X stands for the value.
var functionsFor = map[string]map[string]string{
	"string": {
		"length": "len(X)", "size": "len(X)", "len": "len(X)", "count": "strings.Count(X, …)",
		"upper": "strings.ToUpper(X)", "toupper": "strings.ToUpper(X)", "touppercase": "strings.ToUpper(X)",
		"lower": "strings.ToLower(X)", "tolower": "strings.ToLower(X)", "tolowercase": "strings.ToLower(X)",
		"split": "strings.Split(X, …)", "join": "strings.Join(…, X)", "strip": "strings.TrimSpace(X)", "trim": "strings.TrimSpace(X)",
		"replace": "strings.ReplaceAll(X, …, …)", "contains": "strings.Contains(X, …)", "includes": "strings.Contains(X, …)",
		"startswith": "strings.HasPrefix(X, …)", "hasprefix": "strings.HasPrefix(X, …)", "endswith": "strings.HasSuffix(X, …)",
		"find": "strings.Index(X, …)", "indexof": "strings.Index(X, …)", "index": "strings.Index(X, …)", "repeat": "strings.Repeat(X, …)",
		"format": "fmt.Sprintf(X, …)", "charat": "X[i]", "substring": "X[from:to]", "fields": "strings.Fields(X)",
	},
	"[]": {
		"length": "len(X)", "size": "len(X)", "len": "len(X)", "append": "X = append(X, …)", "push": "X = append(X, …)", "add": "X = append(X, …)",
		"extend": "X = append(X, other...)", "concat": "append(X, other...)", "pop": "X[len(X)-1], then X = X[:len(X)-1]", "sort": "slices.Sort(X)", "sorted": "slices.Sorted(slices.Values(X))",
		"reverse": "slices.Reverse(X)", "contains": "slices.Contains(X, …)", "includes": "slices.Contains(X, …)", "index": "slices.Index(X, …)", "indexof": "slices.Index(X, …)",
		"insert": "slices.Insert(X, i, …)", "remove": "slices.Delete(X, i, i+1)", "copy": "slices.Clone(X)", "max": "slices.Max(X)", "min": "slices.Min(X)",
		"filter": "a loop, or slices.DeleteFunc(X, …)", "foreach": "for _, x := range X { … }", "join": "strings.Join(X, …)",
	},
	"map": {
		"length": "len(X)", "size": "len(X)", "len": "len(X)", "keys": "maps.Keys(X)", "values": "maps.Values(X)", "items": "for k, v := range X { … }",
		"get": "v, ok := X[key]", "has": "_, ok := X[key]", "contains": "_, ok := X[key]", "put": "X[key] = value", "delete": "delete(X, key)", "remove": "delete(X, key)",
	},
}

// memberOf returns a hint at what Go has in place of a method that a value does not have, or "".
func memberOf(x, typ, member string) string {
	kind := strings.TrimPrefix(typ, "untyped ")
	switch {
	case x == typ: // the type itself
		return ""
	case strings.HasPrefix(kind, "[]"):
		kind = "[]"
	case strings.HasPrefix(kind, "map["):
		kind = "map"
		if functionsFor[kind][strings.ToLower(member)] == "" {
			return fmt.Sprintf("a map's elements are reached by their key: %s[%q]", x, member)
		}
	}
	if f := functionsFor[kind][strings.ToLower(member)]; f != "" {
		return "in Go that is " + strings.ReplaceAll(f, "X", x)
	}
	return ""
}

// functionsOf are Go's functions in place of those in packages with the same name in other languages.
var functionsOf = map[string]string{
	"json.dumps": "json.Marshal", "json.dump": "json.NewEncoder(w).Encode", "json.loads": "json.Unmarshal", "json.load": "json.NewDecoder(r).Decode",
	"json.stringify": "json.Marshal", "json.parse": "json.Unmarshal", "math.pow": "math.Pow", "os.getcwd": "os.Getwd", "os.listdir": "os.ReadDir", "os.system": "exec.Command",
	"time.time": "time.Now", "time.clock": "time.Now", "time.perf_counter": "time.Now", "random.randint": "rand.IntN", "rand.randint": "rand.IntN", "rand.random": "rand.Float64",
}

// maxMembers is the maximum number of fields and methods that a hint lists.
const maxMembers = 6

// ownMembers returns a hint at the fields and methods of a cell's type that does not have the selected one.
func (c *checked) ownMembers(pos token.Pos, member string) string {
	hint := ""
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos && sel.Sel.Name == member {
				hint = membersHint(c.info.TypeOf(sel.X), member)
			}
			return true
		})
	}
	return hint
}

func membersHint(t types.Type, member string) string {
	if t == nil {
		return ""
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || !fromCell(named.Obj()) {
		return ""
	}
	var names []string
	if s, ok := named.Underlying().(*types.Struct); ok {
		for f := range s.Fields() {
			names = append(names, f.Name())
		}
	}
	if i, ok := named.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			names = append(names, m.Name())
		}
	}
	for m := range named.Methods() {
		names = append(names, m.Name())
	}
	for _, name := range names {
		if strings.EqualFold(name, member) {
			return fmt.Sprintf("did you mean %s?", name)
		}
	}
	if near := spelling.Likely(member, names); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	if len(names) == 0 || len(names) > maxMembers {
		return ""
	}
	return fmt.Sprintf("%s has %s", named.Obj().Name(), strings.Join(names, ", "))
}

// isConverted reports whether the expression at pos is the operand of a conversion T(x).
func (c *checked) isConverted(pos token.Pos) bool {
	found := false
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && call.Args[0].Pos() == pos {
				found = found || c.info.Types[call.Fun].IsType()
			}
			return true
		})
	}
	return found
}

// parameterHint returns a hint for a parameter's name in the place of its type, or a func's name in the place of its result.
func (c *checked) parameterHint(pos token.Pos, name string) string {
	for _, ch := range c.chunks {
		if s, ok := ch.stmt.(*ast.ExprStmt); ok {
			if f, ok := s.X.(*ast.FuncLit); ok && f.Type.Results != nil && f.Type.Results.List[0].Type.Pos() == pos {
				return fmt.Sprintf("the name of a func stands before its parameters, that of a method after its receiver: func %s() { … }, func (x T) %[1]s() { … }", name)
			}
		}
		f, ok := ch.decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		for _, p := range f.Type.Params.List {
			if p.Type.Pos() != pos {
				continue
			}
			if len(p.Names) == 1 && types.Universe.Lookup(p.Names[0].Name) != nil {
				return fmt.Sprintf("the name of a parameter stands before its type: %s %s", name, p.Names[0].Name)
			}
			if len(p.Names) == 0 {
				return fmt.Sprintf("a parameter has a name and a type: func %s(%s int)", f.Name.Name, name)
			}
		}
	}
	return ""
}

// assignHint returns a hint why an expression can't be assigned to, or "".
func (c *checked) assignHint(e types.Error) string {
	if !strings.HasPrefix(e.Msg, "cannot assign to ") {
		return ""
	}
	hint := ""
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.IndexExpr:
				if t := c.info.TypeOf(x.X); x.Pos() == e.Pos && t != nil && types.Identical(t.Underlying(), types.Typ[types.String]) {
					hint = fmt.Sprintf("strings can't be changed: b := []byte(%s), change that, then string(b)", ch.textOf(x.X))
				}
			case *ast.Ident:
				if k, ok := c.info.Uses[x].(*types.Const); ok && x.Pos() == e.Pos && k.Pkg() != nil {
					hint = fmt.Sprintf("%s is a constant: declare it by var or := if it should change", x.Name)
				}
			}
			return true
		})
	}
	return hint
}
