package sanitizer_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sanitizer"
	"github.com/gopherwarp/gopherwarp/gpu/internal/sim"
)

const roleVariable = "GOPHERWARP_SANITIZER_TEST"

// The test binary is also the helper, which executes launches on the simulator.
func TestMain(m *testing.M) {
	if os.Getenv(roleVariable) == "" {
		os.Setenv(roleVariable, "helper")
		os.Exit(m.Run())
	}
	var b backend.Backend = sim.New()
	if len(os.Args) > 1 && os.Args[1] == "idle" {
		b = idle{}
	}
	if err := sanitizer.Serve(b, 0, os.NewFile(sanitizer.JobsFD, "jobs"), os.NewFile(sanitizer.AnswersFD, "answers")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// idle is a device that carries out launches without running kernels.
type (
	idle       struct{ backend.Backend }
	idleDevice struct {
		backend.Device
		used uint64
	}
)

func (idle) Open(int) (backend.Device, error)             { return &idleDevice{}, nil }
func (*idleDevice) Load(uint32, backend.Image) error      { return nil }
func (*idleDevice) CopyHtoD(uint64, []byte, uint32) error { return nil }
func (*idleDevice) Launch(*backend.Launch) error          { return nil }
func (*idleDevice) Sync() error                           { return nil }
func (*idleDevice) Close() error                          { return nil }
func (d *idleDevice) Function(_, _ uint32, _ string) (backend.FunctionInfo, error) {
	return backend.FunctionInfo{}, nil
}

func (d *idleDevice) CreateChunk(size, _ uint64) (backend.Chunk, error) {
	d.used += size
	return backend.Chunk{Addr: base + d.used - size, Size: size, FD: -1}, nil
}

// base is the address of a GPU's buffers.
const base = 0x4000_0000_0000

// A rig is a device that only has memory, and a Watcher.
type rig struct {
	t      *testing.T
	memory map[uint64][]byte
	*sanitizer.Watcher
	// The program's name, the kernel's symbol and the threads of a block.
	name, symbol string
	block        uint32
}

func (r *rig) Sync() error { return nil }

func (r *rig) CopyDtoH(dst []byte, src uint64, _ uint32) error {
	for addr, mem := range r.memory {
		if src >= addr && src-addr < uint64(len(mem)) {
			copy(dst, mem[src-addr:])
			return nil
		}
	}
	return fmt.Errorf("there is nothing at %#x", src)
}

func (r *rig) Symbol(_ uint32, name string) (addr, size uint64, err error) {
	return base + 1<<30, uint64(len(r.memory[base+1<<30])), nil
}

func newRig(t *testing.T, c sanitizer.Config) *rig {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("SKIPPED: the simulator needs g++: apt install g++")
	}
	if c.Simulator == nil {
		c.Simulator = []string{os.Args[0]}
	}
	r := &rig{t: t, memory: map[uint64][]byte{}, name: "k.cu", symbol: "_Z1kPl", block: 4}
	r.Watcher = sanitizer.New(r, c)
	t.Cleanup(func() { r.try(r.Close()) })
	return r
}

func (r *rig) try(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// buffer makes a buffer of words; nil means that it is uninitialized.
func (r *rig) buffer(addr uint64, words []uint64, n int) backend.View {
	r.t.Helper()
	if words != nil {
		n = len(words)
	}
	mem := make([]byte, 8*n)
	for i, w := range words {
		binary.LittleEndian.PutUint64(mem[8*i:], w)
	}
	r.memory[addr] = mem
	r.try(r.Allocated(addr, uint64(len(mem)), words == nil))
	return backend.View{Addr: addr, Size: uint64(len(mem)), Elem: 8, Name: "x"}
}

// launch checks kernel k of a program with arguments of 8 bytes each, the first of which are the views.
func (r *rig) launch(source string, structs []sanitizer.Part, views []backend.View, more ...uint64) (bool, error) {
	r.t.Helper()
	r.Loaded(1, backend.Program{Name: r.name, Source: source, Kernels: []string{"k"}}, backend.Image{Lowered: map[string]string{"k": r.symbol}})
	r.Bound(1, 1, "k", structs, backend.TextureArguments{})
	var args []byte
	for i := range views {
		views[i].Arg = len(args)
		args = binary.LittleEndian.AppendUint64(args, views[i].Addr)
	}
	for _, v := range more {
		args = binary.LittleEndian.AppendUint64(args, v)
	}
	r.try(r.Views(views, backend.Blocks{}))
	return r.Launch(&backend.Launch{Func: 1, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{r.block, 1, 1}, Args: args})
}

// TestPointers checks kernels that get their pointers in different ways.
func TestPointers(t *testing.T) {
	const a, b = base, base + 0x100000
	for _, tc := range []struct {
		name, source string
		words        []uint64 // contents of the first buffer
		structs      []sanitizer.Part
		more         []uint64
		want         string
	}{
		{"argument", "__global__ void k(long *x) { x[threadIdx.x]++; }", []uint64{1, 2, 3, 4}, nil, nil, ""},
		{"beyond", "__global__ void k(long *x) { x[threadIdx.x + 1]++; }", []uint64{1, 2, 3, 4}, nil, nil, "reads x[4], but x has 4 elements"},
		{"never written", "__global__ void k(long *x) { x[threadIdx.x]++; }", nil, nil, nil, "reads x[0], which nothing has written"},
		{"table", "__global__ void k(long **x) { x[threadIdx.x][0]++; }", []uint64{b, b, b + 8, b + 8}, nil, nil, "race"},
		{"table to nowhere", "__global__ void k(long **x) { x[threadIdx.x][0] = 1; }", []uint64{b, b + 8, b + 16, 0}, nil, nil, "the pointer is null"},
		{
			"struct", "struct s { long *p; long n; };\n__global__ void k(long *x, s y) { for (int i = 0; i < y.n; i++) x[threadIdx.x] += y.p[i]; }",
			[]uint64{1, 2, 3, 4},
			[]sanitizer.Part{{Start: 8, End: 24}},
			[]uint64{b, 4},
			"",
		},
		{
			"struct, too far", "struct s { long *p; long n; };\n__global__ void k(long *x, s y) { for (int i = 0; i < y.n; i++) x[threadIdx.x] += y.p[i]; }",
			[]uint64{1, 2, 3, 4},
			[]sanitizer.Part{{Start: 8, End: 24}},
			[]uint64{b, 5},
			"out of bounds",
		},
		{
			"numbers like an address", "__global__ void k(long *x, int low, int high) { if (low != 8 || high != 0x4000) x[9] = 0; }",
			[]uint64{1, 2, 3, 4},
			nil,
			[]uint64{a + 8},
			"",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, sanitizer.Config{})
			views := []backend.View{r.buffer(a, tc.words, 4)}
			r.buffer(b, []uint64{1, 2, 3, 4}, 0)
			_, err := r.launch(tc.source, tc.structs, views, tc.more...)
			r.try(err)
			report, err := r.Report()
			r.try(err)
			var got []string
			for _, f := range report.Findings {
				got = append(got, f.Kind+": "+f.Message)
			}
			if (len(got) == 0) != (tc.want == "") || !strings.Contains(strings.Join(got, "\n"), tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// fakeSanitizer returns a program that imitates compute-sanitizer: it writes the log given for a tool, and runs the helper.
func fakeSanitizer(t *testing.T, logs map[string]string) string {
	t.Helper()
	directory := t.TempDir()
	for tool, file := range logs {
		text, err := os.ReadFile(filepath.Join("testdata", file+".log"))
		if err == nil {
			err = os.WriteFile(filepath.Join(directory, tool), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(directory, "compute-sanitizer")
	script, err := os.ReadFile("testdata/compute-sanitizer.sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, script, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTools checks that the findings of tools are reported once for all launches.
func TestTools(t *testing.T) {
	r := newRig(t, sanitizer.Config{
		Sanitizer: fakeSanitizer(t, map[string]string{"memcheck": "misaligned", "synccheck": "barrier"}),
		Helper:    []string{os.Args[0]},
	})
	views := []backend.View{r.buffer(base, []uint64{1, 2, 3, 4}, 0)}
	const right = "__global__ void k(long *x) { x[threadIdx.x]++; }"
	for range 2 {
		harmless, err := r.launch(right, nil, views)
		r.try(err)
		if !harmless {
			t.Error("the launch is not executed")
		}
	}
	report, err := r.Report()
	r.try(err)
	var got []string
	for _, f := range report.Findings {
		got = append(got, fmt.Sprintf("%s: %s, line %d, %d times", f.Tool, f.Kind, f.Line, f.Count))
	}
	want := "[memcheck: misaligned access, line 18, 2 times synccheck: divergent barrier, line 14, 4 times]"
	if fmt.Sprint(got) != want || report.Launches != 2 || !strings.Contains(report.Note, "memcheck, racecheck, initcheck and synccheck") {
		t.Errorf("got %v of %d launches, note %q, want %s", got, report.Launches, report.Note, want)
	}
	if report, err = r.Report(); err != nil || len(report.Findings) != 0 {
		t.Errorf("then there is %+v, %v", report, err)
	}
}

// TestToolsAndSimulator checks that findings of a tool and of the simulator are one report. The log is racecheck's of that kernel.
func TestToolsAndSimulator(t *testing.T) {
	file := "../../testdata/kernels/wrong/load_without_barrier.cu"
	kernel, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// The simulator alone finds the second defect: no tool looks for races in global memory.
	source := strings.TrimSuffix(strings.TrimSpace(string(kernel)), "}") + "    out[0] = t;\n}\n"
	r := newRig(t, sanitizer.Config{Sanitizer: fakeSanitizer(t, map[string]string{"racecheck": "race"}), Helper: []string{os.Args[0], "idle"}})
	r.name, r.symbol, r.block = filepath.Base(file), "_Z1kPKfPf", 128
	views := []backend.View{r.buffer(base, make([]uint64, 64), 0), r.buffer(base+0x100000, make([]uint64, 64), 0)}
	views[0].Elem, views[1].Elem, views[1].Name = 4, 4, "out"
	harmless, err := r.launch(source, nil, views)
	r.try(err)
	report, err := r.Report()
	r.try(err)
	var got []string
	for _, f := range report.Findings {
		got = append(got, fmt.Sprintf("%q: %s in %s, line %d: %.20s", f.Tool, f.Kind, f.Kernel, f.Line, f.Message))
	}
	want := []string{
		`"racecheck": race in k, line 8: writes s[64], which `,
		`"": race in k, line 10: writes out[0], which`,
		`"": race in k, line 9: reads s[63], which t`,
	}
	if !slices.Equal(got, want) || !harmless || len(report.Accesses) == 0 || !strings.Contains(report.Note, "and by the simulator") {
		t.Errorf("got\n%s\nwant\n%s\nnote %q, harmless %v, %d lines counted", strings.Join(got, "\n"), strings.Join(want, "\n"), report.Note, harmless, len(report.Accesses))
	}
}

// TestSimulatorCannot checks that the tools' findings count, and the report says why, if the simulator cannot check a kernel.
func TestSimulatorCannot(t *testing.T) {
	for name, tc := range map[string]struct {
		simulator    []string
		source, want string
	}{
		"does not compile": {
			nil, "__global__ void k(long *x) { asm volatile(\"wgmma.fence.sync.aligned;\"); }",
			"the simulator could not check k: k.cu:1",
		},
		"does not start": {[]string{"sh", "-c", "exit 3"}, "__global__ void k(long *x) {}", "the simulator could not check k: the process"},
		"takes too long": {
			nil, "__global__ void k(long *x) { for (unsigned long i = 1; i != 0; i += 2) if (i % 7 == 8) x[0] = i; }",
			"the simulator could not check k: it had not ended after 3s there",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, sanitizer.Config{
				Sanitizer: fakeSanitizer(t, map[string]string{"memcheck": "misaligned"}),
				Helper:    []string{os.Args[0], "idle"}, Simulator: tc.simulator, Timeout: 3 * time.Second,
			})
			_, err := r.launch(tc.source, nil, []backend.View{r.buffer(base, []uint64{1, 2, 3, 4}, 0)})
			r.try(err)
			report, err := r.Report()
			r.try(err)
			if !strings.Contains(report.Note, tc.want) || strings.Contains(report.Note, "\n") {
				t.Errorf("note %q, want %q", report.Note, tc.want)
			}
			if len(report.Findings) != 1 || report.Findings[0].Tool != "memcheck" {
				t.Errorf("got %+v", report.Findings)
			}
		})
	}
}

// TestHelperTrouble checks several failures of helpers.
func TestHelperTrouble(t *testing.T) {
	x := func(r *rig) []backend.View { return []backend.View{r.buffer(base, []uint64{1, 2, 3, 4}, 0)} }
	const right = "__global__ void k(long *x) { x[threadIdx.x]++; }"
	t.Run("a kernel without end", func(t *testing.T) {
		r := newRig(t, sanitizer.Config{Timeout: time.Second})
		harmless, err := r.launch("__global__ void k(long *x) { for (unsigned long i = 1; i != 0; i += 2) if (i % 7 == 8) x[0] = i; }", nil, x(r))
		r.try(err)
		report, err := r.Report()
		r.try(err)
		if harmless || len(report.Findings) != 1 || report.Findings[0].Kind != backend.KindDeadlock || !strings.Contains(report.Findings[0].Message, "had not ended after 1s") {
			t.Errorf("got %+v, harmless %v", report, harmless)
		}
	})
	t.Run("no program", func(t *testing.T) {
		r := newRig(t, sanitizer.Config{Simulator: []string{"/there/is/no/such/program"}})
		if _, err := r.launch(right, nil, x(r)); err == nil || !strings.Contains(err.Error(), "start /there/is/no/such/program") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a program that ends", func(t *testing.T) {
		r := newRig(t, sanitizer.Config{Simulator: []string{"sh", "-c", "echo out of order >&2"}})
		if _, err := r.launch(right, nil, x(r)); err == nil || !strings.Contains(err.Error(), "has exited") || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("too much memory", func(t *testing.T) {
		r := newRig(t, sanitizer.Config{})
		v := r.buffer(base, []uint64{1}, 0)
		v.Size = 1 << 30
		if _, err := r.launch(right, nil, []backend.View{v}); err == nil || !strings.Contains(err.Error(), "check it with less data") {
			t.Errorf("got %v", err)
		}
	})
}
