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
	"github.com/gopherwarp/gopherwarp/internal/waiting"
)

// run runs a go command for the session's module. It prints downloads to out.
func (m *modules) run(ctx context.Context, out Output, args ...string) ([]byte, error) {
	work, err := m.workspace(ctx)
	if err != nil {
		return nil, err
	}
	return m.goCommand(ctx, m.dir, append(m.env(), "GOWORK="+work), out, args...)
}

// env returns the environment of go commands: the session's, without flags that
// cells can't use.
func (m *modules) env() []string {
	env := append(os.Environ(), m.tools.environ()...)
	// go.mod is changed by get alone: with -mod=mod every command would add to it, and
	// workspaces do not allow the flag.
	flags := slices.DeleteFunc(strings.Fields(goroot.Lookup(env, "GOFLAGS")), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name == "mod" || name == "modfile"
	})
	return append(env, "GOFLAGS="+strings.Join(flags, " "))
}

// goCommand runs a go command and returns its output.
func (m *modules) goCommand(ctx context.Context, dir string, env []string, out Output, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, m.tools.found.Program(), args...)
	defer logCommand(m.tools.config.CellLog, time.Now(), cmd)
	cmd.Dir, cmd.Env = dir, env
	// When a go command is cancelled, its compilers and git must be killed, too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	said := &progress{out: out}
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, said
	runtime.LockOSThread() // Pdeathsig refers to the thread that starts the command
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

// absolute makes paths in a message absolute, because users do not know the
// session's directory.
func (m *modules) absolute(dir, msg string) string {
	return relative.ReplaceAllStringFunc(msg, func(found string) string {
		at := strings.IndexByte(found, '.')
		return found[:at] + filepath.Join(dir, found[at:])
	})
}

// progress is the standard error of a go command: downloads are printed as they begin,
// the rest is kept.
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

// rest returns the output other than downloads.
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

// waitingFor shows that something takes long, until end is called.
func waitingFor(label string, out Output) (end func() bool) {
	return waiting.Begin(label, func(data map[string]any, id string, update bool) {
		switch {
		case out == nil:
		case update:
			out.UpdateDisplay(data, nil, id)
		default:
			out.Display(data, nil, id)
		}
	})
}

// decoded iterates over the JSON values in text.
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
