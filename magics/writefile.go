package magics

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

func writefileMagic() *Magic {
	return &Magic{
		Name: "writefile", Code: "text", Aliases: []string{"file"}, Cell: true, Usage: "[-a] FILE",
		Summary: "writes the cell to a file, or with -a appends it; the path may hold ~ and $VARIABLES",
		Run:     runWritefile,
	}
}

func runWritefile(ctx context.Context, c *Call) error {
	path, appends, err := c.fileArgument(ctx)
	if err != nil {
		return err
	}
	text := withNewline(c.text())
	verb := "Wrote"
	if appends {
		verb = "Appended to"
	}
	f, err := openFile(path, appends)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	c.Out.Stream("stdout", fmt.Sprintf("%s %s (%s)\n", verb, path, render.Count(len(text), "byte", "bytes")))
	return nil
}

// fileArgument parses the arguments [-a] FILE.
func (c *Call) fileArgument(ctx context.Context) (path string, appends bool, err error) {
	args, err := words(c.Args)
	if err != nil {
		return "", false, c.usageError("%v", err)
	}
	if len(args) > 0 && args[0] == "-a" {
		appends, args = true, args[1:]
	}
	switch {
	case len(args) == 0:
		return "", false, c.usageError("no file is named")
	case args[0] != "" && args[0][0] == '-':
		return "", false, c.usageError("there is no option %s", args[0])
	case len(args) > 1:
		return "", false, c.usageError("one file is expected; put a name with spaces into quotes")
	}
	path, err = c.surroundings(ctx).path(args[0])
	return path, appends, err
}

// openFile opens a file for writing or appending.
func openFile(path string, appends bool) (*os.File, error) {
	how := os.O_TRUNC
	if appends {
		how = os.O_APPEND
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|how, 0o644)
	if dir := filepath.Dir(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: make the folder first: !mkdir -p %q", err, dir)
	}
	return f, err
}
