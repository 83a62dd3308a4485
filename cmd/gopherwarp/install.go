//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
)

// placeFlags select the Jupyter data directory for the kernelspec.
type placeFlags struct {
	user, sysPrefix bool
	prefix, name    string
}

func (p *placeFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&p.user, "user", false, "for this user (the default)")
	f.StringVar(&p.prefix, "prefix", "", "under `FOLDER`/share/jupyter")
	f.BoolVar(&p.sysPrefix, "sys-prefix", false, "for the active virtual environment, or else for python3's installation")
	f.StringVar(&p.name, "name", install.KernelName, "name of the kernel's folder")
	cmd.MarkFlagsMutuallyExclusive("user", "prefix", "sys-prefix")
}

// dataDir returns the Jupyter data directory that the flags select.
func (p *placeFlags) dataDir(cmd *cobra.Command) (string, error) {
	switch {
	case p.prefix != "":
		prefix, err := filepath.Abs(p.prefix)
		if err != nil {
			return "", fmt.Errorf("--prefix: %w", err)
		}
		return install.PrefixDataDir(prefix), nil
	case p.sysPrefix:
		prefix, err := install.SysPrefix(cmd.Context())
		if err != nil {
			return "", fmt.Errorf("--sys-prefix: %w", err)
		}
		return install.PrefixDataDir(prefix), nil
	}
	return install.UserDataDir()
}

func (a *app) installCommand() *cobra.Command {
	var place placeFlags
	noCaches := false
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the kernel for Jupyter and build its caches",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dataDir, err := place.dataDir(cmd)
			if err != nil {
				return err
			}
			binary, err := ownPath()
			if err != nil {
				return err
			}
			dir, err := install.Kernelspec{Name: place.name, Binary: binary}.Install(dataDir)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "Installed the kernel in %s\n", dir)
			if noCaches {
				return nil
			}
			return a.warmUp(cmd, out)
		},
	}
	place.register(cmd)
	cmd.Flags().BoolVar(&noCaches, "no-caches", false, "leave the caches to the first cell")
	return cmd
}

// warmUp builds the caches. Without them the kernel works, but its first start is slow,
// so an error tells how to find the problem.
func (a *app) warmUp(cmd *cobra.Command, out io.Writer) error {
	if a.warm == nil {
		return nil
	}
	if err := a.warm(cmd.Context(), out); err != nil {
		return fmt.Errorf("the kernel is installed, but its caches can't be built: %w\n'gopherwarp doctor' says what is missing", err)
	}
	return nil
}

// ownPath returns the path of this program for the kernelspec.
func ownPath() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program's file: %w", err)
	}
	return path, nil
}

func (a *app) uninstallCommand() *cobra.Command {
	var place placeFlags
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove the kernel from Jupyter",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dataDir, err := place.dataDir(cmd)
			if err != nil {
				return err
			}
			dir, err := install.Uninstall(dataDir, place.name)
			if errors.Is(err, install.ErrNotInstalled) {
				return fmt.Errorf("%w; 'gopherwarp doctor' says where it is", err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Removed %s\n", dir)
			return nil
		},
	}
	place.register(cmd)
	return cmd
}
