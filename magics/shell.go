package magics

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func shellMagic() *Magic {
	return &Magic{
		Name: "!", Bare: true, Usage: "COMMAND",
		Summary: "runs a line by bash in the session's folder; !*COMMAND in the folder of the session's go.mod",
		Run: func(ctx context.Context, c *Call) error {
			line, inModule := strings.CutPrefix(c.Args, "*")
			if strings.TrimSpace(line) == "" {
				return c.usageError("no command")
			}
			p := program{argv: []string{"bash", "-c", line}, name: strings.Fields(line)[0], inputs: c.takeInputs()}
			if !inModule {
				return c.runProgram(ctx, p)
			}
			p.dir = c.session.ModuleDir()
			err := c.runProgram(ctx, p)
			if failed := new(kernel.CellError); errors.As(err, &failed) && buildsCells(p.dir, line) {
				failed.Value += ". " + noFiles
			}
			return err
		},
	}
}

// noFiles says why a program of cells can't be built as GoNB's notebooks do.
const noFiles = "Cells are compiled one by one and are no files there: %goflags -gcflags=-m shows what is inlined and what escapes, and %%writefile makes files of a program"

// buildsCells reports whether a command of the go program is about the package of a directory that has no Go files.
func buildsCells(dir, command string) bool {
	words := strings.Fields(command)
	if len(words) < 2 || words[0] != "go" || !slices.Contains([]string{"build", "install", "run", "test", "vet"}, words[1]) {
		return false
	}
	for _, word := range words[2:] {
		if word != "." && word != "./..." && !strings.HasPrefix(word, "-") {
			return false
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) == 0
}

// isGo reports whether a line that begins with ! is Go: an expression all of whose names are
// known, from the session or from the text before it. A space after the ! means the shell.
func (e *Engine) isGo(line, before string) bool {
	if e.session == nil {
		return isGo(line, before, nil)
	}
	return isGo(line, before, e.session)
}

// scope says what names mean in earlier cells.
type scope interface {
	HasVariable(name string) bool
	Knows(name string) bool
}

// isGo is Engine.isGo; earlier may be nil.
func isGo(line, before string, earlier scope) bool {
	text := line[1:]
	expr, err := parser.ParseExpr(text)
	if err != nil || strings.HasPrefix(text, " ") {
		return false
	}
	also := mentioned(before)
	known := func(name string) bool {
		return also[name] || types.Universe.Lookup(name) != nil || earlier != nil && earlier.Knows(name)
	}
	if id, ok := expr.(*ast.Ident); ok {
		// Only a value can be negated: make and test are commands, unless test is a variable.
		return also[id.Name] || id.Name == "true" || id.Name == "false" || earlier != nil && earlier.HasVariable(id.Name)
	}
	all := true
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				all = all && (!ok || known(id.Name))
				return all
			})
			return false
		case *ast.Ident:
			all = all && known(n.Name)
		}
		return all
	})
	return all
}

// mentioned returns the identifiers in Go text.
func mentioned(text string) map[string]bool {
	names := map[string]bool{}
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return names
		}
		if tok == token.IDENT {
			names[lit] = true
		}
	}
}

func bashMagic() *Magic {
	return &Magic{
		Name: "bash", Code: "shell", Cell: true, Usage: "[OPTIONS] [ARGUMENTS]",
		Summary: "runs the cell by bash; an exit status other than 0 fails the cell",
		Run:     func(ctx context.Context, c *Call) error { return c.runShell(ctx, "bash") },
	}
}

func shMagic() *Magic {
	return &Magic{
		Name: "sh", Code: "shell", Cell: true, Usage: "[OPTIONS] [ARGUMENTS]",
		Summary: "runs the cell by sh",
		Run:     func(ctx context.Context, c *Call) error { return c.runShell(ctx, "sh") },
	}
}

func scriptMagic() *Magic {
	return &Magic{
		Name: "script", Code: "shell", Cell: true, Usage: "PROGRAM [ARGUMENTS]",
		Summary: "runs a program with the cell as its standard input",
		Run:     runScript,
	}
}

// maxCommand is the maximum size in bytes of a script that is passed as an argument: Linux permits 128 KiB.
const maxCommand = 100_000

// readsItself matches options that set the source of a shell's script.
var readsItself = regexp.MustCompile(`^-[a-zA-Z]*[cs][a-zA-Z]*$`)

// runShell runs the cell by a shell. The script is an argument instead of the standard input, from which the first command that reads
// would read the rest of the script.
func (c *Call) runShell(ctx context.Context, shell string) error {
	args, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	options, rest := shellOptions(args)
	p := program{name: shell}
	switch text := withNewline(c.text()); {
	case slices.ContainsFunc(options, readsItself.MatchString), len(text) > maxCommand:
		p.argv, p.stdin = slices.Concat([]string{shell}, args), text
	default:
		p.argv = slices.Concat([]string{shell}, options, []string{"-c", text, shell}, rest)
	}
	return c.runProgram(ctx, p)
}

// shellOptions splits the arguments of a shell into its options and the arguments of the script.
func shellOptions(args []string) (options, rest []string) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return args[:i], args[i+1:]
		case arg == "" || arg[0] != '-' && arg[0] != '+' || len(arg) == 1:
			return args[:i], args[i:]
		case slices.Contains([]string{"-o", "+o", "-O", "+O", "--rcfile", "--init-file"}, arg):
			i++ // its value
		}
	}
	return args, nil
}

func runScript(ctx context.Context, c *Call) error {
	argv, err := words(c.Args)
	if err != nil {
		return c.usageError("%v", err)
	}
	if len(argv) == 0 {
		return c.usageError("no program to run")
	}
	return c.runProgram(ctx, program{argv: argv, name: argv[0], stdin: withNewline(c.text())})
}
