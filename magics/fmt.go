package magics

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func fmtMagic() *Magic {
	return &Magic{
		Name: "fmt", Line: true, Cell: true,
		Summary: "in the first line: formats the rest of the cell instead of running it, Go as gofmt does, and %%cuda by clang-format if that is installed",
		Run:     runFmt,
	}
}

func runFmt(ctx context.Context, c *Call) error {
	if c.Args != "" {
		return c.usageError("there are no arguments")
	}
	lines := strings.SplitAfter(c.Cell.Code, "\n")
	if strings.TrimSpace(strings.Join(lines[:c.Line-1], "")) != "" {
		return usageError("%%fmt formats what is below it: put it into the first line of the cell")
	}
	text := strings.Join(lines[c.Line:], "")
	if strings.TrimSpace(text) == "" {
		return usageError("there is nothing below %%fmt: put it above the text of a cell")
	}
	formatted, err := c.format(ctx, text, c.surroundings(ctx).Dir)
	if err != nil {
		return err
	}
	next, ok := c.Out.(kernel.NextInput)
	if !ok {
		c.Out.Stream("stdout", formatted)
	} else {
		next.SetNextInput(formatted, true)
	}
	return errFormatted
}

// errFormatted ends a cell whose text was formatted instead of run.
var errFormatted = errors.New("the cell was formatted")

// format returns the text of a cell formatted. dir is the directory whose .clang-format counts, "" for that of this process.
func (e *Engine) format(ctx context.Context, text, dir string) (string, error) {
	parts := split(text, func(line, before string) bool { return isGo(line, before, nil) })
	if p := parts[0]; p.cell {
		return e.formatCellMagic(ctx, p, text, dir)
	}
	lines := strings.SplitAfter(text, "\n")
	var done strings.Builder
	from := 0 // the first line of Go that is not in done
	flush := func(to int) error {
		formatted, err := formatGo(lines[from:to], from)
		done.WriteString(formatted)
		return err
	}
	for _, p := range parts {
		if p.magic == "" {
			continue
		}
		if err := flush(p.line - 1); err != nil {
			return "", err
		}
		from = p.line - 1
		for last := false; !last; from++ { // a shell command may have several lines
			done.WriteString(lines[from])
			last = p.magic != "!" || from+1 == len(lines) || !strings.HasSuffix(strings.TrimRight(lines[from], "\r\n"), `\`)
		}
	}
	err := flush(len(lines))
	return done.String(), err
}

// formatGo formats lines of Go. before is the number of lines above them.
func formatGo(lines []string, before int) (string, error) {
	formatted, err := session.Format(strings.Join(lines, ""))
	if wrong := new(session.CompileError); errors.As(err, &wrong) {
		p := wrong.Problems[0]
		return "", &kernel.CellError{Name: "FormatError", Value: fmt.Sprintf("line %d: %s", p.Pos.Line+before, p.Message)}
	}
	return formatted, err
}

// formatCellMagic formats a cell with a cell magic, whose line stays.
func (e *Engine) formatCellMagic(ctx context.Context, p part, text, dir string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	head, body := strings.Join(lines[:p.line], ""), strings.Join(lines[p.line:], "")
	m, err := e.find(p.magic, true)
	if err != nil {
		return "", err
	}
	file := ""
	if m.Name == "writefile" {
		if args, err := words(p.args); err == nil && len(args) > 0 {
			file = args[len(args)-1]
		}
	}
	switch {
	case m.Code == "":
		body, err = e.format(ctx, body, dir)
	case m.Name == "cuda":
		body, err = clangFormat(ctx, body, "cell.cu", dir)
	case strings.HasSuffix(file, ".go"):
		body, err = formatGo([]string{body}, p.line)
	case cudaFile(file):
		body, err = clangFormat(ctx, body, filepath.Base(file), dir)
	default:
		err = usageError("only Go and CUDA C++ can be formatted, and not %%%%%s", m.Name)
	}
	return head + body, err
}

// cudaFile reports whether a file of that name has CUDA C++, C++ or C.
func cudaFile(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".cu", ".cuh", ".h", ".hh", ".hpp", ".c", ".cc", ".cpp", ".cxx":
		return true
	}
	return false
}

// clangStyle is the style of cells in directories that have none of their own: near gofmt's.
const clangStyle = "{BasedOnStyle: LLVM, UseTab: ForIndentation, IndentWidth: 4, TabWidth: 4, ContinuationIndentWidth: 4, ColumnLimit: 120}"

// clangTime is how long clang-format may take.
const clangTime = 10 * time.Second

// clangFormat formats C++ by clang-format. file is a name that says what it is.
func clangFormat(ctx context.Context, text, file, dir string) (string, error) {
	path, err := exec.LookPath("clang-format")
	if err != nil {
		return "", usageError("CUDA C++ is formatted by clang-format, which is not installed here: pip install clang-format, or apt install clang-format")
	}
	if dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return "", fmt.Errorf("format CUDA C++: %w", err)
		}
	}
	style := "file"
	if !hasClangStyle(dir) {
		style = clangStyle
	}
	ctx, cancel := context.WithTimeout(ctx, clangTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--style="+style, "--assume-filename="+filepath.Join(dir, file))
	var out, wrong bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(text), &out, &wrong
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("format CUDA C++ by %s: %w: %s", path, err, strings.TrimSpace(wrong.String()))
	}
	return out.String(), nil
}

// hasClangStyle reports whether a directory, or one above it, has a style for clang-format.
func hasClangStyle(dir string) bool {
	for {
		for _, name := range []string{".clang-format", "_clang-format"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}
