package magics

import (
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func runMagic() *Magic {
	return &Magic{
		Name: "run", Line: true, Usage: "FILE",
		Summary: "runs a Go file (its declarations, then main if it has that), or the cells of a notebook, in this session; the magic is alone in its cell",
		Run:     runFile,
	}
}

func loadMagic() *Magic {
	return &Magic{
		Name: "load", Line: true, Usage: "FILE",
		Summary: "replaces the cell by the text of a file",
		Run:     runLoad,
	}
}

// maxLoaded is the maximum size of a file that becomes a cell, in bytes.
const maxLoaded = 10_000_000

// readFile reads the file that the arguments name.
func (c *Call) readFile(ctx context.Context) (path, text string, err error) {
	path, appends, err := c.fileArgument(ctx)
	if err != nil {
		return "", "", err
	}
	if appends {
		return "", "", c.usageError("there is no option -a")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && strings.Contains(c.Args, "://"):
		return "", "", usageError("%s is an address, and files alone are read: fetch it first, as by !curl -LO %[1]s", strings.TrimSpace(c.Args))
	case err != nil:
		return "", "", err
	case !info.Mode().IsRegular():
		return "", "", usageError("%s is not a file", path)
	case info.Size() > maxLoaded:
		return "", "", usageError("%s has %d MB, and a cell at most %d", path, info.Size()/1_000_000, maxLoaded/1_000_000)
	}
	data, err := os.ReadFile(path)
	if err == nil && !utf8.Valid(data) {
		err = usageError("%s is not a text in UTF-8", path)
	}
	return path, string(data), err
}

func runLoad(ctx context.Context, c *Call) error {
	path, text, err := c.readFile(ctx)
	if err != nil {
		return err
	}
	next, ok := c.Out.(kernel.NextInput)
	if !ok {
		return usageError("%%load replaces the text of its cell, which is not possible here: take it out of %%capture")
	}
	head := "// %load " + strings.TrimSpace(c.Args) + "\n"
	switch filepath.Ext(path) {
	case ".cu", ".cuh":
		head = "%%cuda\n"
	case ".sh":
		head = "%%bash\n"
	}
	next.SetNextInput(head+strings.TrimRight(text, "\n"), true)
	return nil
}

func runFile(ctx context.Context, c *Call) error {
	if c.Line != 1 || !c.Last {
		return usageError("%%run is alone in its cell, as the lines in messages are those of the file")
	}
	path, text, err := c.readFile(ctx)
	if err != nil {
		return err
	}
	switch filepath.Ext(path) {
	case ".go":
		if text, err = asCell(path, text); err != nil {
			return err
		}
		return c.runText(ctx, text)
	case ".ipynb":
		return c.runNotebook(ctx, path, text)
	}
	return usageError("%s is not a Go file or a notebook (.go, .ipynb): !%s runs programs, and %%load shows other files", path, path)
}

// runText runs a text in place of the cell's, so that messages show its lines.
func (c *Call) runText(ctx context.Context, text string) error {
	cell := c.Cell
	cell.Code = text
	c.mu.Lock()
	c.sources[cellName(cell)] = text
	c.mu.Unlock()
	return c.runParts(ctx, cell, c.parts(text), c.Out)
}

// asCell returns a Go file as the text of a cell, with the same lines: without the package clause. A cell that declares main calls it.
func asCell(path, text string) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("run %w", err)
	}
	from, to := set.Position(file.Package).Offset, set.Position(file.Name.End()).Offset
	return text[:from] + strings.Repeat(" ", to-from) + text[to:], nil
}

// runNotebook runs the code cells of a notebook one after the other.
func (c *Call) runNotebook(ctx context.Context, path, text string) error {
	nb, err := nbformat.Decode([]byte(text))
	if err != nil {
		return fmt.Errorf("run %s: %w", path, err)
	}
	if language, _ := nb.Language(); language != "" && language != "go" {
		return usageError("the cells of %s are in %s", path, language)
	}
	for i, cell := range nb.Cells {
		source := cell.Source()
		if !cell.IsCode() || strings.TrimSpace(source) == "" {
			continue
		}
		if slices.ContainsFunc(c.parts(source), func(p part) bool { return p.magic == "run" }) {
			return usageError("cell %d of %s has a %%run itself", i+1, path)
		}
		if err := c.runText(ctx, source); err != nil {
			c.Out.Stream("stderr", fmt.Sprintf("cell %d of %s failed:\n", i+1, path))
			return err
		}
	}
	return nil
}
