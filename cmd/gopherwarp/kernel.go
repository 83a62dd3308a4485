package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gopherwarp/gopherwarp/install"
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
	addGoToPath()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go watchParent(ctx, cancel)
	// Before the engine starts: an interrupt that comes early must not kill the kernel.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)

	eng, err := a.newEngine(ctx)
	if err != nil {
		return fmt.Errorf("start the engine: %w", err)
	}
	return kernel.Serve(ctx, conn, eng, kernel.Config{
		Info: kernelInfo(), Interrupts: interrupts, History: historyFile(),
	})
}

// historyFile says where cells are kept for later sessions; empty means nowhere.
func historyFile() string {
	switch file := os.Getenv(kernel.HistoryEnv); file {
	case "":
	case "off":
		return ""
	default:
		return file
	}
	data := os.Getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the standard says to take a relative one as unset
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		data = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(data, "gopherwarp", "history.sqlite")
}

func kernelInfo() kernel.Info {
	goVersion := strings.TrimPrefix(toolchainVersion(), "go")
	return kernel.Info{
		Implementation:        install.KernelName,
		ImplementationVersion: buildVersion(),
		Banner:                "gopherwarp " + buildVersion() + ": Go with GPU programming. %help lists what a cell can do beyond Go.",
		Language: kernel.LanguageInfo{
			Name:              "go",
			Version:           goVersion,
			MIMEType:          "text/x-go",
			FileExtension:     ".go",
			PygmentsLexer:     "go",
			CodeMirrorMode:    "go",
			NBConvertExporter: "script",
		},
		HelpLinks: []kernel.HelpLink{
			{Text: "Go standard library", URL: "https://pkg.go.dev/std"},
			{Text: "Go language specification", URL: "https://go.dev/ref/spec"},
			{Text: "CUDA C++ programming guide", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/"},
		},
	}
}

// toolchainVersion is the version of the Go that compiles cells, as in "go1.26.3". It is read
// from a file, since front ends wait for the answer that it is part of and the go command
// takes its time.
func toolchainVersion() string {
	// A version that the user asked for, perhaps as go1.26.3+auto.
	if asked, _, _ := strings.Cut(os.Getenv("GOTOOLCHAIN"), "+"); strings.HasPrefix(asked, "go1") {
		return asked
	}
	program, err := filepath.EvalSymlinks(install.FindGo())
	if err != nil {
		return runtime.Version()
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(program)), "VERSION"))
	version, _, _ := strings.Cut(string(data), "\n")
	if err != nil || !strings.HasPrefix(version, "go1") {
		return runtime.Version()
	}
	return version
}

// addGoToPath lets cells find a Go toolchain that the front end's environment does not name: a
// JupyterLab that was started from a menu or by a hub often has a bare PATH.
func addGoToPath() {
	if _, err := exec.LookPath("go"); err == nil {
		return
	}
	if path := install.FindGo(); path != "" {
		os.Setenv("PATH", filepath.Dir(path)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
}

// watchParent ends the kernel when the program that started it is gone: nobody could shut it
// down any more.
func watchParent(ctx context.Context, end func()) {
	parent := os.Getppid()
	if os.Getenv("JPY_PARENT_PID") == "" || parent == 1 {
		return // started by hand, or in a container as the first program's child
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
