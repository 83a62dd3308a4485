package launcher

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program returns the path of the executable that name is: a file, a program of the PATH, or what "go build" makes of a directory with a Go
// package, or of a Go file. The cleanup removes what was built. The compiler's messages go to log.
func Program(ctx context.Context, name string, log io.Writer) (path string, cleanup func(), err error) {
	info, err := os.Stat(name)
	switch {
	case strings.HasSuffix(name, ".ipynb"):
		return "", nil, fmt.Errorf("%s is a notebook: write it as a program with gopherwarp export %s FOLDER, and name FOLDER here", name, name)
	case err == nil && info.IsDir(), err == nil && filepath.Ext(name) == ".go":
		return build(ctx, name, info.IsDir(), log)
	case err == nil && info.Mode()&0o111 != 0:
		if path, err = filepath.Abs(name); err != nil {
			return "", nil, fmt.Errorf("find %s: %w", name, err)
		}
		return path, func() {}, nil
	case err == nil:
		return "", nil, fmt.Errorf("%s is not executable: name a program, or a folder with a Go program", name)
	}
	if path, err = exec.LookPath(name); err != nil {
		if e, ok := errors.AsType[*exec.Error](err); ok {
			err = e.Err
		}
		return "", nil, fmt.Errorf("find the program %s: %w: name an executable file, or a folder with a Go program", name, err)
	}
	return path, func() {}, nil
}

// build builds a directory or a file.
func build(ctx context.Context, name string, isDir bool, log io.Writer) (path string, cleanup func(), err error) {
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", nil, fmt.Errorf("build %s: %w: install Go, or name an executable file", name, err)
	}
	temp, err := os.MkdirTemp("", "gopherwarp-run-")
	if err != nil {
		return "", nil, fmt.Errorf("build %s: %w", name, err)
	}
	cleanup = func() { os.RemoveAll(temp) }
	path = filepath.Join(temp, "program")
	cmd := exec.CommandContext(ctx, tool, "build", "-o", path, ".")
	cmd.Stdout, cmd.Stderr = log, log
	if cmd.Dir = name; !isDir {
		cmd.Dir, cmd.Args[len(cmd.Args)-1] = filepath.Dir(name), filepath.Base(name)
	}
	if err = cmd.Run(); err == nil {
		var info os.FileInfo
		if info, err = os.Stat(path); err == nil && info.Mode()&0o111 == 0 {
			err = errors.New("its package is not main")
		}
	}
	if err != nil {
		cleanup()
		return "", nil, fmt.Errorf("build %s: %w", name, err)
	}
	return path, cleanup, nil
}
