package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const trainingInputs, trainingHidden, trainingOutputs, trainingSteps = 784, 512, 10, 20

var training = program{
	name: "training", what: "MLP 784-512-512-10, 20 steps of 8192 rows, gradients", size: 8192,
	prepare: func(n int) func() []nd.Operand {
		x := uniform(n*trainingInputs, 0).Reshape(n, trainingInputs).Eval()
		y := nd.AsType[float32](integers(n, 1, trainingOutputs).ExpandDims(1).Equal(nd.Arange[int32](trainingOutputs))).Eval()
		weights := func(k uint64, rows, columns int) *nd.Array[float32] {
			return uniform(rows*columns, k).SubScalar(0.5).MulScalar(0.1).Reshape(rows, columns).Eval()
		}
		w1, w2, w3 := weights(2, trainingInputs, trainingHidden), weights(3, trainingHidden, trainingHidden), weights(4, trainingHidden, trainingOutputs)
		step := nd.ValueAndGrads(func(p []*nd.Array[float32]) *nd.Array[float32] {
			h := nd.Tanh(nd.MatMul(x, p[0]).Add(p[1]))
			h = nd.Tanh(nd.MatMul(h, p[2]).Add(p[3]))
			scores := nd.MatMul(h, p[4]).Add(p[5])
			scores = scores.Sub(scores.Max(1).ExpandDims(1))
			return nd.Mean(nd.Log(nd.Exp(scores).Sum(1)).Sub(scores.Mul(y).Sum(1)))
		})
		return func() []nd.Operand {
			p := []*nd.Array[float32]{w1, nd.Zeros[float32](trainingHidden), w2, nd.Zeros[float32](trainingHidden), w3, nd.Zeros[float32](trainingOutputs)}
			nd.Loop(trainingSteps, func() {
				_, gradients := step(p)
				for i, g := range gradients {
					p[i] = p[i].Sub(g.MulScalar(0.1)).Eval()
				}
			}, p)
			return []nd.Operand{p[4].Square(), p[5].Square()}
		}
	},
}
