// Package corpus reads the kernels in gpu/testdata/kernels and runs them on a device: each
// is a CUDA C++ file whose header comment says what memory it gets and how it is launched.
// What must come out is computed in Go, by a function of the file's name in this package.
//
// The same kernels hold the simulator, its check mode and the CUDA driver to one another.
// The wrong kernels, which check mode must find out, lie in a folder of their own beside
// these and are not read here.
//
// The header's indented lines are directives:
//
//	a = float[1000] small 1               memory: element type, count, what it holds
//	launch add<<<4, 256>>>(a, b, 1000)    in order; dimensions may be (8, 8, 2)
//	near c 1e-5                           relative error allowed for floats; none if absent
//	options -DN=3                         for the compiler
//	cooperative                           all blocks run at the same time
//
// Memory holds zero; index (0, 1, 2, …); small SEED, whole numbers from -8 to 7; below N
// SEED, whole numbers from 0 to N-1; uniform SEED, floats from 0 to 1; or made, which means
// that a Go function of the file's name makes it.
package corpus
