//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes a program for the shell.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunRanks(t *testing.T) {
	t.Setenv("GOPHERWARP_DEVICE", "")
	p := script(t, `echo "rank $RANK of $WORLD_SIZE on $GOPHERWARP_DEVICE: $*"; [ "$1" != fail ] || exit $((RANK + 3))`)
	status, out, errs := runApp(t, "run", "--device", "sim:x2", "--ranks", "2", p, "-o", "--ranks", "x y")
	for _, want := range []string{"[0] rank 0 of 2 on sim:x2: -o --ranks x y\n", "[1] rank 1 of 2 on sim:x2: -o --ranks x y\n"} {
		if status != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("status %d\n%s%s", status, out, errs)
		}
	}
	status, out, errs = runApp(t, "run", "--rank=2", "--world=3", "--store=127.0.0.1:7", p, "a")
	if status != 0 || errs != "" || out != "rank 2 of 3 on : a\n" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if status, out, errs = runApp(t, "run", "--rank=2", "--world=3", "--store=127.0.0.1:7", p, "fail"); status != 5 || errs != "" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	if status, out, errs = runApp(t, "run", "--ranks=1", p, "fail"); status != 3 || errs != "" {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

func TestRunRanksWrong(t *testing.T) {
	p := script(t, "")
	notebook := writeNotebook(t, `{}`, "x")
	for _, c := range []struct {
		args []string
		say  string
	}{
		{[]string{"--ranks", "2", notebook}, "is a notebook: write it as a program with gopherwarp export"},
		{[]string{notebook, "more"}, "run takes one notebook"},
		{[]string{"--ranks", "0", p}, "--ranks 0: want the number of processes"},
		{[]string{"--ranks", "-1", p}, "not negative"},
		{[]string{"--ranks", "two", p}, "want a number"},
		{[]string{"--ranks", "2", "--rank", "1", p}, "give either"},
		{[]string{"--rank", "1", "--world", "2", p}, "give all three"},
		{[]string{"--rank", "2", "--world", "2", "--store", "h:1", p}, "--rank 2 --world 2"},
		{[]string{"--rank", "1", "--world", "2", "--store", "h", p}, "--store h: want HOST:PORT"},
		{[]string{"--allow-errors", "--ranks", "2", p}, "--allow-errors is for notebooks"},
		{[]string{"--device", "x y", "--ranks", "2", p}, "--device x y"},
		{[]string{"--ranks", "2", p + "no"}, "name an executable file"},
	} {
		status, out, errs := runApp(t, append([]string{"run"}, c.args...)...)
		if status != 1 || out != "" || !strings.Contains(errs, c.say) {
			t.Errorf("%q: status %d, %s%s\nwant %q", c.args, status, out, errs, c.say)
		}
	}
}
