package client

import (
	"runtime"
	"runtime/metrics"
	"time"
)

// FreeUnreachable frees unreachable buffers.
func FreeUnreachable() {
	runtime.GC()
	// The runtime has queued their cleanups by now, and runs them on goroutines of its own.
	const limit, interval = time.Second, 50 * time.Microsecond
	queued := cleanups("/gc/cleanups/queued:cleanups")
	for begin := time.Now(); cleanups("/gc/cleanups/executed:cleanups") < queued && time.Since(begin) < limit; {
		time.Sleep(interval)
	}
}

func cleanups(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // a release of Go without this metric
	}
	return sample[0].Value.Uint64()
}
