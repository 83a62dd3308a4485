package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/internal/intact"
)

// TestDamagedCache damages cached files, and runs compilations that need them.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds the simulator's runtime many times")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	p := backend.Program{Name: "a.cu", Source: scaleSource}
	compile := func(name string, inCheckMode bool) (tools *toolchain) {
		t.Helper()
		tools, err := findToolchain()
		check(t, err)
		img, err := tools.compile(p)
		if err == nil && inCheckMode {
			p.Check = true
			_, err = tools.compileChecked(p)
			p.Check = false
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(string(img.Data), "ELF") {
			t.Errorf("%s: the image has %d bytes", name, len(img.Data))
		}
		return tools
	}
	tools := compile("nothing damaged", false)
	kernels := func() []string {
		files, _ := filepath.Glob(tools.kernels.Path("*"))
		return files
	}
	if len(kernels()) != 1 {
		t.Fatalf("compiled kernels: %q", kernels())
	}
	kept := kernels()[0]
	compile("nothing damaged", true)
	if len(kernels()) != 2 {
		t.Fatalf("compiled kernels, one for check mode: %q", kernels())
	}
	plain, checked := tools.precompiled(header{preludeHeader, false}), tools.precompiled(header{preludeHeader, true})
	for _, path := range []string{
		tools.runtimePath(), tools.checkRuntimePath(), plain, checked,
		filepath.Join(tools.shim, "prelude.h"), filepath.Join(tools.shim, "runtime.cpp"), filepath.Join(tools.checkFiles(), "prelude.h"), kept,
	} {
		if path == tools.checkRuntimePath() && os.Getenv("GOPHERWARP_PROGRAMS") != "all" {
			continue // which takes ten seconds to build, and is treated as the other runtime
		}
		before, err := os.ReadFile(path)
		check(t, err)
		info, err := os.Stat(path)
		check(t, err)
		for _, tt := range []struct {
			name   string
			repair bool // by Repair, not by the next compilation
			damage func() error
		}{
			{"emptied", false, func() error { return os.Truncate(path, 0) }},
			{"changed by the disk", true, func() error {
				changed := append([]byte{}, before...)
				changed[len(changed)/2] ^= 1
				return errors.Join(os.WriteFile(path, changed, 0o644), os.Chtimes(path, info.ModTime(), info.ModTime()))
			}},
		} {
			name := filepath.Base(path) + " " + tt.name
			check(t, tt.damage())
			if tt.repair {
				damaged, err := Repair()
				check(t, err)
				if len(damaged) != 1 || !strings.Contains(damaged[0], path) {
					t.Errorf("%s: repaired %q", name, damaged)
				}
			}
			if path == kept || !tt.repair {
				for _, kernel := range kernels() {
					if kernel != path {
						check(t, os.Remove(kernel)) // otherwise nothing would be compiled
					}
				}
				compile(name, path == tools.checkRuntimePath() || path == checked || filepath.Dir(path) == tools.checkFiles())
			}
			after, err := os.ReadFile(path)
			if path == plain || path == checked { // which g++ makes differently each time
				if err := intact.Sealed(path, true); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if err != nil || string(after) != string(before) {
				t.Errorf("%s: it has %d bytes, not the %d of before, error %v", name, len(after), len(before), err)
			}
		}
	}
	if damaged, err := Repair(); err != nil || len(damaged) > 0 {
		t.Errorf("at the end there is still %q, %v", damaged, err)
	}
}

// TestDamagedProgramObject damages what whole programs are linked to.
func TestDamagedProgramObject(t *testing.T) {
	if os.Getenv("GOPHERWARP_PROGRAMS") != "all" {
		t.Skip("SKIPPED: takes a minute; GOPHERWARP_PROGRAMS=all runs it")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	compiled := 0
	for _, inCheckMode := range []bool{false, true} {
		compile := func() {
			t.Helper()
			compiled++
			p := backend.Program{Name: "main.cu", Source: fmt.Sprintf("int main() { return cudaFree(nullptr) + %d; }", compiled), Check: inCheckMode}
			if _, err := (simulator{}).BuildProgram(p); err != nil {
				t.Fatal(err)
			}
		}
		compile()
		tools, err := findToolchain()
		check(t, err)
		path := tools.programObjectPath(inCheckMode)
		check(t, os.Truncate(path, 0))
		compile()
		check(t, intact.Sealed(path, true))
		check(t, os.Remove(path))
		check(t, os.WriteFile(path, []byte("!"), 0o644))
		if damaged, err := Repair(); err != nil || len(damaged) != 1 || !strings.Contains(damaged[0], path) {
			t.Errorf("repaired %q, %v", damaged, err)
		}
		compile()
	}
}
