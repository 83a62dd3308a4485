// Package check runs kernels in check mode, which checks every access to memory. It reports defects with their line, block and thread,
// and the costs of the accesses of each line: sectors, bank conflicts, inactive lanes.
//
//	r, err := check.Run(func() error { return saxpy.Launch(cfg, 2, x, y, n) })
//	fmt.Println(r, r.Err())
//
// Launches of programs that were compiled with gpu.WithCheck are always in check mode; TakeReport returns their report. The magic %%cuda
// --check uses both.
package check
