package session

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// exits reports whether sel is a function that ends the program. Package exit has a function of the same name that ends the cell.
func (e *emitter) exits(sel *ast.SelectorExpr) bool {
	f, ok := e.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return false
	}
	switch f.FullName() {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln":
		return true
	}
	return false
}

// logger reports whether sel is a method of a *log.Logger that ends the program.
func (e *emitter) logger(sel *ast.SelectorExpr) bool {
	f, ok := e.info.Uses[sel.Sel].(*types.Func)
	if !ok || !strings.HasPrefix(f.FullName(), "(*log.Logger).Fatal") {
		return false
	}
	return types.TypeString(e.info.TypeOf(sel.X), nil) == "*log.Logger"
}

// mayRecur reports whether f is a method that formats values and calls other functions, perhaps itself.
func (e *emitter) mayRecur(f *ast.FuncDecl) bool {
	if f.Recv == nil || f.Body == nil || !slices.Contains([]string{"String", "Error", "GoString", "Format"}, f.Name.Name) {
		return false
	}
	calls := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			tv := e.info.Types[call.Fun]
			calls = calls || !tv.IsType() && !tv.IsBuiltin()
		}
		return !calls
	})
	return calls
}

func initName(i int) string { return fmt.Sprintf("%sinit%d", prefix+prefix, i) }

// runsBriefly reports whether a loop needs no poll because it is an innermost counting loop without calls: CPU baselines
// consist of such loops, and the loops around them poll.
func (e *emitter) runsBriefly(loop ast.Node, body *ast.BlockStmt) bool {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		if loop.Cond == nil || loop.Post == nil {
			return false
		}
	case *ast.RangeStmt:
		switch e.info.TypeOf(loop.X).Underlying().(type) {
		case *types.Chan, *types.Signature:
			return false
		}
	}
	brief := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SelectStmt, *ast.SendStmt, *ast.GoStmt, *ast.FuncLit:
			brief = false
		case *ast.BranchStmt:
			brief = brief && n.Tok != token.GOTO
		case *ast.UnaryExpr:
			brief = brief && n.Op != token.ARROW
		case *ast.CallExpr:
			tv := e.info.Types[n.Fun]
			brief = brief && (tv.IsType() || tv.IsBuiltin())
		}
		return brief
	})
	return brief
}
