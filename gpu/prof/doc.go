// Package prof measures work on a GPU. Time measures the device time of a function's work. Run profiles a function: its kernels with
// their times, memory traffic, operations and occupancy, its copies, and what limits each kernel (the roofline).
//
//	t, err := prof.Time(func() error { return saxpy.Launch(cfg, 2, x, y, n) })
//	r, err := prof.Run(step)
//	fmt.Println(t, r)
//
// Both use the current device; see gpu.Use. The magics %timeit_gpu and %prof call them.
package prof
