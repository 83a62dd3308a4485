package sim

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	checkmode "github.com/gopherwarp/gopherwarp/gpu/internal/sim/check"
	"github.com/gopherwarp/gopherwarp/internal/diskcache"
	"github.com/gopherwarp/gopherwarp/internal/intact"
)

//go:embed all:shim
var shim embed.FS

// compileLimit is the maximum duration of a compilation.
const compileLimit = 2 * time.Minute

// runtimeName is the soname of the runtime that kernels are linked to; the loader finds the
// loaded library by it.
const runtimeName = "libgopherwarp-sim.so"

// A toolchain is the host's compiler, the headers it needs, and the cache of its output.
type toolchain struct {
	gxx   string
	clang bool   // it is clang++, not g++
	id    string // of compiler, flags, processor and shim; part of every cache path
	cache string // directory of the headers and libraries of all compilers
	shim  string // directory of the headers, in the cache

	kernels *diskcache.Cache // compiled programs
}

// locateToolchain finds the compiler and the directory of its cached output.
func locateToolchain() (*toolchain, error) {
	path, err := findCompiler()
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, wrap(codeJITCompilerNotFound, err, "looking at the C++ compiler")
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return nil, wrap(codeSystemNotReady, err, "finding the directory for compiled kernels (set HOME or XDG_CACHE_HOME)")
	}
	t := &toolchain{gxx: path, clang: isClang(path), cache: filepath.Join(base, "gopherwarp", "sim"), kernels: kernels()}

	h := sha256.New()
	fmt.Fprintln(h, "layout 7", checkmode.CompilerFlags(t.clang, false), checkmode.CompilerFlags(t.clang, true))
	fmt.Fprintln(h, path, info.Size(), info.ModTime().UnixNano(), processor(), t.commonFlags(), t.kernelFlags(), objectFlags)
	for _, files := range []embed.FS{shim, checkmode.Files} {
		err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := files.ReadFile(name)
			fmt.Fprintln(h, name, len(text))
			h.Write(text)
			return err
		})
		if err != nil {
			return nil, wrap(codeSystemNotReady, err, "reading the simulator's own headers")
		}
	}
	t.id = hex.EncodeToString(h.Sum(nil))[:32]
	t.shim = filepath.Join(t.cache, t.id, "shim")
	return t, nil
}

// findToolchain returns the toolchain after unpacking its headers and removing the files of other toolchains.
func findToolchain() (*toolchain, error) {
	t, err := locateToolchain()
	if err != nil {
		return nil, err
	}
	if _, err = t.unpackAll(); err == nil {
		// The headers and libraries of earlier compilers and versions are still there.
		diskcache.Touch(filepath.Join(t.cache, t.id))
		diskcache.Expire(t.cache, diskcache.Keep)
	}
	return t, err
}

// findCompiler returns the path of CXX, or else of g++ or clang++.
func findCompiler() (string, error) {
	names := []string{"g++", "clang++"}
	if name := os.Getenv("CXX"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			if path, err = filepath.EvalSymlinks(path); err == nil {
				return path, nil
			}
		}
	}
	return "", errorf(codeJITCompilerNotFound,
		"the simulator compiles CUDA C++ with %s, which is not installed: run `apt install g++` (or your system's equivalent)", strings.Join(names, " or "))
}

// processor identifies the CPU, since code for one (-march=native) may not run on another.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	var b strings.Builder
	b.WriteString(runtime.GOARCH)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(line, ":")
		switch key = strings.TrimSpace(key); key {
		case "model name", "flags", "Features", "CPU part":
			if !seen[key] {
				seen[key] = true
				b.WriteString(value)
			}
		}
	}
	return b.String()
}

// run runs the compiler in a directory and returns its output. The error is an *exec.ExitError if
// the compiler rejected the source.
func (t *toolchain) run(dir string, stdin []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.gxx, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(stdin)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return out.String(), fmt.Errorf("the compiler did not end within %v", compileLimit)
	}
	return out.String(), err
}

// buildRuntime returns the path of the compiled runtime.
func (t *toolchain) buildRuntime() (string, error) {
	return t.buildOnce(t.runtimePath(), "the simulator's runtime", header{name: preludeHeader}, func(tmp, out string) (string, error) {
		args := append(t.commonFlags(), "-O2", "-std=c++17", "-Wl,-soname,"+runtimeName, "-o", out, filepath.Join(t.shim, "runtime.cpp"))
		return t.run(tmp, nil, args...)
	})
}

// buildOnce returns the path of a file that programs are linked to, after building it if it is missing or damaged. A header that the same programs
// have is precompiled at the same time. The function build gets a temporary directory and the file's path there, and returns the compiler's messages.
func (t *toolchain) buildOnce(path, what string, h header, build func(tmp, out string) (log string, err error)) (string, error) {
	if intact.Sealed(path, true) == nil {
		return path, nil
	}
	tmp, err := os.MkdirTemp(filepath.Dir(path), "build-")
	if err != nil {
		return "", wrap(codeSystemNotReady, err, "building %s", what)
	}
	defer os.RemoveAll(tmp)
	precompiled := make(chan struct{})
	go func() {
		defer close(precompiled)
		t.precompile(tmp, h)
	}()
	out := filepath.Join(tmp, filepath.Base(path))
	log, err := build(tmp, out)
	<-precompiled
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return "", errorf(codeSystemNotReady, "%s cannot build %s (it must be g++ 10 or later, 11 for check mode, or clang++ 16 or later):\n%s", t.gxx, what, log)
	}
	if err != nil {
		return "", wrap(codeSystemNotReady, err, "building %s with %s", what, t.gxx)
	}
	if err := keepSealed(out, path); err != nil {
		return "", wrap(codeSystemNotReady, err, "keeping %s", what)
	}
	return path, nil
}
