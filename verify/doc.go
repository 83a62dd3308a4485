// Package verify checks kernels. A check runs a kernel on many sizes and random inputs,
// compares what it wrote with a reference computed in Go, and, where that differs, says
// what the mistake looks like.
//
//	verify.Run("vecAdd", 256, func(c *verify.Case) error {
//		a, b := c.Float32s(c.N), c.Float32s(c.N)
//		sum := verify.Output[float32](c, c.N, func(i int) float64 {
//			return float64(a[i]) + float64(b[i])
//		})
//		return vecAdd.Launch(gpu.For(c.N, 256), verify.Input(c, a), verify.Input(c, b), sum, c.N)
//	})
//
// The function runs several times for each size. Before each run outputs hold poison: NaN,
// or bytes 0xA5 for integers. Outputs and inputs lie between guard zones, so that
// writing past either end is seen. Inputs are the same at each repetition of a size, so
// that a result that changes is seen too. On the simulator threads come in another order each
// time, and check mode looks for defects that did not show in the result.
//
// Function checks a Go function that has the device compute something. Run and Function try once more without
// the kernels: what is right all the same was not computed by them. A case may have limits (Within), on what one
// thread does above all.
//
// Cost holds what a kernel costs against limits: sectors of memory, bank conflicts, launches;
// Transfers what is copied between host and device. Speed compares its time with that of a reference. These three are
// graded only for kernels whose results have passed a check of the same name in this session (graded.go).
//
// A check prints one line on success and returns nil. Otherwise it returns a *Failure, which
// fails the notebook cell that calls it. Nothing is printed on standard error.
//
// What lives here: the cases, comparing, and the tables of signatures (signature.go, and host.go for what functions
// return) that turn wrong values into a likely cause, limits on costs. Launching, memory, check mode and
// its counts are package gpu's.
package verify
