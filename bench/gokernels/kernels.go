package main

import (
	"math"

	"github.com/gopherwarp/gopherwarp/gpu"
)

//go:generate gopherwarp kernels

// Each kernel stands twice: with the checks of indices, and without. The work is in functions that both call.

//gpu:kernel
func vecAdd(a, b, c []float32) { add(a, b, c) }

//gpu:kernel nobounds
func vecAddFree(a, b, c []float32) { add(a, b, c) }

func add(a, b, c []float32) {
	if i := gpu.GlobalID(); i < len(c) {
		c[i] = a[i] + b[i]
	}
}

//gpu:kernel
func reduce(x, sums []float32) {
	tile := gpu.Shared[[256]float32]()
	sumBlock(tile, x, sums)
}

//gpu:kernel nobounds
func reduceFree(x, sums []float32) {
	tile := gpu.Shared[[256]float32]()
	sumBlock(tile, x, sums)
}

func sumBlock(tile *[256]float32, x, sums []float32) {
	t := gpu.ThreadIdx().X
	var sum float32
	for i := gpu.GlobalID(); i < len(x); i += gpu.GlobalSize() {
		sum += x[i]
	}
	tile[t] = sum
	gpu.SyncThreads()
	for s := 128; s > 0; s /= 2 {
		if t < s {
			tile[t] += tile[t+s]
		}
		gpu.SyncThreads()
	}
	if t == 0 {
		gpu.AtomicAdd(&sums[0], tile[0])
	}
}

//gpu:kernel
func matMul(a, b, c []float32, n int32) {
	ta := gpu.Shared[[32][32]float32]()
	tb := gpu.Shared[[32][32]float32]()
	product(ta, tb, a, b, c, n)
}

//gpu:kernel nobounds
func matMulFree(a, b, c []float32, n int32) {
	ta := gpu.Shared[[32][32]float32]()
	tb := gpu.Shared[[32][32]float32]()
	product(ta, tb, a, b, c, n)
}

func product(ta, tb *[32][32]float32, a, b, c []float32, n int32) {
	tx, ty := int32(gpu.ThreadIdx().X), int32(gpu.ThreadIdx().Y)
	row, col := int32(gpu.BlockIdx().Y)*32+ty, int32(gpu.BlockIdx().X)*32+tx
	var sum float32
	for m := int32(0); m < n; m += 32 {
		ta[ty][tx] = a[row*n+m+tx]
		tb[ty][tx] = b[(m+ty)*n+col]
		gpu.SyncThreads()
		for k := range 32 {
			sum += ta[ty][k] * tb[k][tx]
		}
		gpu.SyncThreads()
	}
	c[row*n+col] = sum
}

//gpu:kernel
func transpose(in, out []float32, n int32) {
	tile := gpu.Shared[[32][33]float32]()
	turn(tile, in, out, n)
}

//gpu:kernel nobounds
func transposeFree(in, out []float32, n int32) {
	tile := gpu.Shared[[32][33]float32]()
	turn(tile, in, out, n)
}

func turn(tile *[32][33]float32, in, out []float32, n int32) {
	tx, ty := int32(gpu.ThreadIdx().X), int32(gpu.ThreadIdx().Y)
	bx, by := int32(gpu.BlockIdx().X)*32, int32(gpu.BlockIdx().Y)*32
	for j := int32(0); j < 32; j += 8 {
		tile[ty+j][tx] = in[(by+ty+j)*n+bx+tx]
	}
	gpu.SyncThreads()
	for j := int32(0); j < 32; j += 8 {
		out[(bx+ty+j)*n+by+tx] = tile[tx][ty+j]
	}
}

//gpu:kernel
func histogram(in []uint8, counts []uint32) {
	local := gpu.Shared[[256]uint32]()
	count(local, in, counts)
}

//gpu:kernel nobounds
func histogramFree(in []uint8, counts []uint32) {
	local := gpu.Shared[[256]uint32]()
	count(local, in, counts)
}

func count(local *[256]uint32, in []uint8, counts []uint32) {
	t := gpu.ThreadIdx().X
	local[t] = 0
	gpu.SyncThreads()
	for i := gpu.GlobalID(); i < len(in); i += gpu.GlobalSize() {
		gpu.AtomicAdd(&local[in[i]], 1)
	}
	gpu.SyncThreads()
	gpu.AtomicAdd(&counts[t], local[t])
}

//gpu:kernel
func stencil(in, out []float32, n int32) { average(in, out, n) }

//gpu:kernel nobounds
func stencilFree(in, out []float32, n int32) { average(in, out, n) }

func average(in, out []float32, n int32) {
	gx, gy := gpu.GlobalID2D()
	x, y := int32(gx), int32(gy)
	if x > 0 && x < n-1 && y > 0 && y < n-1 {
		i := y*n + x
		out[i] = 0.25 * (in[i-1] + in[i+1] + in[i-n] + in[i+n])
	}
}

