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

// A Tool is such a program.
type Tool struct {
	Name    string // of what is built, for people: "delve"
	Package string // "github.com/go-delve/delve/cmd/dlv"
	Version string // the version that is built: "v1.27.2"
	Env     string // the environment variable that names another one; "off" is for none
	Release string // if set, one that was built by an older release of Go does not count: "go1.27"
}

// Off reports whether the environment says that there shall be none.
func (t Tool) Off() bool { return os.Getenv(t.Env) == "off" }

// program is the file's name.
func (t Tool) program() string { return path.Base(t.Package) }

// A Go is what Install builds with: a go command and what it needs in its environment. The zero value is the one on the PATH.
type Go struct {
	Program string
	Version string // "go1.27.3"
	Env     []string
}

// own is where Install puts it.
func (t Tool) own(cache string) string {
	return filepath.Join(cache, t.Name, t.Version, t.program())
}

// Find is the path of the program to use, or "": the one that the environment names, the one that
// Install has put into the cache, one on the PATH, or where go install puts programs.
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

// Install downloads and builds the program into the cache, unless one is to be had already, and
// returns its path: "" if there shall be none. It takes up to a minute; before that, starting is called.
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
		return own, nil // somebody else has built it meanwhile
	}
	_ = os.Remove(own) // the go command takes a file of this name for what it has built
	starting()
	cmd := exec.CommandContext(ctx, cmp.Or(golang.Program, "go"), "install", "-trimpath", "-ldflags=-s -w", t.Package+"@"+t.Version)
	// Settings for other programs must not change what this one is built for.
	cmd.Env = append(append(os.Environ(), golang.Env...), "GOBIN="+filepath.Dir(own), "GOFLAGS=", "GOWORK=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	runtime.LockOSThread() // Pdeathsig is about the thread that starts the command
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

// Repair reads what Install has put into the cache, builds it again if it is damaged, and returns what was wrong.
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

// lastLines is the end of a command's output, where the reason stands.
func lastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "\n")
}

// isWhole reports whether what Install has put into the cache may be used, as far as is known: earlier releases have not sealed it.
func (t Tool) isWhole(own string) bool {
	err := intact.Sealed(own, false)
	return (err == nil || errors.Is(err, intact.ErrNoSeal)) && t.counts(own)
}

// counts reports whether a file is there and may be used.
func (t Tool) counts(path string) bool {
	if !isFile(path) || t.Release == "" {
		return isFile(path)
	}
	info, err := buildinfo.ReadFile(path)
	return err != nil || version.Compare(version.Lang(info.GoVersion), t.Release) >= 0 // what says nothing may be a script
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
