package check

import (
	"embed"
	"runtime"
)

// Files are the runtime's sources, in the directory runtime.
//
//go:embed runtime
var Files embed.FS

// CompilerFlags returns the compiler flags of check mode, which follow those of all programs. Programs that are recorded are compiled
// without optimisation, so that they run line by line, and without a red zone, where calls before each line would write.
func CompilerFlags(clang, recorded bool) []string {
	flags := operationFlags(clang)
	switch {
	case !recorded:
		flags = append(flags, "-O1")
	case runtime.GOARCH == "amd64":
		flags = append(flags, "-O0", "-mno-red-zone")
	default:
		flags = append(flags, "-O0")
	}
	flags = append(flags,
		"-g", "-fsanitize=thread",
		"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", // or they become stores without calls
		"-U_FORTIFY_SOURCE", // which some systems define, and which makes them builtins again
		"-DGW_CHECK",
	)
	if runtime.GOARCH == "arm64" {
		flags = append(flags, "-fsanitize=integer-divide-by-zero") // for processors that return 0
	}
	if clang {
		return append(flags, "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0",
			"-mllvm", "-tsan-instrument-read-before-write=1",
			"-fno-vectorize", "-fno-slp-vectorize",
			"-gdwarf-4") // later versions have checksums of sources, which do not agree with #line
	}
	return append(flags, "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0",
		"-Wno-tsan",              // fences are handled
		"-fno-tree-sra",          // which would split one load of 16 bytes into four
		"-fdisable-tree-retslot", // with which functions store their results themselves, without calls
		"-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-store-merging")
}

// The symbols that every program of check mode has: a function that returns a pointer to its shared
// memory, and the name of its source.
const (
	SymbolTLS  = "gw_tls"
	SymbolName = "gw_sources"
	// SymbolFiles are the files that a program without check mode includes.
	SymbolFiles = "gw_files"
)
