// Command simspeed compares the simulator with the host: it runs kernels.cu by `gopherwarp program`, and host.cpp, which computes
// the same by loops and OpenMP, compiled by the same compiler with -O3 -march=native.
//
//	go build -o gopherwarp ./cmd/gopherwarp && go run ./bench/simspeed -gopherwarp ./gopherwarp
//
// Where that loop has another algorithm than the kernel, such as std::sort, the host has the kernel's rounds as loops, too: the second factor.
//
// Times are the shortest of at least five. Processor time is that of all threads, which other work of the machine affects less; on some
// virtual machines it leaves out part of what running threads have used. The two programs run alternately, so that other work of the machine hits both.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A row is what one program says about one computation.
type row struct {
	name         string
	ms, cpu, sum float64
}

func run() error {
	gopherwarp := flag.String("gopherwarp", "gopherwarp", "the binary to measure")
	dir := flag.String("dir", "bench/simspeed/testdata", "where kernels.cu and host.cpp are")
	times := flag.Int("times", 3, "how often each program runs")
	flag.Parse()
	tmp, err := os.MkdirTemp("", "simspeed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	host := filepath.Join(tmp, "host")
	gxx := "g++"
	if name := os.Getenv("CXX"); name != "" {
		gxx = name
	}
	if out, err := exec.Command(gxx, "-O3", "-march=native", "-std=c++17", "-fopenmp", "-o", host, filepath.Join(*dir, "host.cpp")).CombinedOutput(); err != nil {
		return fmt.Errorf("compiling host.cpp: %w\n%s", err, out)
	}
	var sim, plain []row
	for range *times {
		if plain, err = best(plain, host); err != nil {
			return err
		}
		if sim, err = best(sim, *gopherwarp, "program", "--device", "sim", filepath.Join(*dir, "kernels.cu")); err != nil {
			return err
		}
	}
	hosts := map[string]row{}
	for _, h := range plain {
		hosts[h.name] = h
	}
	fmt.Println("| kernel | host, ms | simulator, ms | factor | host by rounds, ms | factor | host, processor ms | simulator, processor ms | factor |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, s := range sim {
		h, err := peer(hosts, s.name, s)
		if err != nil {
			return err
		}
		rounds := " | "
		if _, ok := hosts[s.name+byRounds]; ok {
			r, err := peer(hosts, s.name+byRounds, s)
			if err != nil {
				return err
			}
			rounds = fmt.Sprintf("%.2f | %.1f", r.ms, s.ms/r.ms)
		}
		fmt.Printf("| %s | %.2f | %.2f | %.1f | %s | %.2f | %.2f | %.1f |\n", s.name, h.ms, s.ms, s.ms/h.ms, rounds, h.cpu, s.cpu, s.cpu/h.cpu)
	}
	return nil
}

// byRounds ends the names of the host's computations that have the kernel's algorithm, where another of that name has a better one.
const byRounds = ", by its rounds"

// peer returns the host's row of a name, which must have the result of s.
func peer(hosts map[string]row, name string, s row) (row, error) {
	h, ok := hosts[name]
	if !ok {
		return row{}, fmt.Errorf("host.cpp has no %q", name)
	}
	if math.Abs(s.sum-h.sum) > 1e-3*math.Abs(h.sum) {
		return row{}, fmt.Errorf("%s is %g on the simulator and %g on the host", name, s.sum, h.sum)
	}
	return h, nil
}

// best runs a program and returns the shorter times.
func best(before []row, name string, args ...string) ([]row, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "OMP_WAIT_POLICY=passive") // threads that wait use no processor time
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", filepath.Base(name), err, out, errs.Bytes())
	}
	var rows []row
	for line := range strings.Lines(string(out)) {
		var r row
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			return nil, fmt.Errorf("%s printed %q", filepath.Base(name), line)
		}
		r.name = fields[0]
		if _, err := fmt.Sscan(fields[1]+" "+fields[2]+" "+fields[3], &r.ms, &r.cpu, &r.sum); err != nil {
			return nil, err
		}
		if i := len(rows); i < len(before) {
			r.ms, r.cpu = min(r.ms, before[i].ms), min(r.cpu, before[i].cpu)
		}
		rows = append(rows, r)
	}
	return rows, nil
}
