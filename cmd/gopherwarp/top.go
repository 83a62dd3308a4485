//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/internal/top"
)

func topCommand() *cobra.Command {
	var asJSON bool
	var every time.Duration
	cmd := &cobra.Command{
		Use:   "top",
		Short: "List the kernels that run: their memory, devices and idle time",
		Long: "List the kernels of this user, or for root those of all users: whether a cell runs and for how long, the host memory of all their processes, " +
			"the memory that they have reserved on devices, and what was moved to host memory while a device is suspended (GOPHERWARP_GPU_IDLE).",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if every < 0 {
				return fmt.Errorf("--every %v: the time between two lists can't be negative", every)
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return listKernels(ctx, cmd.OutOrStdout(), asJSON, every)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, one array for each list")
	cmd.Flags().DurationVar(&every, "every", 0, "list again after this time, until interrupted")
	return cmd
}

// listKernels prints the kernels, again and again if every is not 0.
func listKernels(ctx context.Context, out io.Writer, asJSON bool, every time.Duration) error {
	for {
		kernels, err := top.Kernels()
		if err != nil {
			return err
		}
		switch {
		case asJSON:
			if kernels == nil {
				kernels = []top.Kernel{}
			}
			err = json.NewEncoder(out).Encode(kernels)
		case len(kernels) == 0:
			_, err = fmt.Fprintln(out, "no kernels run")
		default:
			_, err = fmt.Fprint(out, top.Table(kernels, time.Now()).Text())
			for _, k := range kernels {
				for _, d := range k.Devices {
					if d.Held != "" {
						fmt.Fprintf(out, "kernel %d keeps %s: %s\n", k.PID, d.Name, d.Held)
					}
				}
			}
		}
		if err != nil || every == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}
