package check

import "embed"

// Files are the runtime's sources, in the folder runtime.
//
//go:embed runtime
var Files embed.FS

// CompilerFlags are what programs of check mode are compiled with, after those of all
// programs.
var CompilerFlags = append(operationFlags(),

	"-O1", "-g", "-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0",
	"-fno-exceptions", // or every function gets a handler that tells of its end
	"-fno-tree-sra",   // which would make four loads of one of 16 bytes
	"-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-store-merging",
	"-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", // or they become stores that nobody sees
	"-U_FORTIFY_SOURCE", // which some systems set, and which makes them builtins again
	"-DGW_CHECK",
)

// Every program of check mode has a function that points into its shared memory, and the
// name of its source.
const (
	SymbolTLS  = "gw_tls"
	SymbolName = "gw_program"
)
