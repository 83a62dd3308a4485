//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/internal/export"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

type exportOptions struct {
	replace string
	force   bool
}

func exportCommand() *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export NOTEBOOK.ipynb DIR",
		Short: "Write a notebook as a Go program, which builds without gopherwarp",
		Long: `Write a notebook as a Go program, which builds without gopherwarp.

DIR becomes a Go module with the notebook's declarations, its kernels with their source in .cu files, and its
statements in the order of the cells. The program prints what the notebook printed, and runs kernels without
gopherwarp on the machine. Magics without a meaning in a program are left out, and comments say so. If a cell
can't be exported nothing is written.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return exportNotebook(cmd.Context(), args[0], args[1], o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.replace, "replace", "", "use the sources of gopherwarp in `FOLDER` instead of the published ones")
	f.BoolVar(&o.force, "force", false, "write into a folder that has files, over those of the same names")
	return cmd
}

func exportNotebook(ctx context.Context, path, dir string, o exportOptions, stdout, stderr io.Writer) error {
	nb, err := nbformat.Read(path)
	if err != nil {
		return err
	}
	if language, name := nb.Language(); language != "" && language != "go" {
		return fmt.Errorf("%s is in %s (kernel %q), and this exports notebooks in Go: its kernel would have to be %s", path, language, name, install.KernelName)
	}
	if err := export.CheckDir(dir, o.force); err != nil {
		return err
	}
	if o.replace != "" {
		if o.replace, err = export.CheckReplace(o.replace); err != nil {
			return err
		}
	}
	config, err := sessionConfig()
	if err != nil {
		return err
	}
	if config.Dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return fmt.Errorf("find the notebook's folder: %w", err)
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	program, err := export.Notebook(ctx, nb, export.Options{
		Session: config, Notebook: filepath.Base(path), Dir: config.Dir, Module: export.ModuleName(dir), Version: buildVersion(), Replace: o.replace, Progress: stderr,
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := program.Write(dir); err != nil {
		return err
	}
	for _, left := range program.Left {
		fmt.Fprintln(stdout, left)
	}
	fmt.Fprintf(stdout, "%s is a program now. Build it:\n\n    cd %s\n", path, dir)
	switch {
	case !program.Needs || o.replace != "":
		fmt.Fprintf(stdout, "    go build\n")
	case export.Published(buildVersion()):
		fmt.Fprintf(stdout, "    go mod tidy\n    go build\n")
	default:
		fmt.Fprintf(stdout, "    go mod edit -replace github.com/gopherwarp/gopherwarp=FOLDER\n    go build\n\nFOLDER has the sources of gopherwarp: this build of it, %s, is not a published version.\n", buildVersion())
	}
	return nil
}
