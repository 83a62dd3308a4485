package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var convolution = program{
	name: "convolution", what: "convolution by FFT, 2^24", size: 1 << 24, bytes: linear(12),
	prepare: func(n int) func() []nd.Operand {
		a, b := uniform(n, 0), uniform(n, 1)
		return func() []nd.Operand {
			product := nd.RFFT[complex64](a).Mul(nd.RFFT[complex64](b))
			return []nd.Operand{nd.IRFFT[float32](product, n).Eval()}
		}
	},
}
