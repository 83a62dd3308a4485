package main

import "math"

//go:generate gopherwarp kernels

func squarePlus(x, y float32) float32 { return x*x + y }

func logistic(x float32) float32 { return 1 / (1 + float32(math.Exp(float64(-x)))) }

func clamped(x float32) float32 {
	if x < 0.25 {
		return 0.25
	}
	return min(x, 0.75)
}

func greater(x, y float32) float32 { return max(x, y) }

func sum64(x, y int64) int64 { return x + y }
