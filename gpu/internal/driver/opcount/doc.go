// Package opcount adds counters of floating-point operations to PTX. A program with them does what it did
// before, and each thread adds what it has computed to a variable at its end. GPUs have no counters
// that tell a sum from a product, and the names under which NVIDIA's tools know such counts read 0 from
// CUPTI on some.
package opcount
