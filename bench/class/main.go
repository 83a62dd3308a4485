// Command class runs many programs on one GPU, as the sessions of a class, which take turns: each has its own device memory, and is
// suspended while others have theirs (GOPHERWARP_GPU_IDLE). It prints how long the turns take, and what the GPU and the host hold.
//
//	go build -o gopherwarp ./cmd/gopherwarp && GOPHERWARP_BIN=$PWD/gopherwarp go run ./bench/class -sessions 30 -size 2GiB -idle 2s
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/internal/memory"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

func main() {
	sessions := flag.Int("sessions", 30, "how many programs run")
	size := flag.String("size", "2GiB", "the device memory of each")
	idle := flag.String("idle", "2s", "after which time without use a device is suspended")
	rounds := flag.Int("rounds", 2, "how many turns each has")
	member := flag.Bool("member", false, "be one of the programs")
	flag.Parse()
	limit, err := memory.ParseLimit(*size)
	if err == nil && *member {
		err = takePart(uint64(limit.Bytes))
	} else if err == nil {
		err = teach(*sessions, *rounds, *size, *idle)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "class:", err)
		os.Exit(1)
	}
}

// A turn is what a program did when it was asked to.
type turn struct {
	First     time.Duration // until the device had read one element
	All       time.Duration
	Free      uint64 // device memory that was free then, in bytes
	Processes int    // device processes so far
	Err       string
}

const source = `
extern "C" __global__ void add(float *x, unsigned long long n, float by) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n) x[i] += by;
}
extern "C" __global__ void compare(const float *x, unsigned long long n, float want, unsigned *wrong) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n && x[i] != want) atomicAdd(wrong, 1u);
}`

// A member holds device memory whose elements all have the same value.
type member struct {
	add, compare *gpu.Kernel
	x            *gpu.Buffer[float32]
	value        float32
}

func newMember(bytes uint64) (*member, error) {
	m, err := gpu.Compile(source)
	if err != nil {
		return nil, err
	}
	add, err := m.Kernel("add")
	if err != nil {
		return nil, err
	}
	compare, err := m.Kernel("compare")
	if err != nil {
		return nil, err
	}
	return &member{add: add, compare: compare, x: gpu.Zeros[float32](int(bytes / 4))}, nil
}

// turn compares all elements and adds one to them.
func (m *member) turn() (t turn, err error) {
	start := time.Now()
	defer func() { t.All = time.Since(start) }()
	n := m.x.Len()
	if err := m.x.Slice(n-1, n).CopyTo(make([]float32, 1)); err != nil {
		return t, err
	}
	t.First = time.Since(start)
	wrong := gpu.Zeros[uint32](1)
	if err := m.compare.Launch(gpu.For(n, 256), m.x, uint64(n), m.value, wrong); err != nil {
		return t, err
	}
	if k := wrong.ToHost()[0]; k > 0 {
		return t, fmt.Errorf("%d of %d elements are not %g", k, n, m.value)
	}
	m.value++
	if err := m.add.Launch(gpu.For(n, 256), m.x, uint64(n), 1); err != nil {
		return t, err
	}
	d, err := gpu.Current()
	if err != nil {
		return t, err
	}
	if t.Free, _, err = d.MemInfo(); err != nil {
		return t, err
	}
	return t, gpu.Sync()
}

// takePart holds that many bytes of device memory, and takes and writes a turn for each line that it reads.
func takePart(bytes uint64) error {
	m, err := newMember(bytes)
	if err != nil {
		return err
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		t, err := m.turn()
		if err != nil {
			t.Err = err.Error()
		}
		t.Processes = gpu.Status()[0].Starts
		if err := out.Encode(t); err != nil {
			return err
		}
	}
	return in.Err()
}

// A program is one member of the class.
type program struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

func (p *program) turn() (t turn, err error) {
	if _, err = fmt.Fprintln(p.in); err == nil {
		err = p.out.Decode(&t)
	}
	if err == nil && t.Err != "" {
		err = fmt.Errorf("%s", t.Err)
	}
	return t, err
}

// teach starts the programs and gives each of them its turns.
func teach(sessions, rounds int, size, idle string) error {
	before, _ := memory.Available()
	var class []*program
	defer func() {
		for _, p := range class {
			p.in.Close()
			_ = p.cmd.Wait()
		}
	}()
	for i := range sessions {
		cmd := exec.Command(os.Args[0], "-member", "-size", size)
		cmd.Env = append(os.Environ(), "GOPHERWARP_GPU_IDLE="+idle)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		p := &program{cmd, in, json.NewDecoder(out)}
		class = append(class, p)
		t, err := p.turn()
		if err != nil {
			return fmt.Errorf("program %d, first turn: %w", i, err)
		}
		fmt.Printf("program %2d begins: %v, then %s of device memory are free\n", i, t.All.Round(time.Millisecond), render.Bytes(t.Free))
	}
	var first, all []time.Duration
	suspended := 0
	for round := range rounds {
		for i, p := range class {
			t, err := p.turn()
			if err != nil {
				return fmt.Errorf("program %d, round %d: %w", i, round, err)
			}
			first, all = append(first, t.First), append(all, t.All)
			suspended = max(suspended, t.Processes-1)
			if i == sessions-1 {
				now, _ := memory.Available()
				fmt.Printf("round %d ends: %s of device memory are free, the host has %s less than at the beginning\n",
					round, render.Bytes(t.Free), render.Bytes(uint64(max(before-now, 0))))
			}
		}
	}
	slices.Sort(first)
	slices.Sort(all)
	fmt.Printf("%d programs of %s, %d turns, all elements right; a program was suspended up to %d times\n", sessions, size, len(all), suspended)
	fmt.Printf("first element: median %v, longest %v; a turn: median %v, longest %v\n",
		first[len(first)/2].Round(time.Millisecond), first[len(first)-1].Round(time.Millisecond),
		all[len(all)/2].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond))
	return nil
}
