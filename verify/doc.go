// Package verify checks kernels. A check runs a kernel with many sizes and random inputs, compares its results with a reference computed
// in Go, and, if they differ, reports the likely mistake.
//
//	verify.Run("vecAdd", 256, func(c *verify.Case) error {
//		a, b := c.Float32s(c.N), c.Float32s(c.N)
//		sum := verify.Output[float32](c, c.N, func(i int) float64 {
//			return float64(a[i]) + float64(b[i])
//		})
//		return vecAdd.Launch(gpu.For(c.N, 256), verify.Input(c, a), verify.Input(c, b), sum, c.N)
//	})
//
// The function runs several times for each size. Before each run outputs are filled with poison: NaN, or bytes 0xA5 for integers. Outputs
// and inputs are between guard zones, so that writes before or after them are detected. Inputs are the same at each repetition of a size,
// so that a result that changes is detected, too. On the simulator threads run in a different order each time, and check mode looks for
// defects that the result does not show.
//
// Function checks a Go function that computes something on the device. Run and Function repeat the check once without launching the
// kernels: a result that is right all the same was not computed by them. A case may have limits (Within), for example on the work of a
// single thread.
//
// Cost checks the costs of a kernel against limits: sectors of memory, bank conflicts, launches; Transfers checks the bytes that are
// copied between host and device. Speed compares a kernel's time with that of a reference. These three are graded only for kernels whose
// results have passed a check of the same name in this session (graded.go).
//
// A check prints one line on success and returns nil. Otherwise it returns a *Failure, which fails the notebook cell that calls it.
// Nothing is printed on standard error.
//
// This package has the cases, the comparison, the limits on costs, and the tables of signatures that turn wrong values into a likely
// cause (signature.go, and host.go for results of functions). Launches, memory, check mode and its counts are package gpu's.
package verify
