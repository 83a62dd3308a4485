// Package half converts 16-bit floating-point numbers to float32 and back, as CUDA does.
package half
