package device

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModelPrograms runs programs on the simulator's devices that a comment in each names.
func TestModelPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/models/*.cu")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, devices, _ := strings.Cut(string(text), "\n// Devices: ")
		devices, _, _ = strings.Cut(devices, "\n")
		wantStatus, args, want := expected(t, string(text))
		for device := range strings.FieldsSeq(devices) {
			t.Run(filepath.Base(file)+" on "+device, func(t *testing.T) {
				t.Parallel()
				status, stdout, stderr := runProgramOn(t, device, nil, append([]string{file}, args...)...)
				if status != wantStatus || stdout != want {
					t.Errorf("status %d, want %d; printed\n%s\nwant\n%s\nstandard error:\n%s", status, wantStatus, stdout, want, stderr)
				}
			})
		}
	}
}
