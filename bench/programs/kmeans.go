package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

const kmeansAxes, kmeansCentres, kmeansRounds = 8, 32, 10

var kmeans = program{
	name: "kmeans", what: "k-means, 2^22 × 8, 32 centres, 10 rounds", size: 1 << 22, bytes: linear(kmeansRounds * 4 * kmeansAxes),
	prepare: func(n int) func() []nd.Operand {
		points := uniform(n*kmeansAxes, 0).Reshape(n, kmeansAxes)
		return func() []nd.Operand { return []nd.Operand{centresOf(points)} }
	},
}

// centresOf returns the centres of the points, which may be split over devices.
func centresOf(points *nd.Array[float32]) *nd.Array[float32] {
	centres := points.Slice(nd.To(kmeansCentres)).Copy()
	nd.Loop(kmeansRounds, func() {
		distances := points.ExpandDims(1).Sub(centres).Square().Sum(2)
		nearest := nd.Argmin(distances, 1)
		counts := nd.AsType[float32](nd.Bincount(nearest, kmeansCentres)).MaximumScalar(1)
		for axis := range kmeansAxes {
			sums := nd.BincountWeights(nearest, points.Slice(nd.All, nd.At(axis)), kmeansCentres)
			centres.Slice(nd.All, nd.At(axis)).Assign(nd.AsType[float32](sums).Div(counts))
		}
	})
	return centres
}
