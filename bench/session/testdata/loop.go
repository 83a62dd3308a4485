package main

import "time"

const n = 256

var a, b, c [n * n]float32

func multiply() {
	for i := 0; i < n; i++ {
		for j := 0; j < n; j++ {
			sum := float32(0)
			for k := 0; k < n; k++ {
				sum += a[i*n+k] * b[k*n+j]
			}
			c[i*n+j] = sum
		}
	}
}

// measure returns nanoseconds, the least of twenty.
func measure() int {
	for i := range a {
		a[i], b[i] = float32(i%7), float32(i%5)
	}
	best := time.Hour
	for range 20 {
		start := time.Now()
		multiply()
		best = min(best, time.Since(start))
	}
	return int(best)
}

func main() { println(measure()) }
