package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/dirlock"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/gotool"
	"github.com/gopherwarp/gopherwarp/internal/intact"
	"github.com/gopherwarp/gopherwarp/internal/slim"
)

// ModulePath is the module whose packages cells can import without downloading anything.
const ModulePath = "github.com/gopherwarp/gopherwarp"

// basePackages are compiled for cells before the first one runs, since most sessions need them.
var basePackages = []string{
	"fmt", "strings", "math", "time", "os", "errors", "sort", "strconv", "bytes", "sync", "context", "slices", "maps",
	"math/rand", "math/rand/v2", "encoding/json", "io", "bufio", "path/filepath", "testing",
	"plugin", CellImport, exitImport,
}

// A Toolchain is the set of programs and packages that cells are compiled with: the Go toolchain, a linker, the unpacked
// packages of this module, and the session program, all built for each other. It is in a directory of the user's cache that
// is named by a digest of its inputs, so that a new release of either has a new directory.
type Toolchain struct {
	config  Config
	found   goroot.Toolchain
	env     goEnv
	dir     string
	std     []string // import paths of the standard library that cells can import
	linker  string   // program for the Go linker's -extld
	exports map[string]string
	slimmed map[string]string // slim archives, by the path of the whole one
	symbols *slim.Symbols     // symbols that the session program exports
	release func()            // allows other processes to remove dir; nil before it is open
}

type goEnv struct {
	GOROOT, GOVERSION, GOTOOLDIR, GOFLAGS, GOOS, GOARCH, GOAMD64, GOARM64, GOEXPERIMENT, CC, CGO_ENABLED string
}

// newToolchain returns a toolchain that has not been opened.
func newToolchain(config Config, found goroot.Toolchain) *Toolchain {
	config.setLogs()
	return &Toolchain{config: config, found: found}
}

// OpenToolchain opens the toolchain and builds the parts that are not in the cache. The first time takes about a minute;
// progress is called at the beginning of each step.
func OpenToolchain(ctx context.Context, config Config, progress func(string)) (*Toolchain, error) {
	if err := noLineBreak("cache", config.Cache, "XDG_CACHE_HOME"); err != nil {
		return nil, err
	}
	rejected := map[string]string{}
	for {
		found, err := goroot.Find(ctx, goroot.Options{
			Dir: config.Dir, Env: config.Env, Cache: config.Cache, Rejected: rejected, Fetch: true, Progress: progress,
		})
		if err != nil {
			return nil, fmt.Errorf("find a Go for cells: %w", err)
		}
		t := newToolchain(config, found)
		if err := t.open(ctx, progress); err != nil {
			return nil, err
		}
		err = t.test(ctx, progress)
		if err == nil || ctx.Err() != nil {
			return t, ctx.Err()
		}
		t.Close()
		rejected[found.Root] = err.Error()
	}
}

// Close allows other processes to remove the toolchain from the cache when they build another one.
func (t *Toolchain) Close() {
	if t.release != nil {
		t.release()
	}
}

// Go returns the Go that cells are compiled with, for building programs that belong to a session.
func (t *Toolchain) Go() gotool.Go {
	return gotool.Go{Program: t.found.Program(), Version: t.env.GOVERSION, Env: t.found.Environ(append(os.Environ(), t.config.Env...))}
}

// A GoState describes the Go for cells before a session is opened.
type GoState struct {
	goroot.Toolchain
	Tested string // result of the self-test, e.g. "go1.27.3 passed on 2026-11-22"; "" if it was not run
}

// LookAtGo returns the Go that cells would be compiled with. It builds and fetches nothing.
func LookAtGo(ctx context.Context, config Config) (GoState, error) {
	t, found, err := located(ctx, config)
	if t == nil || err != nil {
		return GoState{Toolchain: found}, err
	}
	return GoState{Toolchain: found, Tested: t.tested()}, nil
}

