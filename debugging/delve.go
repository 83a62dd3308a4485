package debugging

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
)

const (
	// DelveVersion is the delve that is built where none is to be had.
	DelveVersion = "v1.27.2"
	// DelveEnv is the environment variable that names another delve.
	DelveEnv = "GOPHERWARP_DLV"

	delvePackage = "github.com/go-delve/delve/cmd/dlv"
)

// ownDelve is where InstallDelve puts it.
func ownDelve(cache string) string { return filepath.Join(cache, "delve", DelveVersion, "dlv") }

// FindDelve is the path of the delve to use, or "": the one that the environment names, the one
// that InstallDelve has put into the cache, one on the PATH, or where go install puts programs.
func FindDelve(cache string) string {
	if named := os.Getenv(DelveEnv); named != "" {
		return named
	}
	if own := ownDelve(cache); isFile(own) {
		return own
	}
	if path, err := exec.LookPath("dlv"); err == nil {
		return path
	}
	for _, bin := range []string{os.Getenv("GOBIN"), filepath.Join(goPath(), "bin")} {
		if path := filepath.Join(bin, "dlv"); bin != "" && isFile(path) {
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

// InstallDelve downloads and builds delve into the cache, unless one is to be had already, and
// returns its path. It takes up to a minute; progress is told what it is at.
func InstallDelve(ctx context.Context, cache string, progress func(string)) (string, error) {
	if path := FindDelve(cache); path != "" {
		return path, nil
	}
	own := ownDelve(cache)
	unlock, err := dirlock.Lock(filepath.Dir(own))
	if err != nil {
		return "", fmt.Errorf("build delve: %w", err)
	}
	defer unlock()
	if isFile(own) {
		return own, nil // somebody else has built it meanwhile
	}
	progress("Building delve " + DelveVersion + ", which stops cells at breakpoints (once; about a minute)")
	cmd := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s -w", delvePackage+"@"+DelveVersion)
	// Settings for other programs must not change what this one is built for.
	cmd.Env = append(os.Environ(), "GOBIN="+filepath.Dir(own), "GOFLAGS=", "GOWORK=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	runtime.LockOSThread() // Pdeathsig is about the thread that starts the command
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("build delve %s (install it yourself as dlv on the PATH, or name it in %s): %w", DelveVersion, DelveEnv, errors.Join(err, errors.New(lastLines(string(out)))))
	}
	return own, nil
}

// lastLines is the end of a command's output, where the reason stands.
func lastLines(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "\n")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
