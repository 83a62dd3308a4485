package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// functionsFor are what Go has where other languages have methods of texts and lists. X stands for the value.
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

// memberOf says what Go has for a method that a value of a type has not.
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

// assignHint says why something can't be set.
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
