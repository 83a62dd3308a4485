package goroot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
)

// Env is the environment variable that names a Go for cells: the path of a go command or of a toolchain's directory. "off" forbids
// fetching one.
const Env = "GOPHERWARP_GO"

// A Toolchain is a Go that cells are compiled with.
type Toolchain struct {
	Root    string // its directory, GOROOT
	Version string // "go1.27.3"
	Notice  string // why it is not the environment's; "" if it is
}

// Program returns the path of the go command.
func (t Toolchain) Program() string { return filepath.Join(t.Root, "bin", "go") }

// Environ returns the environment variables with which go commands, and programs that call them, use only this
// toolchain. They must follow the rest of the environment env.
func (t Toolchain) Environ(env []string) []string {
	path := t.Root + "/bin"
	if old := Lookup(env, "PATH"); old != "" {
		path += string(os.PathListSeparator) + old
	}
	return []string{"GOROOT=" + t.Root, "GOTOOLCHAIN=local", "PATH=" + path}
}

// Lookup returns the value of a variable in an environment, in which the last value counts.
func Lookup(env []string, name string) string {
	for _, e := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// Options are the options of the search.
type Options struct {
	places   []string // instead of the machine's directories, for tests
	checksum string   // instead of the release's, for tests

	Dir      string            // where cells run; its module may ask for a newer Go. "" is the working directory
	Env      []string          // added to the environment of go commands
	Cache    string            // directory for fetched toolchains
	Rejected map[string]string // directories of toolchains that must not be used, with the reasons
	// Fetch makes Find fetch a toolchain if there is none. Progress is called with messages about it.
	Fetch    bool
	Progress func(string)
}

// Find returns the toolchain for cells: the environment's, if it is known and as new as the notebook's module asks
// for, or else the newest known one.
func Find(ctx context.Context, o Options) (Toolchain, error) {
	named := os.Getenv(Env)
	if named != "" && named != "off" {
		return o.named(ctx, named)
	}
	first, why := o.environment(ctx)
	wish := Wanted(o.Dir)
	if why == "" {
		if wish.Version == "" || version.Compare("go"+wish.Version, first.bare()) <= 0 {
			return first, nil
		}
		why = fmt.Sprintf("%s:%d asks for Go %s, and %s in %s is older", wish.File, wish.Line, wish.Version, first.Version, first.Root)
	}
	if t, ok := o.newest(); ok && (first.Root == "" || version.Compare(t.bare(), first.bare()) > 0) {
		t.Notice = fmt.Sprintf("%s: cells use %s in %s", why, t.Version, t.Root)
		return t, nil
	}
	if first.Root != "" {
		return first, nil // the go command reports it where the module is needed
	}
	release := newestUsable()
	switch {
	case named == "off":
		return Toolchain{}, fmt.Errorf("%s, and %s=off forbids fetching %s: install Go %s from https://go.dev/dl, or unset %[2]s", why, Env, release.Toolchain, numbers())
	case !o.Fetch:
		return Toolchain{Version: release.Toolchain, Notice: why + ": " + release.Toolchain + " is fetched when the first cell runs"}, nil
	case o.Rejected[o.fetched(release)] != "":
		return Toolchain{}, fmt.Errorf("%s, and %s, which was fetched, can't be used either: %s. Install Go %s from https://go.dev/dl, or name one in %s",
			why, release.Toolchain, o.Rejected[o.fetched(release)], numbers(), Env)
	}
	root, err := o.fetch(ctx, release, why)
	if err != nil {
		return Toolchain{}, fmt.Errorf("%s, and %s can't be fetched: %w. Install Go %s from https://go.dev/dl, or name one in %s", why, release.Toolchain, err, numbers(), Env)
	}
	return Toolchain{Root: root, Version: release.Toolchain, Notice: fmt.Sprintf("%s: cells use %s in %s", why, release.Toolchain, root)}, nil
}

// Guess returns the version of the Go that cells will be compiled with, according to files only, without running the go command: front
// ends wait for a reply that contains it.
func Guess(cache string) string {
	if named := os.Getenv(Env); named != "" && named != "off" {
		for _, root := range []string{named, filepath.Dir(filepath.Dir(named))} {
			if v := Version(root); v != "" {
				return v
			}
		}
	}
	o := Options{Cache: cache}
	usable := func(v string) bool { return v != "" && o.unfit("", v) == "" }
	// A version that the user has set, possibly as go1.26.3+auto.
	if asked, _, _ := strings.Cut(os.Getenv("GOTOOLCHAIN"), "+"); usable(asked) {
		return asked
	}
	if program, err := filepath.EvalSymlinks(Command()); err == nil {
		if v := Version(filepath.Dir(filepath.Dir(program))); usable(v) {
			return v
		}
	}
	if t, ok := o.newest(); ok {
		return t.Version
	}
	return newestUsable().Toolchain
}

// named returns the toolchain that the environment variable names. No other is used then.
func (o Options) named(ctx context.Context, name string) (Toolchain, error) {
	program := name
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		program = filepath.Join(name, "bin", "go")
	}
	t, why := o.ask(ctx, program)
	if why != "" {
		return Toolchain{}, fmt.Errorf("%s=%s can't be used: %s. Name a Go %s, or unset the variable", Env, name, why, numbers())
	}
	return t, nil
}

