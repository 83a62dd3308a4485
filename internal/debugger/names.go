package debugger

import (
	"go/ast"
	"go/parser"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/funcname"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// cellPackage matches the name of a cell's package in the names of types and funcs.
var cellPackage = regexp.MustCompile("`?\\b" + funcname.CellPath + "\\d+`?\\.")

// userText returns text of the debugger with names as the user wrote them.
func userText(text string) string {
	return strings.ReplaceAll(cellPackage.ReplaceAllString(text, "main."), funcname.Prefix, "")
}

// inCell reports whether a source is a cell.
func inCell(source string) bool { return strings.HasPrefix(source, "cell[") }

// funcName returns the name of a func as the user wrote it. Delve writes the last element of its package's path before it.
// The statements of a cell are one func, which has the name of the cell.
func funcName(name, source string) string {
	if !inCell(source) {
		return name
	}
	_, name, _ = strings.Cut(name, ".")
	if name == funcname.Prefix+funcname.Prefix+"cell" {
		return source
	}
	return userText(name)
}

// delveText returns an expression in delve's form: session variables have their names in the packages of their cells, and if
// members is set, so have unexported fields. Names in locals hide variables.
func delveText(expression string, locals map[string]bool, variables []session.Symbol, members bool) (string, error) {
	x, err := parser.ParseExpr(expression)
	if err != nil {
		return "", err
	}
	type edit struct {
		at, end int
		text    string
	}
	var edits []edit
	replace := func(id *ast.Ident, text string) {
		edits = append(edits, edit{int(id.Pos()) - 1, int(id.End()) - 1, text})
	}
	selected := map[*ast.Ident]bool{}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if r, _ := utf8.DecodeRuneInString(n.Sel.Name); members && !unicode.IsUpper(r) {
				replace(n.Sel, funcname.Prefix+n.Sel.Name)
			}
		case *ast.Ident:
			i := slices.IndexFunc(variables, func(s session.Symbol) bool { return s.Name == n.Name })
			if i >= 0 && !selected[n] && !locals[n.Name] {
				replace(n, delveName(variables[i]))
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return b.at - a.at })
	for _, e := range edits {
		expression = expression[:e.at] + e.text + expression[e.end:]
	}
	return expression, nil
}

// delveName returns the name of a variable of any package in delve's form.
func delveName(s session.Symbol) string { return "`" + s.Package + "`." + s.Full }
