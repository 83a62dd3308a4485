package magics

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

func timeitMagic() *Magic {
	return &Magic{
		Name: "timeit", Statement: true, Line: true, Cell: true, Usage: "[-n RUNS] [-r REPEATS] STATEMENT",
		Summary: "runs a statement, or the cell, many times on the CPU: median and spread of a run, allocations",
		Run:     runTimeit,
	}
}

func runTimeit(ctx context.Context, c *Call) error {
	runs, repeats, stmt, err := c.timeitOptions()
	if err != nil {
		return err
	}
	line, col := c.Line, c.Col+len(c.Args)-len(stmt)
	if c.Body != "" {
		if stmt != "" {
			return usageError("%%%%timeit times the cell below it: take %q from its line", stmt)
		}
		if err := c.onlyGo(); err != nil {
			return err
		}
		stmt, line, col = c.text(), c.Line+1, 1
	}
	if strings.TrimSpace(stmt) == "" {
		return c.usageError("nothing to time")
	}
	var compile *session.CompileError
	for _, body := range timeitForms(stmt, cellName(c.Cell), line, col) {
		text := fmt.Sprintf("import benchcell %q; benchcell.Get[func(func(int) error, int, int) error](%q)(func(benchcell_n int) error {%s}, %d, %d)",
			session.CellImport, prochost.BenchKey, body, runs, repeats)
		err = c.runHere(ctx, text)
		// Only type checking can determine how many values an expression has.
		if !errors.As(err, &compile) || !strings.Contains(err.Error(), "used as value") && !strings.Contains(err.Error(), "assignment mismatch") {
			break
		}
	}
	return err
}

// timeitOptions parses the options before the statement.
func (c *Call) timeitOptions() (runs, repeats int, stmt string, err error) {
	stmt = c.Args
	for len(stmt) > 1 && stmt[0] == '-' && 'a' <= stmt[1] && stmt[1] <= 'z' {
		option, rest, _ := strings.Cut(stmt, " ")
		value := option[2:]
		if value == "" {
			value, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
		}
		n, convErr := strconv.Atoi(value)
		switch {
		case option[1] != 'n' && option[1] != 'r' || convErr != nil && len(option) > 2:
			// It could be Go that begins with a minus, but a statement of use does not.
			return 0, 0, "", c.usageError("there is no option %s", option)
		case convErr != nil || n < 1:
			return 0, 0, "", c.usageError("-%c wants a number from 1 on, not %q", option[1], value)
		case option[1] == 'n':
			runs = n
		default:
			repeats = n
		}
		stmt = strings.TrimLeft(rest, " ")
	}
	return runs, repeats, stmt, nil
}

// timeitForms returns several ways to run a statement benchcell_n times in a func(benchcell_n int) error, one of which compiles if the
// statement does.
func timeitForms(stmt, cell string, line, col int) []string {
	placed := func(offset int, text string) string {
		return fmt.Sprintf("/*line %s:%d:%d*/%s", cell, line, col+offset, text)
	}
	list := parseStatements(stmt)
	expr, offset := "", 0
	if len(list) == 1 {
		switch s := list[0].(type) {
		case *ast.ExprStmt:
			expr = stmt
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE && len(s.Rhs) == 1 {
				// The variables are not used.
				offset = int(s.Rhs[0].Pos()) - 1 - len(statementsBegin)
				expr = stmt[offset:]
			}
		}
	}
	if strings.Contains(strings.TrimSpace(expr), "\n") {
		expr = "" // its columns are not those of a line
	}
	if expr == "" {
		return []string{fmt.Sprintf("for range benchcell_n {%s\n%s}; return nil", placed(0, stmt), useDefined(list))}
	}
	x := placed(offset, strings.TrimRight(expr, " \n"))
	return []string{
		// The value is kept; otherwise the compiler would remove an expression without effects.
		fmt.Sprintf("benchcell_v := %s; if err := benchcell.LastError(benchcell_v); err != nil { return err }; for range benchcell_n-1 { benchcell_v = %[1]s }; return benchcell.LastError(benchcell_v)", x),
		fmt.Sprintf("if err := benchcell.LastError(%s); err != nil { return err }; for range benchcell_n-1 { %[1]s }; return nil", x),
		fmt.Sprintf("for range benchcell_n { %s }; return nil", x),
	}
}

const statementsBegin = "package p;func _(){"

// parseStatements parses statements; errors in them are reported elsewhere.
func parseStatements(text string) []ast.Stmt {
	file, err := parser.ParseFile(token.NewFileSet(), "", statementsBegin+text+"\n}", parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return nil
	}
	return file.Decls[0].(*ast.FuncDecl).Body.List
}

// useDefined returns a statement that uses the variables that others define: a cell may leave them unused, a loop may not.
func useDefined(list []ast.Stmt) string {
	var b strings.Builder
	for _, s := range list {
		if s, ok := s.(*ast.AssignStmt); ok && s.Tok == token.DEFINE {
			for _, lhs := range s.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && id.Name != "_" {
					fmt.Fprintf(&b, "_ = %s;", id.Name)
				}
			}
		}
	}
	return b.String()
}
