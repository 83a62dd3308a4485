// Package half turns numbers of 16 bits into float32 and back, as CUDA does.
package half
