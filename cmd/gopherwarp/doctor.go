//go:build linux

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
)

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, repair bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and print how to install what is missing",
		Long: `Check this machine and print how to install what is missing.

The exit status is 0 if cells and the GPU simulator can work, and 1 if not.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			config, err := sessionConfig()
			if err != nil {
				return err
			}
			var kept []install.Finding
			if repair {
				r := install.Repairer{Config: config, History: historyFile(), Progress: func(step string) { fmt.Fprintln(cmd.ErrOrStderr(), step, "…") }}
				kept = r.Repair(cmd.Context())
			}
			program, err := os.Executable()
			if err != nil {
				return fmt.Errorf("finding this program: %w", err)
			}
			report := install.Examine(cmd.Context(), install.Program{Path: program, Version: buildVersion()}, config).With(kept)
			write := report.WriteText
			if asJSON {
				write = report.WriteJSON
			}
			if err := write(cmd.OutOrStdout()); err != nil {
				return err
			}
			if !report.OK {
				return exitStatus(1)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().BoolVar(&repair, "repair", false, "check all files that are kept on disk, and repair damaged ones")
	return cmd
}