//gpu:kernel
func blackScholes(price, strike, years, call, put []float32) {
	options(price, strike, years, call, put)
}

//gpu:kernel nobounds
func blackScholesFree(price, strike, years, call, put []float32) {
	options(price, strike, years, call, put)
}

// normal returns the cumulative distribution of the normal distribution (Abramowitz and Stegun 26.2.17).
func normal(d float32) float32 {
	k := 1 / (1 + 0.2316419*float32(math.Abs(float64(d))))
	c := 0.39894228 * float32(math.Exp(float64(-0.5*d*d))) * (k * (0.31938153 + k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429)))))
	if d > 0 {
		c = 1 - c
	}
	return c
}

func options(price, strike, years, call, put []float32) {
	const rate, volatility = 0.02, 0.30
	i := gpu.GlobalID()
	if i >= len(price) {
		return
	}
	s, x, t := price[i], strike[i], years[i]
	root := float32(math.Sqrt(float64(t)))
	d1 := (float32(math.Log(float64(s/x))) + (rate+0.5*volatility*volatility)*t) / (volatility * root)
	d2 := d1 - volatility*root
	n1, n2 := normal(d1), normal(d2)
	discount := float32(math.Exp(float64(-rate * t)))
	call[i] = s*n1 - x*discount*n2
	put[i] = x*discount*(1-n2) - s*(1-n1)
}

//gpu:kernel
func nBody(x, y, z, mass, ax, ay, az []float32) {
	tile := gpu.Shared[[4][256]float32]()
	attract(tile, x, y, z, mass, ax, ay, az)
}

//gpu:kernel nobounds
func nBodyFree(x, y, z, mass, ax, ay, az []float32) {
	tile := gpu.Shared[[4][256]float32]()
	attract(tile, x, y, z, mass, ax, ay, az)
}

func attract(tile *[4][256]float32, x, y, z, mass, ax, ay, az []float32) {
	t, i := gpu.ThreadIdx().X, gpu.GlobalID()
	px, py, pz := x[i], y[i], z[i]
	var sx, sy, sz float32
	for first := 0; first < len(x); first += 256 {
		tile[0][t], tile[1][t], tile[2][t], tile[3][t] = x[first+t], y[first+t], z[first+t], mass[first+t]
		gpu.SyncThreads()
		for k := range 256 {
			dx, dy, dz := tile[0][k]-px, tile[1][k]-py, tile[2][k]-pz
			r := 1 / float32(math.Sqrt(float64(dx*dx+dy*dy+dz*dz+1e-6)))
			f := tile[3][k] * r * r * r
			sx += dx * f
			sy += dy * f
			sz += dz * f
		}
		gpu.SyncThreads()
	}
	ax[i], ay[i], az[i] = sx, sy, sz
}

//gpu:kernel
func mandelbrot(out []int32, n int32, limit int32) { escape(out, n, limit) }

//gpu:kernel nobounds
func mandelbrotFree(out []int32, n int32, limit int32) { escape(out, n, limit) }

func escape(out []int32, n, limit int32) {
	gx, gy := gpu.GlobalID2D()
	if int32(gx) >= n || int32(gy) >= n {
		return
	}
	cr, ci := float32(gx)/float32(n)*3-2, float32(gy)/float32(n)*3-1.5
	var zr, zi float32
	steps := int32(0)
	for zr*zr+zi*zi < 4 && steps < limit {
		zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
		steps++
	}
	out[int32(gy)*n+int32(gx)] = steps
}

//gpu:kernel
func softmax(in, out []float32, width int) {
	tile := gpu.Shared[[256]float32]()
	softmaxRow(tile, in, out, width)
}

//gpu:kernel nobounds
func softmaxFree(in, out []float32, width int) {
	tile := gpu.Shared[[256]float32]()
	softmaxRow(tile, in, out, width)
}

func softmaxRow(tile *[256]float32, in, out []float32, width int) {
	t := gpu.ThreadIdx().X
	row := gpu.BlockIdx().X * width
	largest := float32(math.Inf(-1))
	for j := t; j < width; j += 256 {
		largest = max(largest, in[row+j])
	}
	tile[t] = largest
	gpu.SyncThreads()
	for s := 128; s > 0; s /= 2 {
		if t < s {
			tile[t] = max(tile[t], tile[t+s])
		}
		gpu.SyncThreads()
	}
	largest = tile[0]
	gpu.SyncThreads()
	var sum float32
	for j := t; j < width; j += 256 {
		sum += float32(math.Exp(float64(in[row+j] - largest)))
	}
	tile[t] = sum
	gpu.SyncThreads()
	for s := 128; s > 0; s /= 2 {
		if t < s {
			tile[t] += tile[t+s]
		}
		gpu.SyncThreads()
	}
	sum = tile[0]
	for j := t; j < width; j += 256 {
		out[row+j] = float32(math.Exp(float64(in[row+j]-largest))) / sum
	}
}
