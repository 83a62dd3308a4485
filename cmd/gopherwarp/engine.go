//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/course"
	"github.com/gopherwarp/gopherwarp/internal/completion"
	"github.com/gopherwarp/gopherwarp/internal/debugger"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/logging"
	"github.com/gopherwarp/gopherwarp/internal/progress"
	"github.com/gopherwarp/gopherwarp/internal/session"
	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/magics"
)

// goplsIdle is how long an idle gopls, which takes more memory than all other processes, is kept for the next completion.
const goplsIdle = 5 * time.Minute

// cacheDir returns the directory for files that can be built or fetched again.
func cacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for caches: %w: set HOME, or XDG_CACHE_HOME to such a folder, and start the kernel again", err)
	}
	return filepath.Join(cache, "gopherwarp"), nil
}

// sessionConfig returns the configuration of sessions: the packages of this module, and this program as the one that
// serves devices.
func sessionConfig() (session.Config, error) {
	cache, err := cacheDir()
	if err != nil {
		return session.Config{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return session.Config{}, fmt.Errorf("find this program: %w", err)
	}
	logs, err := logging.Open("kernel")
	if err != nil {
		return session.Config{}, err
	}
	return session.Config{
		Cache:   cache,
		Env:     append([]string{"GOPHERWARP_BIN=" + self}, logs.Environ()...),
		Log:     logs.Of(logging.Session),
		CellLog: logs.Of(logging.Cells),
		Sources: gopherwarp.Sources,
		Packages: []string{
			session.ModulePath + "/gpu",
			session.ModulePath + "/gpu/check",
			session.ModulePath + "/gpu/nd",
			session.ModulePath + "/gpu/nd/images",
			session.ModulePath + "/gpu/nd/npy",
			session.ModulePath + "/gpu/nd/random",
			session.ModulePath + "/gpu/lens",
			session.ModulePath + "/gpu/prof",
			session.ModulePath + "/gpu/vec",
			session.ModulePath + "/display",
			session.ModulePath + "/display/plot",
			session.ModulePath + "/display/widget",
			session.ModulePath + "/verify",
		},
		Optional: optional(),
		// The order matters: at the end of a cell prochost stops the clock before gpuhost may fail the cell.
		Extensions: []string{
			session.ModulePath + "/internal/cellruntime/exit/exithost",
			session.ModulePath + "/internal/cellruntime/prochost",
			session.ModulePath + "/internal/cellruntime/testhost",
			session.ModulePath + "/internal/cellruntime/gpuhost",
		},
		Advice: "run the cells that you need again, or all that had succeeded with %restore",
	}, nil
}

// optional returns the packages of this module that cells import by their path, with everything that has to be fetched for
// each: packages of other modules, and the modules that these import.
func optional() map[string][]string {
	const purego = "github.com/ebitengine/purego"
	return map[string][]string{
		session.ModulePath + "/gpu/nd/arrowio": {
			"github.com/apache/arrow-go/v18/arrow/ipc", "github.com/apache/arrow-go/v18/arrow/tensor", "github.com/goccy/go-json",
			"github.com/google/flatbuffers", "github.com/klauspost/compress", "github.com/klauspost/cpuid/v2", "github.com/pierrec/lz4/v4",
			"github.com/zeebo/xxh3", "golang.org/x/exp", "golang.org/x/sys",
		},
		session.ModulePath + "/gpu/nd/dlpack": {purego},
		session.ModulePath + "/gpu/rank":      nil,
		session.ModulePath + "/gpu/nd/xla":    {purego},
		// These share the following.
		session.ModulePath + "/gpu/nd/internal": {purego},
	}
}

func newEngine(context.Context) (kernel.Engine, error) {
	config, err := sessionConfig()
	if err != nil {
		return nil, err
	}
	var gonbui *magics.Gonbui
	config.EnvIn = func(dir string) (env []string, err error) {
		if gonbui, err = magics.ServeGonbui(dir); err == nil {
			env = gonbui.Env()
		}
		return env, err
	}
	s, err := session.New(config)
	if err != nil {
		return nil, err
	}
	ed := completion.New(completion.Config{
		Session: s.Knowledge, Gopls: completion.FindGopls(config.Cache, goroot.Guess(config.Cache)), Cache: filepath.Join(config.Cache, "gopls"), Idle: goplsIdle,
	})
	return magics.New(s, magics.Config{Version: buildVersion(), Editor: ed, Gonbui: gonbui, Tutor: newTutor(), Lessons: newGuide(), Debugger: debugger.New(debugger.Config{Cache: config.Cache, Go: s.Go})}), nil
}

// courseVariable has the directory with the source of a course that is not the one in this program.
const courseVariable = "GOPHERWARP_COURSE"

// courseSource returns the source of the course: that in a directory, or that of this program.
func courseSource(dir string) fs.FS {
	if dir == "" {
		return course.Source()
	}
	return os.DirFS(dir)
}

// newGuide returns the guide to the lessons, with this user's progress.
func newGuide() *course.Guide {
	path, err := progress.Path()
	if err != nil {
		path = "" // cells run without a home directory, too; the progress is that of this session
	}
	fsys := courseSource(os.Getenv(courseVariable))
	return course.NewGuide(func(seed string) ([]*course.Lesson, error) { return course.LoadVariant(fsys, seed) }, progress.Open(path))
}

// warm builds the session program and compiles the standard library for cells.
func warm(ctx context.Context, progress io.Writer) error {
	config, err := sessionConfig()
	if err != nil {
		return err
	}
	tools, err := session.OpenToolchain(ctx, config, func(step string) { fmt.Fprintln(progress, step, "…") })
	if err != nil {
		return err
	}
	fmt.Fprintln(progress, "Compiling the rest of the standard library for cells …")
	if err := tools.Warm(ctx); err != nil {
		return err
	}
	// Without network gopls can't be installed, but cells work.
	if err := completion.InstallGopls(ctx, config.Cache, tools.Go(), func(step string) { fmt.Fprintln(progress, step, "…") }); err != nil {
		fmt.Fprintf(progress, "No gopls, so completion has less information: %v\n", err)
	}
	return nil
}