// environment returns the environment's Go, or why it can't be used.
func (o Options) environment(ctx context.Context) (t Toolchain, why string) {
	program := Command()
	if program == "" {
		return t, "there is no Go on this machine's PATH"
	}
	return o.ask(ctx, program)
}

// ask asks a go command which toolchain it runs, which GOTOOLCHAIN and go.mod may change. why is why that can't be
// used, or "".
func (o Options) ask(ctx context.Context, program string) (t Toolchain, why string) {
	env, err := o.goEnv(ctx, program)
	if err != nil {
		// A toolchain that GOTOOLCHAIN or go.mod asks for may not be available.
		env, err = o.goEnv(ctx, program, "GOTOOLCHAIN=local")
	}
	if err != nil {
		return t, fmt.Sprintf("%s does not run (%v)", program, err)
	}
	if why := o.unfit(env.GOROOT, env.GOVERSION); why != "" {
		return t, why
	}
	if Version(env.GOROOT) == "" {
		return t, fmt.Sprintf("%s in %s is without the standard library's sources or the compiler", env.GOVERSION, env.GOROOT)
	}
	return Toolchain{Root: env.GOROOT, Version: env.GOVERSION}, ""
}

type goEnv struct{ GOROOT, GOVERSION string }

func (o Options) goEnv(ctx context.Context, program string, more ...string) (env goEnv, err error) {
	cmd := exec.CommandContext(ctx, program, "env", "-json", "GOROOT", "GOVERSION")
	cmd.Dir, cmd.Env = o.Dir, slices.Concat(os.Environ(), o.Env, more)
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &env)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		err = errors.New(first)
	}
	return env, err
}

// unfit returns why a toolchain can't be used for cells, or "" if it can.
func (o Options) unfit(root, goversion string) string {
	_, known := gorelease.Find(goversion)
	switch {
	case o.Rejected[root] != "":
		return fmt.Sprintf("%s in %s can't be used (%s)", goversion, root, o.Rejected[root])
	case !known:
		return fmt.Sprintf("%s in %s is not one of the releases that this gopherwarp supports (%s)", goversion, root, numbers())
	case version.Compare(version.Lang(goversion), version.Lang(runtime.Version())) > 0:
		return fmt.Sprintf("%s in %s is newer than the Go that gopherwarp was built with (%s)", goversion, root, runtime.Version())
	}
	return ""
}

// bare returns the version without experiments.
func (t Toolchain) bare() string {
	v, _, _ := strings.Cut(t.Version, " ")
	return v
}

// newest returns the newest usable toolchain on the machine.
func (o Options) newest() (best Toolchain, ok bool) {
	for _, root := range o.installed() {
		v := Version(root)
		if v == "" || o.unfit(root, v) != "" {
			continue
		}
		if t := (Toolchain{Root: root, Version: v}); !ok || version.Compare(t.bare(), best.bare()) > 0 {
			best, ok = t, true
		}
	}
	return best, ok
}

// newestUsable returns the newest known release that is not newer than the Go that this program was built with, whose
// type checker checks cells.
func newestUsable() gorelease.Release {
	known := gorelease.Known()
	i := slices.IndexFunc(known, func(r gorelease.Release) bool {
		return version.Compare(r.Language, version.Lang(runtime.Version())) > 0
	})
	if i < 0 {
		i = len(known)
	}
	return known[max(i-1, 0)]
}

// numbers returns the list of known releases: "1.26 or 1.27".
func numbers() string {
	var all []string
	for _, r := range gorelease.Known() {
		all = append(all, strings.TrimPrefix(r.Language, "go"))
	}
	last := all[len(all)-1]
	return strings.Join(slices.DeleteFunc([]string{strings.Join(all[:len(all)-1], ", "), last}, func(s string) bool { return s == "" }), " or ")
}

// cacheDir returns the directory of fetched toolchains.
func cacheDir(cache string) string { return filepath.Join(cmp.Or(cache, os.TempDir()), "go") }