// located returns the toolchain that cells would be compiled with, which has not been opened, or nil if its Go has to be
// fetched first.
func located(ctx context.Context, config Config) (*Toolchain, goroot.Toolchain, error) {
	found, err := goroot.Find(ctx, goroot.Options{Dir: config.Dir, Env: config.Env, Cache: config.Cache})
	if err != nil || found.Root == "" {
		return nil, found, err
	}
	t := newToolchain(config, found)
	return t, found, t.locate(ctx)
}

// locate determines the toolchain's directory in the cache.
func (t *Toolchain) locate(ctx context.Context) error {
	if err := t.readEnv(ctx); err != nil {
		return err
	}
	key, err := t.key()
	t.dir = filepath.Join(toolchainsDir(t.config.Cache), key)
	t.linker = filepath.Join(t.dir, "link-cell")
	return err
}

// open builds the parts that are not in the cache.
func (t *Toolchain) open(ctx context.Context, progress func(string)) error {
	if err := t.locate(ctx); err != nil {
		return err
	}
	unlock, err := dirlock.Lock(t.dir)
	if err != nil {
		return fmt.Errorf("%w: cells are built in the cache folder %s: make it one that can be written to, or set XDG_CACHE_HOME to another one and start the kernel again", err, t.config.Cache)
	}
	defer unlock()
	if isNoexec(t.dir) {
		return fmt.Errorf("the file system of the cache folder %s runs no programs (it is mounted with noexec), and the Go session is one that lies there: set XDG_CACHE_HOME to another folder, and start the kernel again", t.config.Cache)
	}
	if t.release, err = dirlock.Use(t.dir); err != nil {
		return fmt.Errorf("keep the Go session in the cache: %w", err)
	}
	if err := t.openLocked(ctx, progress, nil); err != nil {
		t.Close()
		return err
	}
	return nil
}

// openLocked is like open. The directory's lock is held. damaged describes files that the caller has removed.
func (t *Toolchain) openLocked(ctx context.Context, progress func(string), damaged []string) error {
	if err := t.unpack(false); err != nil {
		return fmt.Errorf("unpack the packages for cells: %w", err)
	}
	damage := t.readExports()
	complete := damage == nil
	if !complete {
		_ = os.Remove(t.linker) // it is built again
	}
	rebuilt, err := t.buildLinker(ctx)
	if err != nil {
		return fmt.Errorf("find a linker for cells: %w", err)
	}
	if complete && rebuilt {
		return t.writeExports()
	} else if complete {
		return nil
	}
	switch {
	case len(damaged) > 0:
		progress("Building the Go session again, since the cache is damaged (" + damaged[0] + ")")
	case errors.Is(damage, fs.ErrNotExist):
		progress("Building the Go session (once for each version of Go; about a minute)")
	default:
		progress("Building the Go session again, since the cache is damaged (" + damage.Error() + ")")
	}
	if err := t.buildHost(ctx); err != nil {
		return err
	}
	progress("Compiling the standard packages for cells")
	if t.std, err = t.listStd(ctx); err != nil {
		return err
	}
	if err := t.list(ctx, t.hostDir(), append(basePackages, t.config.Packages...)); err != nil {
		return err
	}
	progress("Preparing packages for quick linking")
	if err := t.slim(); err != nil {
		return fmt.Errorf("prepare packages for linking: %w", err)
	}
	if err := t.writeExports(); err != nil {
		return err
	}
	_ = prune(t.config.Cache, time.Now(), maxToolchains) // after an error directories only take space
	return nil
}

