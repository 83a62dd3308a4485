// Command programs measures small programs of arrays, written as a user of CuPy would write them, on the current device, beside the same
// programs of peers in the same run. Each is a file here, X.go for package nd and X.py for the peers. It prints a table with the wall
// time of a run, the device waited for at its end, how many times that of package nd the peers take, and the time that reading its inputs
// and writing its results takes at the rate of a copy, which is measured, too, with the quotient of both.
//
//	go run ./bench/programs [-peers cupy,jax] [-divide 256] [-only unique,mask] [-repeat 5] [-profile] [-shards]
//
// With -profile it also prints which kernels each program launches, and their times. With -shards it measures other programs, on one device and
// with arrays that are split over all devices of its kind (GOPHERWARP_DEVICE=sim:x2 without GPUs).
//
// One run follows another, whose memory and caches are still as it left them, as in a loop. With -pause 2ms everybody adds up the results, collects
// garbage, pauses, and computes something small ten times before the next run. Short programs take several times as long after a pause.
//
// Repeated, package nd and the peers take turns, and the lowest of the times counts: on a machine that does other work, too, that is the
// one that this work has disturbed least. The sums of the results are compared: a peer whose sum differs is marked.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// A program is what is measured.
type program struct {
	name, what string
	size       int // of the inputs, in elements or rows
	// bytes returns how many a run reads and writes at least, and is nil if its arithmetic takes longer.
	bytes func(n int) int
	// prepare makes inputs of that size and returns the program, which returns its results.
	prepare func(n int) func() []nd.Operand
}

var programs = []program{
	blackScholes, softmax, heat, kmeans, nbody, conjugateGradient, convolution, bincount, unique, groupSums, mask, logistic,
	layerNorm, attention, gelu, stencil3D, segments, sortByKey, topK, walks, pageRank, nearest, filter2D, quantiles, training,
}

func main() {
	device.Serve()
	peers := flag.String("peers", "", "libraries of Python to compare with: numpy, cupy, jax")
	divide := flag.Int("divide", 1, "divide all sizes by this")
	only := flag.String("only", "", "names of the programs to run, all if empty")
	repeat := flag.Int("repeat", 1, "how often to measure all, of which the lowest times count")
	dir := flag.String("dir", "bench/programs", "the directory of peers.py")
	pause := flag.Duration("pause", 0, "the pause between two runs")
	profiles := flag.Bool("profile", false, "print the kernels of each program")
	shards := flag.Bool("shards", false, "measure programs with arrays split over all devices, instead")
	flag.Parse()
	err := nd.Try(func() {
		if *shards {
			measureShards(*divide)
			return
		}
		measure(*peers, *divide, *repeat, *only, *dir, *pause)
		if *profiles {
			profile(*divide, *only)
		}
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "programs:", err)
		os.Exit(1)
	}
}

// A result is the time of a program and the sum of its results.
type result struct {
	milliseconds, sum float64
}

func measure(peers string, divide, repeat int, only, dir string, pause time.Duration) {
	d := must(gpu.Current())
	fmt.Printf("%s, %s, %s, sizes divided by %d, pauses of %v\n\n", time.Now().Format(time.DateOnly), d, runtime.Version(), divide, pause)
	rate := copyRate(1 << 28 / divide)
	libraries := strings.FieldsFunc(peers, func(r rune) bool { return r == ',' })
	rows, theirs := map[string]result{}, map[string]map[string]result{}
	for range repeat {
		for _, p := range chosen(only) {
			keepLowest(rows, p.name, p.measure(p.size/divide, pause))
			fmt.Fprintf(os.Stderr, "%s: %.3f ms\n", p.name, rows[p.name].milliseconds)
		}
		for _, l := range libraries {
			if theirs[l] == nil {
				theirs[l] = map[string]result{}
			}
			for name, r := range measurePeer(filepath.Join(dir, "peers.py"), l, divide, only, pause) {
				keepLowest(theirs[l], name, r)
			}
		}
	}
	fmt.Print(table(rows, theirs, libraries, func(p program) float64 { return float64(p.bytes(p.size/divide)) / rate * 1e3 }, rate))
}

// chosen returns the programs with those names, or all if there are none.
func chosen(only string) []program {
	if only == "" {
		return programs
	}
	names := strings.Split(only, ",")
	return slices.DeleteFunc(slices.Clone(programs), func(p program) bool { return !slices.Contains(names, p.name) })
}

// profile prints the kernels of each program.
func profile(divide int, only string) {
	for _, p := range chosen(only) {
		run := p.prepare(p.size / divide)
		run() // compiles
		report, err := prof.Run(func() error { run(); return gpu.Sync() }, prof.WithTimesOnly())
		check(err)
		fmt.Printf("\n%s\n%v\n", p.what, report)
	}
}

// keepLowest stores a result, unless a quicker one is there.
func keepLowest(results map[string]result, name string, r result) {
	if old, ok := results[name]; !ok || r.milliseconds < old.milliseconds {
		results[name] = r
	}
}

// rounds is how often a program runs: at least 5 times and, if it is short, for half a second, so that the median of programs of some
// microseconds is that of more than a moment.
const rounds, leastTime, mostRounds = 5, 500 * time.Millisecond, 2000

// measure returns the median wall time.
func (p program) measure(n int, pause time.Duration) result {
	run, awake := p.prepare(n), nd.Ones[float32](1).Eval()
	var times []time.Duration
	var sum float64
	for i, begun := 0, time.Now(); i < rounds+2 || i < mostRounds && time.Since(begun) < leastTime; i++ {
		if pause > 0 {
			// The device's process, which has gone to sleep meanwhile, has work again, as the threads of a peer have.
			for range 10 {
				awake.Neg().Eval()
				check(gpu.Sync())
			}
		}
		start := time.Now()
		results := run()
		check(gpu.Sync())
		if t := time.Since(start); i >= 2 { // the first compiles
			times = append(times, t)
		} else {
			begun = time.Now()
		}
		if sum != 0 && pause == 0 {
			continue
		}
		sum = 0
		for _, r := range results {
			sum += nd.SumAs[float64](r).Item()
		}
		// Arrays that are no longer used give their memory back, as those of CPython do when they are left.
		results = nil
		runtime.GC()
		time.Sleep(pause)
	}
	slices.Sort(times)
	return result{times[len(times)/2].Seconds() * 1e3, sum}
}

// copyRate returns how many bytes a copy of n float32s reads and writes in a second.
func copyRate(n int) float64 {
	copied := program{prepare: func(n int) func() []nd.Operand {
		a := nd.Ones[float32](n).Eval()
		b := nd.Empty[float32](n)
		return func() []nd.Operand {
			b.Assign(a)
			return []nd.Operand{b}
		}
	}}
	return float64(8*n) / copied.measure(n, time.Millisecond).milliseconds * 1e3
}

// measurePeer runs peers.py and returns what it has measured.
func measurePeer(script, library string, divide int, only string, pause time.Duration) map[string]result {
	cmd := exec.Command("python3", "-u", script, library, strconv.Itoa(divide), only, strconv.FormatFloat(pause.Seconds(), 'g', -1, 64))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	check(cmp.Or(err, cmd.Start()))
	results := map[string]result{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var name string
		var r result
		if _, err := fmt.Sscan(lines.Text(), &name, &r.milliseconds, &r.sum); err == nil {
			results[name] = r
		}
		fmt.Fprintln(os.Stderr, library, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		fmt.Fprintf(os.Stderr, "programs: %s: %v\n", script, err)
	}
	return results
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
