//go:build linux

package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/internal/session"
)

// useSessionTemp makes compilers use the directory for temporary files of the session that started this process.
func useSessionTemp() error {
	if dir := session.TempDirFor(os.Environ()); dir != "" {
		return os.Setenv("TMPDIR", dir)
	}
	return nil
}

func deviceCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "device",
		Short:              "Serve a device to a session, or list the devices (--list)",
		Long:               "Serve a device to the session that started this process. Sessions do that themselves; --list is for people.",
		DisableFlagParsing: true, // package device parses them
		RunE: func(_ *cobra.Command, args []string) error {
			if err := useSessionTemp(); err != nil {
				return err
			}
			if status := device.Main(args); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
}