// Warm compiles the whole standard library for cells, so that no first use of a package takes longer.
func (t *Toolchain) Warm(ctx context.Context) error {
	unlock, err := dirlock.Lock(t.dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := t.list(ctx, t.hostDir(), t.std); err != nil {
		return err
	}
	if b, _ := t.readBundle(false); b == nil {
		if _, err := t.buildBundle(ctx); err != nil {
			return fmt.Errorf("prepare %s for cells: %w", bundled, err)
		}
	}
	return t.writeExports()
}

func (t *Toolchain) readEnv(ctx context.Context) error {
	out, err := t.run(ctx, "", "env", "-json")
	if err != nil {
		if strings.Contains(err.Error(), "build cache") {
			return fmt.Errorf("ask Go for its settings: %w: set GOCACHE, or XDG_CACHE_HOME, to a folder that can be written to, and start the kernel again", err)
		}
		return fmt.Errorf("ask Go for its settings: %w", err)
	}
	if err := json.Unmarshal(out, &t.env); err != nil {
		return fmt.Errorf("read the settings of Go: %w", err)
	}
	if t.env.CGO_ENABLED != "1" {
		return errors.New("cells need cgo, which is off: install gcc (apt install gcc), unset CGO_ENABLED and restart the kernel")
	}
	return nil
}

// key returns a digest of everything that plugins and the session program must have in common.
func (t *Toolchain) key() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%+v\n%v\n%v\n", manifestFormat, t.env, t.config.Extensions, basePackages)
	err := fs.WalkDir(t.config.Sources, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(t.config.Sources, path)
		fmt.Fprintf(h, "%s %d\n%s\n", path, len(data), data)
		return err
	})
	return strings.TrimPrefix(t.env.GOVERSION, "go") + "-" + hex.EncodeToString(h.Sum(nil))[:12], err
}

func (t *Toolchain) srcDir() string  { return filepath.Join(t.dir, "src") }
func (t *Toolchain) hostDir() string { return filepath.Join(t.dir, "host") }

// HostProgram returns the path of the session program.
func (t *Toolchain) HostProgram() string { return filepath.Join(t.hostDir(), "gopherwarp-session") }

// language returns the version of the Go language, e.g. "1.26".
func (t *Toolchain) language() string {
	parts := strings.SplitN(strings.TrimPrefix(t.env.GOVERSION, "go"), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// bareVersion returns the version of Go without experiments, e.g. "go1.27.3".
func (t *Toolchain) bareVersion() string {
	v, _, _ := strings.Cut(t.env.GOVERSION, " ")
	return v
}

// goMod returns a go.mod that replaces this module by its copy in the cache.
func (t *Toolchain) goMod(name, src string) []byte {
	return fmt.Appendf(nil, "module %s\n\ngo %s\n\nrequire %s v0.0.0\n\nreplace %[3]s => %q\n", name, t.language(), ModulePath, src)
}

func (t *Toolchain) hostMain() []byte {
	var imports, list strings.Builder
	for i, path := range t.config.Extensions {
		fmt.Fprintf(&imports, "\text%d %q\n", i, path)
		fmt.Fprintf(&list, "ext%d.Extension(), ", i)
	}
	// Packages that cells can import must be in the program as a whole, so that all plugins share one copy of them.
	for _, path := range t.config.Packages {
		fmt.Fprintf(&imports, "\t_ %q\n", path)
	}
	return fmt.Appendf(nil, `// Command gopherwarp-session is generated by package session.
package main

import (
	"%[1]s/internal/cellruntime/cell"
	"%[1]s/internal/gorelease/inside"
	"%[1]s/internal/cellruntime/host"
%[2]s)

func main() {
	cell.Keep(inside.AddModule(), cell.Check, cell.Declare, cell.Guard, cell.Guarded, cell.LastError, cell.Poll, cell.Register, cell.Replace, cell.Retype, cell.Show, cell.ShowChecked)
	inside.BeforeText(cell.Nested)
	host.Main(func() host.Module { return inside.LastModule() }, %[3]s)
}
`, ModulePath, imports.String(), list.String())
}

func (t *Toolchain) buildHost(ctx context.Context) error {
	// -checklinkname=0: package host reads the runtime's list of modules. Symbols and DWARF are kept: a debugger reads them
	// from the file, and they take no memory. It is built under another name, since the go command would regard a truncated
	// file as up to date.
	_, err := t.run(ctx, t.hostDir(), "build", "-mod=readonly", "-o", t.HostProgram()+".new", "-ldflags=-checklinkname=0", ".")
	if err != nil {
		return fmt.Errorf("build the session program: %w", err)
	}
	return os.Rename(t.HostProgram()+".new", t.HostProgram())
}

func (t *Toolchain) listStd(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, t.hostDir(), "list", "std")
	if err != nil {
		return nil, fmt.Errorf("list the standard library: %w", err)
	}
	std := strings.Fields(string(out))
	return slices.DeleteFunc(std, func(path string) bool {
		return strings.HasPrefix(path, "vendor/") || path == "unsafe" || slices.Contains(strings.Split(path, "/"), "internal")
	}), nil
}

// list compiles packages for plugins and records their archives. The go.mod in dir determines the module versions.
func (t *Toolchain) list(ctx context.Context, dir string, packages []string) error {
	args := []string{"list", "-mod=readonly", "-export", "-deps", "-buildmode=plugin", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}", "--"}
	out, err := t.run(ctx, dir, append(args, packages...)...)
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for path, file := range t.exports {
		exports[path] = file
	}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			exports[path] = file
		}
	}
	t.exports = exports
	return nil
}

