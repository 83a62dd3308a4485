package session

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/goroot"
)

// run runs a go command for the session's module. What it says about downloads is told to
// out.
func (m *modules) run(ctx context.Context, out Output, args ...string) ([]byte, error) {
	work, err := m.workspace(ctx)
	if err != nil {
		return nil, err
	}
	return m.goCommand(ctx, m.dir, append(m.env(), "GOWORK="+work), out, args...)
}

// env is the environment of go commands: the session's, but for what cells can't have.
func (m *modules) env() []string {
	env := append(os.Environ(), m.tools.environ()...)
	// go.mod is changed by get alone: -mod=mod would have every command add to it, and
	// workspaces refuse it.
	flags := slices.DeleteFunc(strings.Fields(goroot.Lookup(env, "GOFLAGS")), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name == "mod" || name == "modfile"
	})
	return append(env, "GOFLAGS="+strings.Join(flags, " "))
}

// goCommand runs a go command and returns what it prints.
func (m *modules) goCommand(ctx context.Context, dir string, env []string, out Output, args ...string) ([]byte, error) {
	defer logCommand(m.tools.config.CellLog, time.Now(), m.tools.found.Program(), args)
	cmd := exec.CommandContext(ctx, m.tools.found.Program(), args...)
	cmd.Dir, cmd.Env = dir, env
	// A cancelled go command must take its compilers and git along.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	said := &progress{out: out}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, said
	runtime.LockOSThread() // Pdeathsig is about the thread that starts the command
	defer runtime.UnlockOSThread()
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		return text.Bytes(), nil
	}
	if msg := said.rest(); msg != "" {
		return nil, errors.New(m.absolute(dir, msg))
	}
	return nil, fmt.Errorf("go %s: %w", args[0], err)
}

var relative = regexp.MustCompile(`(?m)(^|[ \t(])(\.\.?/[^:\s]+)`)

// absolute makes paths in a message absolute, because nobody knows the session's folder.
func (m *modules) absolute(dir, msg string) string {
	return relative.ReplaceAllStringFunc(msg, func(found string) string {
		at := strings.IndexByte(found, '.')
		return found[:at] + filepath.Join(dir, found[at:])
	})
}

// progress takes what a go command says: downloads are told as they begin, all else is
// kept.
type progress struct {
	out  Output
	line []byte
	kept strings.Builder
}

func (p *progress) Write(data []byte) (int, error) {
	p.line = append(p.line, data...)
	for {
		i := bytes.IndexByte(p.line, '\n')
		if i < 0 {
			return len(data), nil
		}
		p.take(string(p.line[:i]))
		p.line = p.line[i+1:]
	}
}

func (p *progress) take(line string) {
	what, isNews := strings.CutPrefix(line, "go: downloading ")
	if isNews {
		tell(p.out, "  downloading "+what)
		return
	}
	p.kept.WriteString(line + "\n")
}

// rest is what was said beside downloads.
func (p *progress) rest() string {
	if len(p.line) > 0 {
		p.take(string(p.line))
		p.line = nil
	}
	return strings.TrimSpace(p.kept.String())
}

func tell(out Output, line string) {
	if out != nil {
		out.Stream("stdout", line+"\n")
	}
}

// decoded goes through the JSON values in text.
func decoded[T any](text []byte) func(yield func(*T) bool) {
	return func(yield func(*T) bool) {
		values := json.NewDecoder(bufio.NewReader(bytes.NewReader(text)))
		for {
			v := new(T)
			if err := values.Decode(v); errors.Is(err, io.EOF) || err != nil || !yield(v) {
				return
			}
		}
	}
}
