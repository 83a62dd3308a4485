package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gopherwarp/gopherwarp"
	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/magics"
	"github.com/gopherwarp/gopherwarp/session"
)

// sessionConfig says what sessions consist of: the packages of this module, and this
// program as the one that serves devices.
func sessionConfig() (session.Config, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return session.Config{}, fmt.Errorf("find a folder for caches: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return session.Config{}, fmt.Errorf("find this program: %w", err)
	}
	return session.Config{
		Cache:   filepath.Join(cache, "gopherwarp"),
		Env:     []string{"GOPHERWARP_BIN=" + self},
		Sources: gopherwarp.Sources,
		Packages: []string{
			session.ModulePath + "/gpu",
			session.ModulePath + "/display",
			session.ModulePath + "/verify",
		},
		// At the end of a cell the clock of prochost stops before gpuhost may fail the cell.
		Extensions: []string{
			session.ModulePath + "/session/exit/exithost",
			session.ModulePath + "/magics/prochost",
			session.ModulePath + "/magics/testhost",
			session.ModulePath + "/magics/gpuhost",
		},
		Advice: "Run the cells that you need again, or all of them with %restore.",
	}, nil
}

func newEngine(context.Context) (kernel.Engine, error) {
	config, err := sessionConfig()
	if err != nil {
		return nil, err
	}
	s, err := session.New(config)
	if err != nil {
		return nil, err
	}
	return magics.New(s), nil
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
	return tools.Warm(ctx)
}
