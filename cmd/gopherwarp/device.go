//go:build linux

package main

import (
	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/gpu/device"
)

func deviceCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "device",
		Short:              "Serve a device to a session, or list the devices (--list)",
		Long:               "Serve a device to the session that started this process. Sessions do that themselves; --list is for people.",
		DisableFlagParsing: true, // package device has its own
		RunE: func(_ *cobra.Command, args []string) error {
			if status := device.Main(args); status != 0 {
				return exitStatus(status)
			}
			return nil
		},
	}
}
