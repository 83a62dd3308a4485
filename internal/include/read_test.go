//go:build unix

package include

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestRefused includes a device without end, a named pipe without a writer, and a file that is too large.
func TestRefused(t *testing.T) {
	dir := tree(t, map[string]string{"a.h": "\n#include \"pipe.h\"\n", "plain.h": "int x;\n"})
	pipe, large := filepath.Join(dir, "pipe.h"), filepath.Join(dir, "large.h")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		source string
		first  []string
		want   RefusedError
	}{
		{"\n#include \"/dev/zero\"\n", nil, RefusedError{Path: "/dev/zero", Why: "it is a device", File: "x.cu", Line: 2}},
		{"#include \"a.h\"\n", nil, RefusedError{Path: pipe, Why: "it is a named pipe", File: filepath.Join(dir, "a.h"), Line: 2}},
		{"#include <pipe.h>\n", nil, RefusedError{Path: pipe, Why: "it is a named pipe", File: "x.cu", Line: 1}},
		{"#include \"large.h\"\n", nil, RefusedError{Path: large, Why: "it is larger than that", File: "x.cu", Line: 1}},
		{"int y;\n", []string{pipe}, RefusedError{Path: pipe, Why: "it is a named pipe", File: "x.cu"}},
	} {
		s := Search{Own: dir, Dirs: []string{dir}, First: c.first}
		var refused *RefusedError
		if err := s.Check("x.cu", c.source); !errors.As(err, &refused) || *refused != c.want {
			t.Errorf("%q: error %v, want %v", c.source, err, &c.want)
		}
		if _, known := s.Digest(c.source); known {
			t.Errorf("%q: its digest is known", c.source)
		}
	}
	s := Search{Own: dir}
	if _, _, ok := s.Find("pipe.h", ""); ok {
		t.Error("Find reads a named pipe")
	}
	for _, source := range []string{"#include \"plain.h\"\n", "#include \"missing.h\"\n", "#include <cstdio>\n"} {
		if err := s.Check("x.cu", source); err != nil {
			t.Errorf("%q: %v", source, err)
		}
	}
}
