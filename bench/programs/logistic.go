package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const logisticColumns, logisticSteps = 64, 50

var logistic = program{
	name: "logistic", what: "logistic regression, 2^20 × 64, 50 steps", size: 1 << 20, bytes: linear(logisticSteps * 2 * 4 * logisticColumns),
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*logisticColumns, 0).SubScalar(0.5).Reshape(n, logisticColumns).Eval()
		y := nd.AsType[float32](x.Slice(nd.All, nd.At(0)).Add(x.Slice(nd.All, nd.At(1))).GreaterScalar(0.1)).Eval()
		return func() []nd.Operand {
			w := nd.Zeros[float32](logisticColumns)
			nd.Loop(logisticSteps, func() {
				wrong := nd.Sigmoid(nd.MatMul(x, w)).Sub(y)
				w = w.Sub(nd.MatMul(x.T(), wrong).MulScalar(2 / float32(n))).Eval()
			}, &w)
			return []nd.Operand{w}
		}
	},
}
