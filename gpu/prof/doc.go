// Package prof measures what a GPU does: Time measures how long a function's work takes on the
// device, and Run profiles it: its kernels with their times, memory traffic, operations and
// occupancy, its copies, and what bounds each kernel (the roofline).
//
//	t, err := prof.Time(func() error { return saxpy.Launch(cfg, 2, x, y, n) })
//	r, err := prof.Run(step)
//	fmt.Println(t, r)
//
// Both work on the current device, see gpu.Use. The magics %timeit_gpu and %prof call them.
package prof
