// Package check runs kernels in check mode, in which every access to memory is looked at, and
// reports their defects by line, block and thread, and what the accesses of each line cost:
// sectors, bank conflicts, idle lanes.
//
//	r, err := check.Run(func() error { return saxpy.Launch(cfg, 2, x, y, n) })
//	fmt.Println(r, r.Err())
//
// Launches of programs that were compiled with gpu.WithCheck are always in check mode; TakeReport
// returns what was seen of those. The magic %%cuda --check does that.
package check
