package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestOtherSystems builds the program for systems other than Linux, which prints what
// to use instead.
func TestOtherSystems(t *testing.T) {
	for system, says := range map[string]string{"darwin": "use it in a container", "windows": "use it in WSL2"} {
		program := filepath.Join(t.TempDir(), "gopherwarp")
		cmd := exec.Command("go", "build", "-o", program, ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, out)
			continue
		}
		data, err := os.ReadFile(program)
		if err != nil || !bytes.Contains(data, []byte(says)) {
			t.Errorf("%s: the program does not say %q (%v)", system, says, err)
		}
	}
}
