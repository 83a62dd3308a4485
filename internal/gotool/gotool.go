package gotool

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
	"github.com/gopherwarp/gopherwarp/internal/intact"
)

// A Tool is a program written in Go.
type Tool struct {
	Name    string // name for messages: "delve"
	Package string // "github.com/go-delve/delve/cmd/dlv"
	Version string // the version to build: "v1.27.2"
	Env     string // the environment variable that names another program; "off" disables it
	Release string // if set, a program built by an older release of Go is not used: "go1.27"
}

// Off reports whether the environment disables the tool.
func (t Tool) Off() bool { return os.Getenv(t.Env) == "off" }

// program returns the file's name.
func (t Tool) program() string { return path.Base(t.Package) }

// A Go is the go command with which Install builds, and its environment. The zero value is the go command on the PATH.
type Go struct {
	Program string
	Version string // "go1.27.3"
	Env     []string
}

// own returns the path to which Install builds the program.
func (t Tool) own(cache string) string {
	return filepath.Join(cache, t.Name, t.Version, t.program())
}

// Find returns the path of the program to use, or "": the one that the environment names, the one that
// Install has built in the cache, one on the PATH, or one where go install puts programs.
func (t Tool) Find(cache string) string {
	if t.Off() {
		return ""
	}
	if named := os.Getenv(t.Env); named != "" {
		return named
	}
	if own := t.own(cache); t.isWhole(own) {
		return own
	}
	if path, err := exec.LookPath(t.program()); err == nil && t.counts(path) {
		return path
	}
	for _, bin := range []string{os.Getenv("GOBIN"), filepath.Join(goPath(), "bin")} {
		if path := filepath.Join(bin, t.program()); bin != "" && t.counts(path) {
			return path
		}
	}
	return ""
}

func goPath() string {
	if path, _, _ := strings.Cut(os.Getenv("GOPATH"), string(os.PathListSeparator)); path != "" {
		return path
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, "go")
}

// Install downloads and builds the program in the cache, unless Find finds one, and returns its path, or
// "" if the tool is disabled. Building takes up to a minute; before that, starting is called.
func (t Tool) Install(ctx context.Context, cache string, golang Go, starting func()) (string, error) {
	if path := t.Find(cache); path != "" || t.Off() {
		return path, nil
	}
	own := t.own(cache)
	unlock, err := dirlock.Lock(filepath.Dir(own))
	if err != nil {
		return "", fmt.Errorf("build %s: %w", t.Name, err)
	}
	defer unlock()
	if t.isWhole(own) {
		return own, nil // another process has built it in the meantime
	}
	_ = os.Remove(own) // the go command would take it for the result of the build
	starting()
	cmd := exec.CommandContext(ctx, cmp.Or(golang.Program, "go"), "install", "-trimpath", "-ldflags=-s -w", t.Package+"@"+t.Version)
	// Settings for other programs must not affect this build.
	cmd.Env = append(append(os.Environ(), golang.Env...), "GOBIN="+filepath.Dir(own), "GOFLAGS=", "GOWORK=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	runtime.LockOSThread() // Pdeathsig applies to the thread that starts the command
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("build %s %s (install it yourself as %s on the PATH, or name it in %s): %w",
			t.Name, t.Version, t.program(), t.Env, errors.Join(err, errors.New(lastLines(string(out)))))
	}
	if err := intact.Seal(own); err != nil {
		return "", fmt.Errorf("build %s: %w", t.Name, err)
	}
	return own, nil
}

// Repair verifies the program in the cache, builds it again if it is damaged, and returns a description of the damage.
func (t Tool) Repair(ctx context.Context, cache string, golang Go, starting func()) (wrong string, err error) {
	own := t.own(cache)
	if !isFile(own) {
		return "", nil
	}
	damage := intact.Sealed(own, true)
	if damage == nil {
		return "", nil
	}
	if err := os.Remove(own); err != nil {
		return damage.Error(), fmt.Errorf("build %s again: %w", t.Name, err)
	}
	_, err = t.Install(ctx, cache, golang, starting)
	return damage.Error(), err
}

// lastLines returns the end of a command's output, which has the reason.
func lastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "\n")
}

// isWhole reports whether the program in the cache seems to be intact. Earlier releases have not sealed it.
func (t Tool) isWhole(own string) bool {
	err := intact.Sealed(own, false)
	return (err == nil || errors.Is(err, intact.ErrNoSeal)) && t.counts(own)
}

// counts reports whether a file exists and may be used.
func (t Tool) counts(path string) bool {
	if !isFile(path) || t.Release == "" {
		return isFile(path)
	}
	info, err := buildinfo.ReadFile(path)
	return err != nil || version.Compare(version.Lang(info.GoVersion), t.Release) >= 0 // a file without this information may be a script
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
