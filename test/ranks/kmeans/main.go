// Command kmeans finds clusters of points: each rank has a part of the points, and all have the centroids. Coordinates are multiples of a power of
// two, so that sums have no rounding, and the result does not depend on the number of ranks.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/rank"
)

var (
	points   = flag.Int("points", 1000, "number of points")
	clusters = flag.Int("clusters", 4, "number of clusters")
	rounds   = flag.Int("rounds", 12, "number of iterations")
	late     = flag.Int("late", -1, "the rank that joins after half a second, or as until says")
	until    = flag.String("until", "", "the late rank joins when this file exists")
	killed   = flag.Int("killed", -1, "the rank that is killed in the third iteration")
	limit    = flag.Duration("limit", time.Minute, "how long to wait for the other ranks")
)

const dimensions = 3

func main() {
	device.Serve()
	flag.Parse()
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// wait waits until a file exists, but not longer than the limit, or for half a second if there is no name.
func wait(file string) {
	if file == "" {
		time.Sleep(500 * time.Millisecond)
		return
	}
	for begin := time.Now(); time.Since(begin) < *limit; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
	}
}

func run(ctx context.Context) error {
	w, err := rank.FromEnvironment()
	if err != nil {
		return err
	}
	if w.Rank == *late {
		wait(*until)
	}
	joining, cancel := context.WithTimeout(ctx, *limit)
	defer cancel()
	g, err := rank.Join(joining, w)
	if err != nil {
		return err
	}
	if _, err := w.Use(); err != nil {
		return err
	}
	c, err := g.Communicator(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "rank %d of %d by %q\n", w.Rank, w.Size, w.Launcher)
	var centroids *nd.Array[float64]
	if err := nd.Try(func() { centroids = fit(w, c) }); err != nil {
		return err
	}
	if w.Rank == 0 {
		fmt.Println(centroids.ToHost())
	}
	return g.Close(ctx)
}

// fit returns the centroids.
func fit(w rank.World, c *gpu.Communicator) *nd.Array[float64] {
	begin, end := w.Part(*points)
	x := nd.FromSlice(data()[begin*dimensions:end*dimensions], end-begin, dimensions)
	// Rank 0's first points are the first centroids.
	centroids := nd.Zeros[float64](*clusters, dimensions)
	if w.Rank == 0 {
		centroids = x.Slice(nd.To(*clusters))
	}
	centroids = nd.BroadcastFrom(c, 0, centroids)
	for i := range *rounds {
		if i == 2 && w.Rank == *killed {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		far := x.ExpandDims(1).Sub(centroids.ExpandDims(0)).Square().Sum(2)
		nearest := nd.Argmin(far, 1).ExpandDims(1)
		member := nd.AsType[float64](nearest.Equal(nd.Arange(int64(*clusters)).ExpandDims(0)))
		sums := nd.AllReduce(c, gpu.ReduceSum, nd.MatMul(member.T(), x))
		counts := nd.AllReduce(c, gpu.ReduceSum, member.Sum(0))
		centroids = sums.Div(counts.MaximumScalar(1).ExpandDims(1))
	}
	return centroids
}

// data returns the coordinates of all points, the same on each rank.
func data() []float64 {
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]float64, *points*dimensions)
	for i := range list {
		cluster := i / dimensions % *clusters
		list[i] = float64(random.IntN(4096)+2048*(cluster+i%dimensions)) / 1024
	}
	return list
}
