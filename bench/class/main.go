// Command class runs many sessions on one GPU, which take turns as the learners of a class do: each is a kernel of its own with its
// own device memory, and its device is suspended while others compute (GOPHERWARP_GPU_IDLE). It prints how long the turns take, and
// what the GPU and the host hold.
//
//	go build -o gopherwarp ./cmd/gopherwarp && go run ./bench/class -kernel ./gopherwarp -sessions 30 -size 2GiB -idle 2s
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/memory"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func main() {
	binary := flag.String("kernel", "bin/gopherwarp", "the gopherwarp `binary` to run")
	sessions := flag.Int("sessions", 30, "how many sessions run")
	size := flag.String("size", "2GiB", "the device memory of each")
	idle := flag.String("idle", "2s", "after which time without use a device is suspended")
	rounds := flag.Int("rounds", 2, "how many turns each has")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	limit, err := memory.ParseLimit(*size)
	if err == nil {
		*binary, err = filepath.Abs(*binary)
	}
	if err == nil {
		launch := kernel.Launch{
			Argv: []string{*binary, "kernel", "-f", "{connection_file}"}, Log: os.Stderr,
			Env: []string{"GOPHERWARP_GPU_IDLE=" + *idle},
		}
		c := class{launch: launch, bytes: limit.Bytes}
		defer c.end(context.WithoutCancel(ctx))
		err = c.teach(ctx, *sessions, *rounds)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "class:", err)
		os.Exit(1)
	}
}

// A turn is what a session did in one cell.
type turn struct {
	First     time.Duration // until the device had read one element
	All       time.Duration // until all elements were compared and counted up
	Free      uint64        // device memory that was free then, in bytes
	Processes int           // device processes of the session so far
	Wrong     uint32        // elements that did not have their value
	Cell      time.Duration `json:"-"` // from the request until the session was idle again
}

// The first two cells of each session; %d is the number of elements.
const (
	kernels = `%%cuda
extern "C" __global__ void add(float *x, unsigned long long n, float by) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n) x[i] += by;
}
extern "C" __global__ void compare(const float *x, unsigned long long n, float want, unsigned *wrong) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n && x[i] != want) atomicAdd(wrong, 1u);
}`
	declarations = `type turn struct {
	First, All time.Duration
	Free       uint64
	Processes  int
	Wrong      uint32
}

n := %d
x, value := gpu.Zeros[float32](n), float32(0)

// takeTurn compares all elements and adds one to them.
func takeTurn() (t turn) {
	start := time.Now()
	must(0, x.Slice(n-1, n).CopyTo(make([]float32, 1)))
	t.First = time.Since(start)
	wrong := gpu.Zeros[uint32](1)
	must(0, compare.Launch(gpu.For(n, 256), x, n, value, wrong))
	t.Wrong = wrong.ToHost()[0]
	value++
	must(0, add.Launch(gpu.For(n, 256), x, n, 1))
	must(0, gpu.Sync())
	t.All = time.Since(start)
	t.Free, _ = memInfo()
	t.Processes = gpu.Status()[0].Starts
	return t
}

func memInfo() (free, total uint64) {
	free, total, err := must(gpu.Current()).MemInfo()
	must(0, err)
	return free, total
}`
	turnCell = `fmt.Println(string(must(json.Marshal(takeTurn()))))`
)

// A class is sessions that have their turns one after the other.
type class struct {
	launch   kernel.Launch
	bytes    int64 // device memory of each
	sessions []*kernel.Process
}

func (c *class) end(ctx context.Context) {
	for _, p := range c.sessions {
		_ = p.Stop(ctx)
	}
}

// teach starts the sessions and gives each of them its turns.
func (c *class) teach(ctx context.Context, sessions, rounds int) error {
	before, _ := memory.Available()
	for i := range sessions {
		t, err := c.join(ctx)
		if err != nil {
			return fmt.Errorf("session %d begins: %w", i, err)
		}
		fmt.Printf("session %2d begins: first turn %v, then %s of device memory are free\n", i, t.All.Round(time.Millisecond), render.Bytes(t.Free))
	}
	var first, all, cells []time.Duration
	suspended := 0
	for round := range rounds {
		var free uint64
		for i, p := range c.sessions {
			t, err := takeTurn(ctx, p)
			if err != nil {
				return fmt.Errorf("session %d, round %d: %w", i, round, err)
			}
			first, all, cells = append(first, t.First), append(all, t.All), append(cells, t.Cell)
			suspended, free = max(suspended, t.Processes-1), t.Free
		}
		now, _ := memory.Available()
		fmt.Printf("round %d ends: %s of device memory are free, the host has %s less than at the beginning\n",
			round, render.Bytes(free), render.Bytes(uint64(max(before-now, 0))))
	}
	fmt.Printf("%d sessions of %s, %d turns, all elements right; a session was suspended up to %d times\n",
		sessions, render.Bytes(uint64(c.bytes)), len(all), suspended)
	for _, m := range []struct {
		what  string
		times []time.Duration
	}{{"first element", first}, {"a turn", all}, {"its cell", cells}} {
		slices.Sort(m.times)
		fmt.Printf("%s: median %v, longest %v\n", m.what,
			m.times[len(m.times)/2].Round(time.Millisecond), m.times[len(m.times)-1].Round(time.Millisecond))
	}
	return nil
}

// join starts one more session, which takes its first turn.
func (c *class) join(ctx context.Context) (turn, error) {
	p, err := c.launch.Start(ctx)
	if err != nil {
		return turn{}, err
	}
	c.sessions = append(c.sessions, p)
	for _, code := range []string{kernels, fmt.Sprintf(declarations, c.bytes/4)} {
		if _, err := run(ctx, p, code); err != nil {
			return turn{}, err
		}
	}
	return takeTurn(ctx, p)
}

func takeTurn(ctx context.Context, p *kernel.Process) (t turn, err error) {
	start := time.Now()
	text, err := run(ctx, p, turnCell)
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return t, fmt.Errorf("the turn's output %q: %w", text, err)
	}
	if t.Wrong > 0 {
		return t, fmt.Errorf("%d elements have a wrong value", t.Wrong)
	}
	t.Cell = time.Since(start)
	return t, nil
}

// run runs a cell and returns what it wrote to standard output.
func run(ctx context.Context, p *kernel.Process, code string) (string, error) {
	var out strings.Builder
	reply, err := p.Execute(ctx, kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
		var content struct{ Name, Text string }
		if m.Header.Type == "stream" && m.DecodeContent(&content) == nil && content.Name == "stdout" {
			out.WriteString(content.Text)
		}
	}})
	if err == nil && reply.Status != "ok" {
		err = errors.New(reply.Name + ": " + reply.Value)
	}
	return out.String(), err
}
