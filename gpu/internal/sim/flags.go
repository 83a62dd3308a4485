package sim

import (
	"path/filepath"
	"runtime"
	"strings"
)

// isClang reports whether the compiler is clang++, by its file name after resolving links.
func isClang(path string) bool { return strings.Contains(filepath.Base(path), "clang") }

// commonFlags returns the flags of the runtime and of kernels.
func (t *toolchain) commonFlags() []string {
	f := []string{
		"-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-fdiagnostics-color=never", "-fmessage-length=0",
		"-fsigned-char", // as on amd64, so that kernels give the same results on arm64
	}
	if runtime.GOARCH == "arm64" {
		f = append(f, "-mcpu=native")
	} else {
		f = append(f, "-march=native")
	}
	if t.clang {
		// After links are resolved, the file name does not make clang compile C++.
		return append(f, "--driver-mode=g++", "-Wno-unused-command-line-argument")
	}
	return append(f, "-fno-gnu-unique")
}

// kernelFlags returns the flags of every program. Their warnings have counterparts in CUDA's own
// compiler, so a program without warnings here has none there.
func (t *toolchain) kernelFlags() []string {
	f := []string{
		// Multiplications and additions are fused only where the source asks for it: which of them the
		// compiler fuses depends on how it arranges the loops, and so on how a kernel is run.
		"-O3", "-std=c++17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing",
		"-fstack-clash-protection", // so that a large array cannot skip a stack's guard page
		"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-parentheses",
		"-fno-diagnostics-show-option", "-ftabstop=4",
		"-g1", // for the lines of faults
	}
	if t.clang {
		return append(f, "-ferror-limit=30", "-fno-caret-diagnostics")
	}
	return append(f, "-Wno-stringop-overflow", "-fno-extern-tls-init", "-fdiagnostics-column-unit=byte", "-fmax-errors=30",
		// A short loop takes up to 1.6 times as long if its end and the jump back are in two lines of the processor's cache, and where it
		// begins otherwise depends on all the code before it.
		"-falign-loops=32",
		// As it makes vectors outside loops, g++ 12.2 leaves out the rounding of neighbours: a.x = (double)(float)p; a.y = (double)(float)q.
		"-fno-tree-slp-vectorize")
}
