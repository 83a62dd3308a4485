package pointer_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestReach counts the functions that are compiled for a program that mentions a buffer or an array: its own, and those of the generic types
// that it leads to. Each cell compiles them.
func TestReach(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{
		"buffers": 90,  // 52 are the buffer's own
		"arrays":  390, // 364 are those of arrays of float32, and of bool, which comparisons make
	} {
		archive, err := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "./testdata/"+name).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		symbols, err := exec.Command("go", "tool", "nm", strings.TrimSpace(string(archive))).Output()
		if err != nil {
			t.Fatalf("go tool nm: %v", err)
		}
		if n := strings.Count(string(symbols), " T "); n == 0 || n > most {
			t.Errorf("a program with %s has %d functions, want at most %d: which of these are of generic types?\n%s", name, n, most, symbols)
		}
	}
}
