package session

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// ignorable reports whether e is an error in a package but not in a notebook. own is the scope of the cell's own file, and
// early whether names are used before they are declared.
func (c *checked) ignorable(e types.Error, own *types.Scope, early bool) bool {
	if strings.Contains(e.Msg, "imported and not used") || strings.Contains(e.Msg, "imported as ") && strings.HasSuffix(e.Msg, "and not used") {
		return true
	}
	// The imports of an earlier cell's declaration do not conflict with this cell's names.
	if name, _, ok := strings.Cut(e.Msg, " already declared through "); ok && c.isHidden(name) {
		return true
	}
	if name, _, ok := strings.Cut(e.Msg, " already declared through import of "); ok {
		_, imports := own.Lookup(name).(*types.PkgName)
		return !imports
	}
	// For users, types of earlier cells are of this package. For a type of another package the compiler reports it.
	if strings.Contains(e.Msg, "implicit assignment to unexported field") {
		return true
	}
	// Variables are set by statements in the order of the cell, not by initializers. But a variable that is set to itself
	// has no type. Uses before the declaration were reported already.
	return strings.HasPrefix(e.Msg, "initialization cycle") && (early || !c.hasNoType(e.Pos))
}

var undefined = regexp.MustCompile(`undefined: (\pL[\pL\pN_]*)$`)

// hiddenFields matches Go 1.27's note about fields of another package. Those of an earlier cell are accessible.
var hiddenFields = regexp.MustCompile(`(struct literal of type \w+) \(type has unexported fields[^()]*\)`)

// jargon matches parts of messages that need knowledge of Go's specification.
var jargon = regexp.MustCompile(` \((?:neither addressable nor a map index expression|missing parentheses around composite literal\?)\)`)

var inMain = regexp.MustCompile(`\bmain\.(\pL)`)

// compileError returns all problems with the names and positions of the cell, or nil if there are none.
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
		// An undeclared name is reported once.
		if m := undefined.FindStringSubmatch(e.Msg); m != nil && slices.Contains(missing, e.Msg) {
			continue
		} else if m != nil {
			missing = append(missing, e.Msg)
		}
		// Text that a magic compiles twice has each problem once.
		if _, known := c.causes[p.String()]; !known {
			c.causes[p.String()] = e
			list.Problems = append(list.Problems, p)
		}
	}
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Offset - b.Pos.Offset })
	slices.SortStableFunc(list.Problems, func(a, b Problem) int { return a.Pos.Line - b.Pos.Line })
	return list
}

// explain returns the message of a problem without internal names, and with additions for users of notebooks.
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

// parameterAt returns the name of the parameter that an unsuitable argument was passed for, or "". The kernels of CUDA cells
// have long lists of similar parameters.
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
