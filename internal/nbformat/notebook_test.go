package nbformat_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/internal/nbformat"
)

func TestRoundTripKeepsJupytersOwnText(t *testing.T) {
	want, err := os.ReadFile("testdata/jupyter.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb, err := nbformat.Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestUpgrade(t *testing.T) {
	nb, err := nbformat.Read("testdata/old.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "new.ipynb")
	if err := nb.Write(out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/old.golden.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got %s", got)
	}
}

func TestDecodeRejects(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "not a notebook"},
		{"cut off", `{"nbformat": 4, "cells": [`, "not a notebook"},
		{"a list", `[]`, "not a notebook"},
		{"two documents", `{"nbformat": 4, "cells": []} {}`, "text after its end"},
		{"old format", `{"nbformat": 3, "worksheets": []}`, "jupyter nbconvert"},
		{"no format", `{"cells": []}`, "not a notebook of nbformat 4"},
		{"no cells", `{"nbformat": 4}`, "cells is not a list"},
		{"cell is text", `{"nbformat": 4, "cells": ["x"]}`, "cell 1 is not an object"},
		{"source is missing", `{"nbformat": 4, "cells": [{"source": "x"}, {}]}`, "source of cell 2"},
		{"source has numbers", `{"nbformat": 4, "cells": [{"source": [1]}]}`, "a line is not a string"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := nbformat.Decode([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestWriteKeepsModeAndLink(t *testing.T) {
	nb, err := nbformat.Read("testdata/old.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file.ipynb"), filepath.Join(dir, "link.ipynb")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := nb.Write(link); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() == 0 {
		t.Errorf("file is %v, %v", info, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("link is %v, %v", info, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("folder holds %v, %v", left, err)
	}
	if err := nb.Write(filepath.Join(dir, "no", "such.ipynb")); err == nil {
		t.Error("writing into a missing folder does not fail")
	}
}

// A pipe, like a device, is written to: a file in its place would break other programs.
func TestWriteToPipe(t *testing.T) {
	nb, err := nbformat.Read("testdata/jupyter.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan []byte, 1)
	go func() {
		data, _ := os.ReadFile(pipe)
		got <- data
	}()
	if err := nb.Write(pipe); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(pipe)
	if err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Fatalf("the pipe is now %v, error %v", info.Mode(), err)
	}
	want, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if data := <-got; !bytes.Equal(data, want) {
		t.Errorf("the pipe got %d bytes, want %d", len(data), len(want))
	}
}
