package sim

import (
	"debug/elf"
	"os"
	"strings"
	"testing"
)

// TestProgramObjectHasNoSharedVariables looks at the variables of threads that each program gets: those without these words in their names would count
// as shared memory of its kernels.
func TestProgramObjectHasNoSharedVariables(t *testing.T) {
	tools, err := findToolchain()
	check(t, err)
	path, err := tools.buildProgramObject(header{programHeader, false})
	check(t, err)
	f, err := elf.Open(path)
	check(t, err)
	defer f.Close()
	symbols, err := f.Symbols()
	check(t, err)
	found := false
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_TLS {
			continue
		}
		found = found || strings.Contains(s.Name, "gwrt")
	}
	object, err := os.ReadFile(path)
	check(t, err)
	if shared, err := readStaticShared(object); err != nil || shared.global > 0 || len(shared.local) > 0 {
		t.Errorf("%v count as shared memory, error %v", shared, err)
	}
	if !found {
		t.Error("the object has no variables of threads")
	}
}

func TestMayChangeTypes(t *testing.T) {
	for option, want := range map[string]bool{
		"-DN=3": false, "-std=c++20": false, "-I/x/_GLIBCXX_": false, "-iquote": false, "/tmp/a": false, "-fopenmp": false, "-march=native": false,
		"-D_GLIBCXX_ASSERTIONS": false, "-D_GLIBCXX_DEBUG": true, "-D_GLIBCXX_USE_CXX11_ABI=0": true, "-stdlib=libc++": true, "-fshort-enums": true,
		"-fabi-version=2": true, "-mlong-double-64": true,
	} {
		if got := mayChangeTypes(option); got != want {
			t.Errorf("%s: %v, want %v", option, got, want)
		}
	}
}
