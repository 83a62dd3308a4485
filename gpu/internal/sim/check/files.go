package check

import (
	"embed"
	"runtime"
)

// Files are the runtime's sources, in the directory runtime.
//
//go:embed runtime
var Files embed.FS

// CompilerFlags are what programs of check mode are compiled with, after those of all
// programs.
func CompilerFlags(clang bool) []string {
	flags := append(operationFlags(clang),
		"-O1", "-g", "-fsanitize=thread",
		"-fno-exceptions",                                                    // or every function gets a handler that tells of its end
		"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", // or they become stores that nobody sees
		"-U_FORTIFY_SOURCE", // which some systems set, and which makes them builtins again
		"-DGW_CHECK",
	)
	if runtime.GOARCH == "arm64" {
		flags = append(flags, "-fsanitize=integer-divide-by-zero") // where the processor goes on with 0
	}
	if clang {
		return append(flags, "-mllvm", "-tsan-distinguish-volatile=1", "-mllvm", "-tsan-instrument-func-entry-exit=0",
			"-mllvm", "-tsan-instrument-read-before-write=1",
			"-fno-vectorize", "-fno-slp-vectorize",
			"-gdwarf-4") // later ones have checksums of sources, which do not agree with #line
	}
	return append(flags, "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0",
		"-fno-tree-sra", // which would make four loads of one of 16 bytes
		"-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-store-merging")
}

// Every program of check mode has a function that points into its shared memory, and the
// name of its source.
const (
	SymbolTLS  = "gw_tls"
	SymbolName = "gw_program"
)