// run runs the go command. Its error contains the command's messages.
func (t *Toolchain) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return t.command(ctx, dir, t.environ(), t.found.Program(), args...)
}

// environ returns the additional environment of go commands.
func (t *Toolchain) environ() []string {
	env := append(os.Environ(), t.config.Env...)
	return slices.Concat(t.config.Env, t.tempEnv(), t.found.Environ(env), []string{"GOFLAGS=" + harmless(goroot.Lookup(env, "GOFLAGS"))})
}

// tempEnv returns the variable with the session's directory for temporary files.
func (t *Toolchain) tempEnv() []string {
	if t.config.Temp == "" {
		return nil
	}
	return []string{"TMPDIR=" + t.config.Temp}
}

// toolEnv returns the additional environment of the compiler, the linker and the cgo tool. It has all settings, since some
// may come from a file that only the go command reads.
func (t *Toolchain) toolEnv() []string {
	return append(append(slices.Clone(t.config.Env), t.tempEnv()...), "GOROOT="+t.env.GOROOT, "GOOS="+t.env.GOOS, "GOARCH="+t.env.GOARCH,
		"GOAMD64="+t.env.GOAMD64, "GOARM64="+t.env.GOARM64, "GOEXPERIMENT="+t.env.GOEXPERIMENT)
}

// harmless returns the flags in GOFLAGS that do not change how packages are compiled and linked: all parts of a session must
// be compatible.
func harmless(flags string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return slices.Contains([]string{
			"asan", "asmflags", "buildmode", "compiler", "cover", "covermode", "coverpkg", "gccgoflags", "gcflags", "installsuffix", "json",
			"ldflags", "linkshared", "msan", "n", "overlay", "pgo", "pkgdir", "race", "toolexec", "trimpath", "x",
		}, name)
	}), " ")
}

// command runs a program in a directory, with additions to the environment, and returns its output. Its error contains the
// program's standard error.
func (t *Toolchain) command(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	defer logCommand(t.config.CellLog, time.Now(), cmd)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), env...), "GOWORK=off")
	if temp := goroot.Lookup(env, "TMPDIR"); temp != "" {
		// A command that is killed leaves its temporary files, which may be a hundred megabytes.
		own, err := os.MkdirTemp(temp, "command-")
		if err != nil {
			return nil, fmt.Errorf("make a directory for temporary files of %s: %w", filepath.Base(name), err)
		}
		defer os.RemoveAll(own)
		cmd.Env = append(cmd.Env, "TMPDIR="+own)
	}
	// When a go command is cancelled, its compilers must be killed, too.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	runtime.LockOSThread() // Pdeathsig refers to the thread that starts the command
	defer runtime.UnlockOSThread()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		// The compiler writes its errors to standard output.
		if msg := strings.TrimSpace(errs.String() + out.String()); msg != "" {
			return nil, fmt.Errorf("%s: %w", msg, err)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out.Bytes(), nil
}

// writeFile writes a file that other processes may be using, and creates its directory.
func writeFile(path string, data []byte) error { return writeFileMode(path, data, 0o644) }

func writeFileMode(path string, data []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return intact.Write(path, data, mode)
}
