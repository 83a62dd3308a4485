package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// ignorable reports whether e is an error in a package but not in a notebook. own is the scope of the
// cell's own file, and early whether names are used before they are declared.
func (c *checked) ignorable(e types.Error, own *types.Scope, early bool) bool {
	if strings.Contains(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as ") && strings.HasSuffix(e.Msg, "and not used") {
		return true
	}
	// The packages that a declaration of an earlier cell uses are nothing to this cell.
	if name, _, ok := strings.Cut(e.Msg, " already declared through "); ok && c.isHidden(name) {
		return true
	}
	if name, _, ok := strings.Cut(e.Msg, " already declared through import of "); ok {
		_, imports := own.Lookup(name).(*types.PkgName)
		return !imports
	}
	// The types of earlier cells are of this package as far as users know. Where the
	// type is of a real other package, the compiler says so.
	if strings.Contains(e.Msg, "implicit assignment to unexported field") {
		return true
	}
	// Variables are set by statements in the order of the cell, not by initialisers. But one that is set to itself
	// has no type. That it is used too early has been said if it is.
	return strings.HasPrefix(e.Msg, "initialization cycle") && (early || !c.hasNoType(e.Pos))
}

var undefined = regexp.MustCompile(`undefined: (\pL[\pL\pN_]*)$`)

// hiddenFields matches what Go 1.27 says of fields of another package, which those of an earlier cell are not.
var hiddenFields = regexp.MustCompile(`(struct literal of type \w+) \(type has unexported fields[^()]*\)`)

// jargon is what messages have that says nothing to someone who does not know Go's specification.
var jargon = regexp.MustCompile(` \((?:neither addressable nor a map index expression|missing parentheses around composite literal\?)\)`)

var inMain = regexp.MustCompile(`\bmain\.(\pL)`)

// compileError says all problems in the cell's own terms.
func (c *checked) compileError(problems []types.Error) error {
	if len(problems) == 0 {
		return nil
	}
	list := &CompileError{}
	var missing []string // names
	c.causes = map[string]types.Error{}
	for _, e := range problems {
		pos, last := c.fset.Position(e.Pos), len(list.Problems)-1
		// A continuation of the problem before it begins with a tab.
		if strings.HasPrefix(e.Msg, "\t") {
			if strings.HasPrefix(e.Msg, "\tother declaration of") && last >= 0 && pos.IsValid() {
				list.Problems[last].Hint = fmt.Sprintf("the other one is in line %d", pos.Line)
			}
			continue
		}
		p := Problem{Pos: pos, Message: c.explain(e)}
		// Who has not declared a name must hear that once.
		if m := undefined.FindStringSubmatch(e.Msg); m != nil && slices.Contains(missing, e.Msg) {
			continue
		} else if m != nil {
			missing = append(missing, e.Msg)
		}
		// Text that stands twice in what is compiled, for a magic, has a problem once.
		if _, known := c.causes[p.String()]; !known {
			c.causes[p.String()] = e
			list.Problems = append(list.Problems, p)
		}
	}
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Offset - b.Pos.Offset })
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Line - b.Pos.Line })
	return list
}

// explain adds to a message what a notebook user needs to know.
func (c *checked) explain(e types.Error) string {
	msg := strings.Replace(inMain.ReplaceAllString(e.Msg, "$1"), " in assignment to _ identifier", "", 1)
	msg = hiddenFields.ReplaceAllString(msg, "$1")
	msg = jargon.ReplaceAllString(msg, "")
	if param := c.parameterAt(e); param != "" {
		msg = inArgument.ReplaceAllString(msg, "$0"+param)
	}
	if m := undefined.FindStringSubmatch(msg); m != nil {
		msg += c.lossOf(m[1])
		if m[1] == cgoPackage {
			msg += ` (C names mean something only in a cell with import "C")`
		}
	}
	if in := c.inEarlier(e.Pos); in != "" {
		msg += in
	}
	return msg
}

var inArgument = regexp.MustCompile(`in argument to [^\s:]+`)

// parameterAt names the parameter that an unsuitable argument was meant for. The kernels
// of CUDA cells have long lists of alike parameters.
func (c *checked) parameterAt(e types.Error) string {
	if !strings.Contains(e.Msg, "in argument to ") {
		return ""
	}
	found := ""
	for _, ch := range c.chunks {
		ast.Inspect(ch.node(), func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sig, _ := c.info.TypeOf(call.Fun).(*types.Signature)
			for i, arg := range call.Args {
				if sig == nil || arg.Pos() > e.Pos || e.Pos >= arg.End() || i >= sig.Params().Len() {
					continue
				}
				if name := sig.Params().At(i).Name(); name != "" && name != "_" {
					found = " (parameter " + name + ")"
				}
			}
			return true
		})
	}
	return found
}
