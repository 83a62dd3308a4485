package editing

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
	// GoplsVersion is the newest gopls that the oldest Go for cells can build.
	GoplsVersion = "v0.23.0"
	// GoplsEnv is the environment variable that names another gopls, or is "off" for none.
	GoplsEnv = "GOPHERWARP_GOPLS"

	goplsPackage = "golang.org/x/tools/gopls"
)

// ownGopls is where Install puts it.
func ownGopls(cache string) string {
	return filepath.Join(cache, "gopls", GoplsVersion, "gopls")
}

// FindGopls is the path of the gopls to use, or "": the one that the environment names, the one that
// Install has put into the cache, or one on the PATH.
func FindGopls(cache string) string {
	switch named := os.Getenv(GoplsEnv); named {
	case "":
	case "off":
		return ""
	default:
		return named
	}
	if own := ownGopls(cache); isFile(own) {
		return own
	}
	path, err := exec.LookPath("gopls")
	if err != nil {
		return ""
	}
	return path
}

// InstallGopls downloads and builds gopls into the cache, unless one is to be had already. It
// takes about a minute; progress is told what it is at.
func InstallGopls(ctx context.Context, cache string, progress func(string)) error {
	if FindGopls(cache) != "" || os.Getenv(GoplsEnv) == "off" {
		return nil
	}
	unlock, err := dirlock.Lock(filepath.Dir(ownGopls(cache)))
	if err != nil {
		return fmt.Errorf("build gopls: %w", err)
	}
	defer unlock()
	if isFile(ownGopls(cache)) {
		return nil // somebody else has built it meanwhile
	}
	progress("Building gopls " + GoplsVersion + ", for completion in cells")
	cmd := exec.CommandContext(ctx, "go", "install", "-trimpath", "-ldflags=-s -w", goplsPackage+"@"+GoplsVersion)
	// Settings for other programs must not change what this one is built for.
	cmd.Env = append(os.Environ(), "GOBIN="+filepath.Dir(ownGopls(cache)), "GOFLAGS=", "GOWORK=off", "GOOS=", "GOARCH=", "CGO_ENABLED=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	runtime.LockOSThread() // Pdeathsig is about the thread that starts the command
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("build gopls: %w", errors.Join(err, errors.New(strings.TrimSpace(string(out)))))
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
