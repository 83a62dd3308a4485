//go:build linux

package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/gpu/device"
)

func programCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "program FILE.cu [ARGUMENTS]",
		Short: "Compile and run a CUDA C++ program, on a GPU or on the simulator",
		Long: "Compile and run a CUDA C++ program that has a main: by nvcc on a GPU, or on the simulator.\n" +
			"--device sim:t4 picks the device, --check looks for defects, --flag=-DN=3 is an option of the compiler, --build does not run it.",
		DisableFlagParsing: true, // package device parses them
		RunE: func(_ *cobra.Command, args []string) error {
			if slices.Contains(args, "--build") { // otherwise the program runs with the TMPDIR of this process
				if err := useSessionTemp(); err != nil {
					return err
				}
			}
			if status := device.Program(args); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
}
