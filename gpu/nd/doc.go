// Package nd has arrays of any number of axes on a GPU, or on the simulator, with NumPy's names and rules and Go's types.
//
//	a := nd.Arange[float32](6).Reshape(2, 3)
//	b := nd.FromSlice([]float32{1, 2, 3})
//	c := nd.Sqrt(a.Mul(a).Add(b))  // an expression: nothing has been computed
//	fmt.Println(c)                 // one kernel computes it
//	m := c.Slice(nd.All, nd.At(0)) // a view, c[:, 0]
//
// # Expressions
//
// Arithmetic on arrays builds an expression. When its elements are needed, by ToHost, String, Eval, a view, or an operation that is not
// element-wise, it is computed by one kernel, which is generated, compiled and cached. Kernels are cached by structure, so expressions of
// other shapes and constants use the same one. Reductions such as Sum compute their operand in the same kernel. On a GPU, what is made of
// reductions of rows (of the last axis, with ExpandDims or Reshape) is one kernel with them: a softmax or a layer norm of a matrix. Explain
// shows the kernel, Stats counts launches. A part of several expressions is computed at most twice, then kept; Eval computes several
// expressions of one shape by one kernel. Writing to an array (Assign,
// Fill) does not change expressions that were made from it before.
//
// Loop repeats a step of a program as a graph, so that all its kernels cost one launch.
//
// Element-wise operations broadcast their operands to a common shape, as NumPy's do.
//
// Arithmetic rounds as NumPy's does: products and sums are not contracted to a fused multiply-add, except by FMA. 16-bit floats are
// computed in float32 and rounded after each operation.
//
// Map, Map2, Map3, Reduce and Accumulate call a function that is written in Go, on the device if it has been translated.
//
// # Types
//
// Both operands of an operation have the same type, which the compiler checks; AsType converts. Promote returns the common type of two
// types by NumPy's rules. Results have the type of the operands, also where NumPy would take another one: the sum of int32s is an int32
// (SumAs gives another), dividing integers gives integers, and Sqrt of integers does not compile. int and uint are int64 and uint64.
//
// # Errors
//
// An invalid request (shapes that do not match, an axis out of range) panics with an *Error, as an index out of range does in Go, so that
// expressions stay readable. A failure of the device panics with an *gpu.Error, as gpu.Zeros does. A cell of a notebook reports both. Try
// turns them into errors. Functions that read or write files return errors.
//
// # Libraries
//
// Products of matrices, linear algebra, Fourier transforms and sparse matrices are computed on a GPU by cuBLAS, cuSOLVER, cuFFT and
// cuSPARSE, which are loaded when one is first needed, and on the simulator by gonum or in Go. Their functions compute themselves and
// their operands at once, and do not wait for the device unless their comment says so: solvers do, to report matrices without a solution.
// Operands whose strides a library supports, transposed matrices included, are not copied. Where a kernel of this package is faster, as for
// inner products and for sparse matrices of short rows, it is used instead.
//
// # Several devices
//
// An array belongs to one device, and To copies it to another. Shard splits an array over several: what is computed from it is computed on
// all of them. AllReduce, BroadcastFrom and AllGather combine arrays of several processes, which package rank connects.
//
// # Adding operations
//
// Each cell that mentions an Array compiles its methods for that Array. So a method makes one call of a func of methods.go, by pointers
// without types: see there.
//
// A node is an array without its type of elements; Array[T] is a node with one. An operation that is not element-wise takes these steps,
// all of which panic as above:
//
//   - n := nodeOf(a).check("Solve") is the node, or a panic with the name of the operation if a is nil;
//   - e := common("Solve", nodeOf(a), nodeOf(b), nil) is the engine (device) that the operands share;
//   - p := packed(a) is a, computed and contiguous, and p.buffer() its bytes on the device, which
//     gpu.Reinterpret gives a type; with e.mu held, p.span() is that;
//   - out := newArray[T](e, contiguous("Solve", shape)) is a result whose elements are undefined;
//     contiguous keeps the shape, which must not change afterwards;
//   - fail("Solve", "…") panics with an *Error.
//
// Work goes to the default stream, so it is in order with all other work on arrays. Keep p reachable (runtime.KeepAlive) until the work
// is submitted. e.program compiles a kernel once for a key; e.mu must be held for it and for everything whose comment says so. An
// element-wise operation is a line in opTable and a function in math.go. e.call submits a routine of package routine to the device:
// matrices are in column-major order there, so the memory of an array has the transposes of its matrices (see vendor.go).
package nd
