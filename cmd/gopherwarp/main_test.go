//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/install"
	"github.com/gopherwarp/gopherwarp/internal/nbformat"
	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/kernel/kerneltest"
)

// asProgram makes this test binary behave as the program, with an engine for tests. The run command starts its own file as
// the kernel, which is the test binary here.
const asProgram = "GOPHERWARP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(testApp().main(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Setenv(asProgram, "1") // for the kernels that tests start
	os.Setenv(kernel.HistoryEnv, "off")
	os.Exit(m.Run())
}

func testApp() *app {
	return &app{
		newEngine: func(context.Context) (kernel.Engine, error) {
			if os.Getenv("GOPHERWARP_DEVICE") == "cuda:9" {
				return nil, errors.New("there is no GPU 9")
			}
			return kerneltest.New(), nil
		},
		warm: func(_ context.Context, progress io.Writer) error {
			fmt.Fprintln(progress, "warming")
			return nil
		},
	}
}

func runApp(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = testApp().main(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// writeNotebook writes a notebook whose code cells have the given sources.
func writeNotebook(t *testing.T, metadata string, sources ...string) string {
	t.Helper()
	cells := []any{}
	for _, s := range sources {
		cells = append(cells, map[string]any{"cell_type": "code", "source": s, "metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil})
	}
	data, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": json.RawMessage(metadata), "cells": cells})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.ipynb")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		name     string
		metadata string
		cells    []string
		flags    []string
		status   int
		stdout   []string // parts of it
		stderr   []string
		shows    string // content of the file afterwards
	}{
		{
			"passes", `{}`,
			[]string{"\n# a comment\nout hello", "result 3"},
			nil, 0,
			[]string{"[1/2] # a comment ", " s  ok\n", "[2/2] result 3"},
			nil, "hello",
		},
		{
			"fails", `{}`,
			[]string{"out hello", "fail E v", "out never"},
			nil, 1,
			[]string{"[2/3] fail E v", "FAILED\n"},
			[]string{"test.ipynb: cell 2 of 3 failed: E: v\nE: v\nat line 1\n"},
			"hello",
		},
		{
			"fails in colour", `{}`,
			[]string{"fail \x1b[31mE\x1b[0m v"},
			nil, 1, nil,
			[]string{"\nE: v\nat line 1\n"},
			"u001b[31m",
		},
		{
			"goes on", `{}`,
			[]string{"fail E v", "out later"},
			[]string{"--allow-errors"},
			0,
			[]string{"FAILED\n", "[2/2]"},
			nil, "later",
		},
		{
			"takes too long", `{}`,
			[]string{"out hello\nsleep"},
			[]string{"--timeout", "100ms"},
			1,
			[]string{"FAILED\n"},
			[]string{"cell took longer than the timeout of 100ms\nInterrupted: the cell was interrupted"},
			"hello",
		},
		{
			"other language", `{"kernelspec": {"name": "python3", "language": "python"}}`,
			[]string{"print()"},
			nil, 1, nil,
			[]string{`is in python (kernel "python3"), and this is a kernel for Go`},
			"print()",
		},
		{"unknown model", `{}`, nil, []string{"--device", "sim: t4"}, 1, nil, []string{"--device sim: t4: want auto"}, ""},
		{"unknown device", `{}`, nil, []string{"--device", "gpu"}, 1, nil, []string{"--device gpu: want auto, sim, sim:MODEL"}, ""},
		{
			"engine does not start", `{}`,
			[]string{"out x"},
			[]string{"--device", "cuda:9"},
			1, nil,
			[]string{"cell 1 of 1 failed: StartError: start the session: there is no GPU 9"},
			"out x",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writeNotebook(t, tt.metadata, tt.cells...)
			status, stdout, stderr := runApp(t, append([]string{"run", path}, tt.flags...)...)
			if status != tt.status {
				t.Errorf("status %d, want %d", status, tt.status)
			}
			for _, part := range tt.stdout {
				if !strings.Contains(stdout, part) {
					t.Errorf("stdout lacks %q: %q", part, stdout)
				}
			}
			for _, part := range tt.stderr {
				if !strings.Contains(stderr, part) {
					t.Errorf("stderr lacks %q: %q", part, stderr)
				}
			}
			if data, err := os.ReadFile(path); err != nil || !strings.Contains(string(data), tt.shows) || strings.Contains(string(data), `"never"`) {
				t.Errorf("file: %s, %v", data, err)
			}
		})
	}
}

func TestRunIntoAnotherFile(t *testing.T) {
	path := writeNotebook(t, `{}`, "out hello")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.ipynb")
	if status, _, stderr := runApp(t, "run", path, "-o", out); status != 0 {
		t.Fatal(stderr)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the notebook itself changed: %s, %v", after, err)
	}
	nb, err := nbformat.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	if language, name := nb.Language(); language != "go" || name != "gopherwarp" || len(nb.Cells[0].Outputs()) != 1 {
		t.Errorf("language %q, kernel %q, outputs %v", language, name, nb.Cells[0].Outputs())
	}
}

func TestRunInterrupted(t *testing.T) {
	path := writeNotebook(t, `{}`, "out hello\nsleep", "out never")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "run", path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, len("[1/2]"))); err != nil { // it runs
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, stdout)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v: %s", err, stderr.String())
	}
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), `"never"`) {
		t.Errorf("file: %s, %v", data, err)
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"no notebook", "run /nowhere/x.ipynb", "gopherwarp: read notebook: open /nowhere/x.ipynb: no such file"},
		{"no argument", "run", "run needs a notebook"},
		{"no connection file", "kernel -f /nowhere/c.json", "/nowhere/c.json does not exist"},
		{"unknown command", "dance", `unknown command "dance"`},
		{"two places", "install --user --prefix /x", "none of the others can be"},
		{"bad name", "install --prefix /tmp --name a/b", `kernel name "a/b": use letters`},
		{"nothing to remove", "uninstall --prefix /nowhere", "the kernel is not installed there"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, _, stderr := runApp(t, strings.Fields(tt.args)...)
			if status != 1 || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d, stderr %q; want %q", status, stderr, tt.want)
			}
		})
	}
}

