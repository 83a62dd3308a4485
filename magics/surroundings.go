package magics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/prochost"
)

// surroundings are the directory and the environment of the session process.
type surroundings struct{ prochost.State }

// surroundings asks the session process. Before there is one, they are the kernel's: a shell command must not wait for, or fail with, the
// Go toolchain.
func (c *Call) surroundings(ctx context.Context) surroundings {
	var s surroundings
	if c.session.Ready() && c.call(ctx, prochost.CallState, struct{}{}, &s.State) == nil {
		return s
	}
	s.Env = append(os.Environ(), c.session.Mark())
	if c.gonbui != nil {
		s.Env = append(s.Env, c.gonbui.Env()...)
	}
	s.Dir, _ = os.Getwd()
	return s
}

func (s surroundings) get(name string) string {
	for _, entry := range slices.Backward(s.Env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// errNoFolder is the error of working in a directory that does not exist.
var errNoFolder = errors.New("the session's folder was removed: go to another one with %cd FOLDER")

// path returns a user's path as an absolute one: ~ and $VARIABLES are replaced.
func (s surroundings) path(text string) (string, error) {
	text = os.Expand(text, s.get)
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/') {
		text = s.get("HOME") + rest
	}
	if filepath.IsAbs(text) {
		return text, nil
	}
	if s.Dir == "" {
		return "", errNoFolder
	}
	return filepath.Join(s.Dir, text), nil
}

// lookPath finds a program as the session process would.
func (s surroundings) lookPath(program string) (string, error) {
	if strings.Contains(program, "/") {
		return s.path(program)
	}
	for _, dir := range filepath.SplitList(s.get("PATH")) {
		dir, err := s.path(dir)
		if err != nil {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s was not found in PATH", program)
}
