//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/internal/goroot"
	"github.com/gopherwarp/gopherwarp/internal/logging"
	"github.com/gopherwarp/gopherwarp/internal/statusfile"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func (a *app) kernelCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "kernel -f FILE",
		Short: "Run the kernel for the front end that wrote a connection file",
		Long:  "Run the kernel for the front end that wrote a connection file. Jupyter starts this; you don't have to.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.kernel(cmd.Context(), file)
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "connection file")
	if err := cmd.MarkFlagRequired("file"); err != nil {
		panic(err) // the flag is defined one line above
	}
	return cmd
}

func (a *app) kernel(ctx context.Context, file string) error {
	conn, err := kernel.ReadConnectionFile(file)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watchParent(ctx, cancel)
	// Before the engine starts, since an early interrupt must not kill the kernel.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)

	eng, err := a.newEngine(ctx)
	if err != nil {
		err = fmt.Errorf("start the session: %w", err)
		fmt.Fprintln(os.Stderr, "gopherwarp:", err)
		eng = noEngine{err} // if the kernel exited, the notebook would show no error
	}
	logs, _ := logging.Open("kernel") // newEngine has reported the error
	status := statusfile.New(statusfile.Kernel)
	defer status.Close()
	setState := func(busy bool) {
		state := "idle"
		if busy {
			state = "busy"
		}
		status.Set(state, time.Now().Unix())
	}
	setState(false)
	return kernel.Serve(ctx, conn, eng, kernel.Config{
		Info: kernelInfo(), Interrupts: interrupts, History: historyFile(), Wire: logs.Of(logging.Wire), OnState: setState,
	})
}

// historyFile returns the file that keeps cells for later sessions, or "" for none.
func historyFile() string {
	switch file := os.Getenv(kernel.HistoryEnv); file {
	case "":
	case "off":
		return ""
	default:
		return file
	}
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // by the XDG specification a relative path is ignored
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "gopherwarp", "history.sqlite")
}

func kernelInfo() kernel.Info {
	cache, _ := cacheDir() // without it no toolchain is found there
	return kernel.Info{
		Implementation:        install.KernelName,
		ImplementationVersion: buildVersion(),
		Banner:                "gopherwarp " + buildVersion() + ": Go with GPU programming. %help lists what a cell can do beyond Go.",
		Language:              install.Language(goroot.Guess(cache)),
		HelpLinks: []kernel.HelpLink{
			{Text: "gopherwarp guide", URL: install.DocsURL + "guide.md"},
			{Text: "gopherwarp troubleshooting", URL: install.DocsURL + "troubleshooting.md"},
			{Text: "Go standard library", URL: "https://pkg.go.dev/std"},
			{Text: "Go language specification", URL: "https://go.dev/ref/spec"},
			{Text: "CUDA C++ programming guide", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"},
		},
	}
}

// watchParent ends the kernel after the program that started it has exited: no other
// program could shut it down.
func watchParent(ctx context.Context, end func()) {
	parent := os.Getppid()
	if os.Getenv("JPY_PARENT_PID") == "" || parent == 1 {
		return // it was started by hand, or in a container by the first process
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				end()
				return
			}
		}
	}
}
