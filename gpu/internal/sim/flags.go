package sim

import (
	"path/filepath"
	"runtime"
	"strings"
)

// isClang tells clang++ from g++ by its name, which is that of the program behind all links.
func isClang(path string) bool { return strings.Contains(filepath.Base(path), "clang") }

// commonFlags are those of the runtime and of kernels.
func (t *toolchain) commonFlags() []string {
	f := []string{
		"-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-fdiagnostics-color=never", "-fmessage-length=0",
		"-fsigned-char", // as it is on amd64, so that a kernel means the same on arm64
	}
	if runtime.GOARCH == "arm64" {
		f = append(f, "-mcpu=native")
	} else {
		f = append(f, "-march=native")
	}
	if t.clang {
		// Behind the links the program's name no longer says that it is to compile C++.
		return append(f, "--driver-mode=g++", "-Wno-unused-command-line-argument")
	}
	return append(f, "-fno-gnu-unique")
}

// kernelFlags are those of every program. The warnings are ones that CUDA's own compiler
// has something like, so that a program without warnings here has none there.
func (t *toolchain) kernelFlags() []string {
	f := []string{
		// No fused multiplications but those that the source asks for: which sums the compiler
		// fuses depends on how it arranges the loops, and so on the way a kernel is run.
		"-O3", "-std=c++17", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing",
		"-fstack-clash-protection", // so that no large array steps over a stack's guard
		"-Wall", "-Wno-sign-compare", "-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-parentheses",
		"-fno-diagnostics-show-option", "-ftabstop=4",
	}
	if t.clang {
		return append(f, "-ferror-limit=30", "-fno-caret-diagnostics")
	}
	return append(f, "-fno-extern-tls-init", "-fdiagnostics-column-unit=byte", "-fmax-errors=30")
}