// TestInstalledKernelStarts starts the command in the kernelspec, as Jupyter does.
func TestInstalledKernelStarts(t *testing.T) {
	prefix := t.TempDir()
	if status, stdout, stderr := runApp(t, "install", "--prefix", prefix); status != 0 || !strings.Contains(stdout, "warming") {
		t.Fatalf("install: %s%s", stdout, stderr)
	}
	data, err := os.ReadFile(filepath.Join(install.PrefixDataDir(prefix), "kernels", "gopherwarp", "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec struct{ Argv []string }
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	k, err := kernel.Launch{Argv: spec.Argv, Log: os.Stderr}.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	info, err := k.KernelInfo(t.Context())
	if err != nil || info.Language.Name != "go" || info.Language.FileExtension != ".go" {
		t.Errorf("kernel_info = %+v, %v", info, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := k.Stop(ctx); err != nil {
		t.Error(err)
	}
	if status, _, stderr := runApp(t, "uninstall", "--prefix", prefix); status != 0 {
		t.Error(stderr)
	}
}

func TestHistoryFile(t *testing.T) {
	for _, tt := range []struct{ env, data, want string }{
		{"", "", "/home/me/.local/share/gopherwarp/history.sqlite"},
		{"", "/data", "/data/gopherwarp/history.sqlite"},
		{"", "relative", "/home/me/.local/share/gopherwarp/history.sqlite"},
		{"/mine/h", "/data", "/mine/h"},
		{"off", "/data", ""},
	} {
		t.Setenv("HOME", "/home/me")
		t.Setenv("XDG_DATA_HOME", tt.data)
		t.Setenv(kernel.HistoryEnv, tt.env)
		if got := historyFile(); got != tt.want {
			t.Errorf("with %q and %q: %q, want %q", tt.env, tt.data, got, tt.want)
		}
	}
}

// TestKernelEndsWithItsParent checks that a kernel exits after the program that started it.
func TestKernelEndsWithItsParent(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "gw") // t.TempDir is too long for a unix socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	conn := kernel.NewIPCConnection(dir)
	file := filepath.Join(dir, "c.json")
	if err := conn.WriteFile(file); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The shell is the parent. It exits when its input is closed.
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `"$0" kernel -f "$1" & read line`, self, file)
	cmd.Env = append(os.Environ(), "JPY_PARENT_PID=1")
	parent, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c, err := kernel.Dial(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	parent.Close()
	_ = cmd.Wait() // its status is that of read
	reply, err := c.Execute(t.Context(), kernel.ExecuteRequest{Code: "sleep"})
	if err == nil && reply.Status == "ok" {
		t.Errorf("the cell ended with %+v", reply)
	}
	select {
	case <-c.Lost():
	case <-time.After(20 * time.Second):
		t.Error("the kernel lives on")
	}
}

func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	status, stdout, _ := runApp(t, "doctor", "--json")
	var report install.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	// Without a C compiler on the empty PATH, cells can't work.
	if status != 1 || report.OK {
		t.Errorf("status %d, report %+v", status, report)
	}
	if status, stdout, _ := runApp(t, "doctor"); status != 1 || !strings.Contains(stdout, "install -y gcc") {
		t.Errorf("status %d: %s", status, stdout)
	}
}

// TestDoctorRepairs checks that damage is reported and repaired.
func TestDoctorRepairs(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("XDG_DATA_HOME", data)
	t.Setenv(kernel.HistoryEnv, "")
	history := filepath.Join(data, "gopherwarp", "history.sqlite")
	if err := os.MkdirAll(filepath.Dir(history), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(history, bytes.Repeat([]byte("no database "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []install.Finding{
		{Name: "kept: history", State: install.Warning, Found: "repaired", Problem: history},
		{Name: "kept: history", State: install.OK, Found: "not damaged"},
	} {
		_, stdout, _ := runApp(t, "doctor", "--repair", "--json")
		var report install.Report
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatalf("%v: %s", err, stdout)
		}
		i := slices.IndexFunc(report.Findings, func(f install.Finding) bool { return f.Name == want.Name })
		if i < 0 || report.Findings[i].State != want.State || report.Findings[i].Found != want.Found || !strings.HasPrefix(report.Findings[i].Problem, want.Problem) {
			t.Errorf("%s\nlacks %+v", stdout, want)
		}
	}
	if _, err := os.Stat(filepath.Join(home, ".cache", "gopherwarp")); err == nil {
		t.Error("a cache was made where there was none")
	}
}
