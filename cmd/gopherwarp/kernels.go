//go:build linux

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/internal/gokernel"
)

func kernelsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [PACKAGE...]",
		Short: "Write launchers beside the Go kernels of packages",
		Long: `Write launchers beside the Go kernels of packages.

A kernel is a function with the comment ` + gokernel.Directive + `. For each package that has kernels the file ` + gokernel.GeneratedFile + ` gets two
functions for each: launchNAME, which runs it on the device, and runNAME, which runs it as plain Go; both are exported
if the kernel is. The package then builds with go build alone. The file also has the translations of functions that the
package passes to nd.Map, Map2, Map3, Reduce and Accumulate by name. PACKAGE is as for the go command, and . if there is none.

In a Go file:

  //go:generate gopherwarp kernels`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			written, err := gokernel.Generate("", args...)
			for _, file := range written {
				fmt.Fprintln(cmd.OutOrStdout(), file)
			}
			return err
		},
	}
}
