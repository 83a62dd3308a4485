package sim

import (
	"os"
	"os/exec"
	"testing"
)

// TestClang runs the programs of the suite compiled by clang++, with GOPHERWARP_CLANG=all including the corpus: all that
// TestBackend tests with g++ must be correct with clang++, too. A process has one runtime, so this is a process of its own.
func TestClang(t *testing.T) {
	if os.Getenv("CXX") != "" {
		t.Skip("SKIPPED: CXX names the compiler already")
	}
	var compiler string
	for _, name := range []string{"clang++-16", "clang++-19", "clang++"} {
		if path, err := exec.LookPath(name); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		t.Skip("SKIPPED: there is no clang++ (Debian: apt install clang-16)")
	}
	parts := "Kernels|Faults"
	if os.Getenv("GOPHERWARP_CLANG") == "all" {
		parts += "|Corpus"
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBackend$/^("+parts+")$", "-test.count=1")
	cmd.Env = append(os.Environ(), "CXX="+compiler)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("with %s: %v\n%s", compiler, err, out)
	}
}
