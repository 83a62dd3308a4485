package foreign_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrograms runs programs as cells, as TestCorpus does, and by go run, and compares their output. They print what
// reflection shows: names, methods, identity of types.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d programs, error %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			t.Parallel()
			run := exec.Command("go", "run", file)
			var stderr bytes.Buffer
			run.Stderr = &stderr
			want, err := run.Output()
			if err != nil {
				t.Fatalf("go run: %v\n%s", err, &stderr)
			}
			if err := newNotebook(t).program(file, string(want)); err != nil {
				t.Error(err)
			}
		})
	}
}
