// Package xla runs programs of XLA on arrays: functions in StableHLO that were built with go-xla (github.com/gomlx/go-xla/pkg/stablehlo),
// or exported by JAX and the like to a file.
//
//	c, err := xla.Open()                    // for the current device
//	f, err := c.Load("model.mlir")          // compiled once
//	out, err := f.Run(x, nd.Scalar(2.0))    // x, a *nd.Array[float64], has the type and shape that main says
//	y := out[0].(*nd.Array[float64])
//
// XLA itself is a plugin, a library with the PJRT interface, which Open looks for: on a GPU that of JAX's wheels
// (pip install jax[cuda13] or jax-cuda13-pjrt with its nvidia packages), on the simulator one for processors (pip install xla-cpu-pjrt). See Find.
//
// # Where it runs
//
// A plugin computes in this process and not in the device process. Arguments are passed without a copy: their
// memory is mapped here (see package dlpack for what that means on a GPU). Results are copied once, within the device's memory.
// Where the driver cannot share memory both go through the host.
//
// A program that goes wrong on a GPU spoils CUDA for this process, so that no other runs until it ends; arrays and kernels are not touched. On a GPU XLA takes
// memory as it needs it and keeps it, beside what arrays have.
package xla
