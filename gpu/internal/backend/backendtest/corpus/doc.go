// Package corpus reads the kernels in gpu/testdata/kernels and runs them on a device. Each is a CUDA C++ file whose header
// comment describes its memory and its launches. A function of this package with the file's name computes the expected results in
// Go.
//
// The same kernels test the simulator, its check mode and the CUDA driver against each other. The kernels with defects, for check
// mode, are in another directory and are not read here.
//
// The header's indented lines are directives:
//
//	a = float[1000] small 1               memory: element type, count, what it holds
//	launch add<<<4, 256>>>(a, b, 1000)    in order; dimensions may be (8, 8, 2)
//	near c 1e-5                           relative error allowed for floats; none if absent
//	options -DN=3                         for the compiler
//	cooperative                           all blocks run at the same time
//
// Memory is filled with zero; index (0, 1, 2, …); small SEED, whole numbers from -8 to 7; below N SEED, whole numbers from 0 to
// N-1; uniform SEED, floats from 0 to 1; or made: then a Go function with the file's name fills it.
package corpus
