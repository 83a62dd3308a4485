// Package nd has arrays of any number of axes on a GPU, or on the simulator, with NumPy's names and
// rules and Go's types.
//
//	a := nd.Arange[float32](6).Reshape(2, 3)
//	b := nd.FromSlice([]float32{1, 2, 3})
//	c := nd.Sqrt(a.Mul(a).Add(b))  // an expression: nothing has been computed
//	fmt.Println(c)                 // one kernel computes it
//	m := c.Slice(nd.All, nd.At(0)) // a view, c[:, 0]
//
// # Expressions
//
// Arithmetic on arrays builds an expression. It is computed by one kernel, which is generated, compiled
// and kept, when it is needed: by ToHost, String, Eval, a view, or an operation that is not element by
// element. Kernels are kept by structure, so other shapes and constants take the same one. Sums and the
// like compute what they sum up on the way. Explain shows the kernel, Stats counts launches.
// What is part of several expressions is computed twice at most, then kept. Writing to an array (Assign,
// Fill) does not change expressions that were made from it before.
//
// Arithmetic rounds as NumPy's does: nothing is fused into a multiply-add, except by FMA. Numbers of 16 bits
// are computed in float32 and rounded after each operation.
//
// # Types
//
// Both operands of an operation have the same type, which the compiler checks; AsType converts. Promote
// is NumPy's rule for what two types have in common. Results have the type of the operands, also where
// NumPy would take another one: the sum of int32s is an int32 (SumAs gives another), dividing integers gives
// integers, and Sqrt of integers does not compile. int and uint are int64 and uint64.
//
// # Errors
//
// What cannot be (shapes that do not fit, an axis that is not there) panics with an *Error, as an
// index out of range does in Go, so that expressions stay readable. What the device cannot do
// panics with an *gpu.Error, as gpu.Zeros does. A cell of a notebook reports both. Try turns them into
// errors. Functions that read or write files return errors.
//
// # Libraries
//
// Products of matrices, linear algebra, Fourier transforms and sparse matrices are cuBLAS's, cuSOLVER's, cuFFT's and cuSPARSE's on
// a GPU, which are looked for when one is first needed, and gonum's or plain Go's on the simulator. Their functions compute at once, and what they are
// given, and do not wait for the device unless their comment says so: solvers do, to tell of matrices that have no solution.
// Operands that lie in memory as a library can read them, transposed matrices included, are not copied.
//
// # For who adds to the package
//
// A node is an array without its type of elements; Array[T] is a node with one. An operation that
// is not element by element takes these steps, all of which panic as above:
//
//   - n := a.check("Solve") is the node, or a panic with the name of the operation if a is nil;
//   - e := common("Solve", a.core(), b.core(), nil) is the engine (device) that the operands share;
//   - p := packed(a) is a computed and dense in memory, and p.buffer() its bytes on the device, which
//     gpu.Reinterpret gives a type;
//   - out := newArray[T](e, contiguous("Solve", shape)) is a result whose elements are not set;
//     contiguous keeps the shape, which must not change afterwards;
//   - fail("Solve", "…") panics with an *Error.
//
// Work goes to the default stream, so it is in order with all other work on arrays. Keep p reachable
// (runtime.KeepAlive) until the work is submitted. e.program compiles a kernel once for a key;
// e.mu is to be held for it and for everything whose comment says so. An operation element by element is a
// line in opTable and a function in math.go. e.call gives a routine of package routine to the device: matrices
// are stored by columns there, so the memory of an array is its matrices' transposed ones (see vendor.go).
package nd
