//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// version is set by the build.
var version = ""

// app has the functions that subcommands call, which tests replace.
type app struct {
	// newEngine returns the engine of a kernel.
	newEngine func(ctx context.Context) (kernel.Engine, error)
	// warm builds the caches that make the first cell fast, and writes its progress. Nil
	// means that there are none.
	warm func(ctx context.Context, progress io.Writer) error
}

func main() {
	a := &app{newEngine: newEngine, warm: warm}
	os.Exit(a.main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// main runs a command line and returns the exit status.
func (a *app) main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := a.command()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	fmt.Fprintf(stderr, "gopherwarp: %v\n", err)
	return 1
}

// exitStatus is the exit status of a command that has already printed its errors.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "gopherwarp",
		Short:         "A Jupyter kernel for Go with GPU programming",
		Version:       buildVersion(),
		SilenceUsage:  true,
		SilenceErrors: true, // main prints them
	}
	root.AddCommand(
		a.kernelCommand(), a.runCommand(), exportCommand(), kernelsCommand(), a.installCommand(), a.uninstallCommand(),
		a.doctorCommand(), courseCommand(), tutorCommand(), deviceCommand(), programCommand(), topCommand(), versionCommand(),
	)
	return root
}

// buildVersion returns the version set by the build, or the module's version if "go
// install" built it.
func buildVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
