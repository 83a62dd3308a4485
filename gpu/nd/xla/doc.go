// Package xla runs XLA programs on arrays: functions in StableHLO that were built with go-xla (github.com/gomlx/go-xla/pkg/stablehlo), or
// exported to a file, by JAX for example.
//
//	c, err := xla.Open()                    // for the current device
//	f, err := c.Load("model.mlir")          // compiled once
//	out, err := f.Run(x, nd.Scalar(2.0))    // x, a *nd.Array[float64], has the type and shape that main says
//	y := out[0].(*nd.Array[float64])
//
// XLA itself is a plugin, a library with the PJRT interface, which Open looks for: on a GPU that of JAX's wheels (pip install jax[cuda13]
// or jax-cuda13-pjrt with its nvidia packages), on the simulator one for CPUs (pip install xla-cpu-pjrt). See Find.
//
// # Where it runs
//
// A plugin computes in this process and not in the device process. Arguments are passed without a copy: their memory is mapped here (see
// package dlpack for the consequences on a GPU). Results are copied once, within the device's memory. Where the driver cannot share
// memory both are copied through the host.
//
// A program that faults on a GPU makes CUDA unusable in this process, so that no other program runs until the process exits; arrays and
// kernels are not affected. On a GPU XLA allocates memory as needed and keeps it, in addition to that of arrays.
package xla
