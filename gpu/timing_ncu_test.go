package gpu_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/gopherwarp/gopherwarp/gpu"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
	"github.com/gopherwarp/gopherwarp/gpu/prof"
)

// The kernels take from 25 µs to half a millisecond on a large GPU: bound by memory, by access that is
// not coalesced, and by arithmetic.
const timedSource = `
extern "C" __global__ void stream(const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = 2 * x[i] + y[i];
}
extern "C" __global__ void scatter(const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[(int)((i * 97LL) % n)] = x[i];
}
extern "C" __global__ void compute(const float *x, float *y, int n) {
	float v = x[threadIdx.x];
	for (int i = 0; i < n; i++) v = v * 1.0001f + 0.5f;
	y[blockIdx.x * blockDim.x + threadIdx.x] = v;
}`

const timedElements = 1 << 25

// timed are launches of them.
var timed = []struct {
	kernel string
	n      int
	cfg    Launch
}{
	{"stream", 1 << 23, For(1<<23, 256)},
	{"stream", timedElements, For(timedElements, 256)},
	{"scatter", timedElements, For(timedElements, 256)},
	{"compute", 20_000, Launch{Grid: Dim(132), Block: Dim(256)}},
}

func timedName(kernel string, blocks int) string {
	return fmt.Sprintf("%s of %d blocks", kernel, blocks)
}

const ncuRuns = 7

func init() { sessions["timed"] = func() { succeed(runTimed()) } }

// runTimed does the launches in this process, for ncu to look at: it does not follow the programs that one
// written in Go starts.
func runTimed() error {
	runtime.LockOSThread()
	d, err := driver.New().Open(0)
	if err != nil {
		return err
	}
	img, err := d.Compile(backend.Program{Name: "timed.cu", Source: timedSource})
	if err != nil {
		return err
	}
	if err := d.Load(1, img); err != nil {
		return err
	}
	const bytes = 4 * timedElements
	var memory [2]uint64 // as far from each other as buffers are: that tells in the times
	for i := range memory {
		chunk, err := d.CreateChunk(bytes, 0)
		if err != nil {
			return err
		}
		if err := d.Fill(chunk.Addr, []byte{0}, bytes, 0); err != nil {
			return err
		}
		memory[i] = chunk.Addr
	}
	for i, launch := range timed {
		fn := uint32(i + 1)
		if _, err := d.Function(fn, 1, launch.kernel); err != nil {
			return err
		}
		var args []byte
		args = binary.NativeEndian.AppendUint64(args, memory[0])
		args = binary.NativeEndian.AppendUint64(args, memory[1])
		args = binary.NativeEndian.AppendUint32(args, uint32(launch.n))
		for range ncuRuns {
			l := backend.Launch{Func: fn, Grid: [3]uint32{uint32(launch.cfg.Grid.X), 1, 1}, Block: [3]uint32{uint32(launch.cfg.Block.X), 1, 1}, Args: args}
			if err := errors.Join(d.Launch(&l), d.Sync()); err != nil {
				return err
			}
		}
	}
	return d.Close()
}

// Time's median equals ncu's time, which is also measured with cold caches, within 5 %.
func TestTimeAgreesWithNCU(t *testing.T) {
	needDevice(t, "cuda:0")
	ncu := driver.FindTool("ncu")
	if ncu == "" {
		t.Skip("SKIPPED: there is no ncu, which comes with the CUDA toolkit")
	}
	want := timesOfNCU(t, ncu)
	freshDevice(t, "cuda:0")
	m, err := Compile(timedSource, WithName("timed.cu"))
	if err != nil {
		t.Fatal(err)
	}
	x, y := Zeros[float32](timedElements), Zeros[float32](timedElements)
	for _, launch := range timed {
		k, err := m.Kernel(launch.kernel)
		if err != nil {
			t.Fatal(err)
		}
		got, err := prof.Time(func() error { return k.Launch(launch.cfg, x, y, launch.n) })
		if err != nil {
			t.Fatal(err)
		}
		name := timedName(launch.kernel, launch.cfg.Grid.X)
		theirs := want[name]
		t.Logf("%s: %v cold, %v back to back, ncu %v (%+.1f %%); events take %v", name, got.Median, got.Hot, theirs, 100*(float64(got.Median)/float64(theirs)-1), got.Overhead)
		if theirs < 20*time.Microsecond {
			t.Errorf("%s takes %v by ncu: too short to be compared", name, theirs)
		} else if math.Abs(float64(got.Median-theirs)) > 0.05*float64(theirs) {
			t.Errorf("%s: the median is %v, ncu measures %v", name, got.Median, theirs)
		}
	}
}

// timesOfNCU runs the same launches under ncu, with the clock as it is, and gives their medians.
func timesOfNCU(t *testing.T, ncu string) map[string]time.Duration {
	t.Helper()
	cmd := exec.Command(ncu, "--csv", "--print-units", "base", "--metrics", "gpu__time_duration.sum", "--clock-control", "none",
		"--kernel-name", "regex:^(stream|scatter|compute)$", os.Args[0], "session", "timed")
	cmd.Env = append(os.Environ(), "TEST_DEVICE=cuda:0")
	out, err := cmd.Output()
	if bytes.Contains(out, []byte("ERR_NVGPUCTRPERM")) {
		t.Skip("SKIPPED: the GPU's counters are for the administrator here")
	}
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			out = append(out, exit.Stderr...)
		}
		t.Fatalf("ncu: %v\n%s", err, out)
	}
	times, err := readNCUTimes(out)
	if err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	medians := map[string]time.Duration{}
	for name, list := range times {
		if len(list) != ncuRuns {
			t.Errorf("%s: ncu has seen %d launches, not %d", name, len(list), ncuRuns)
		}
		slices.Sort(list)
		medians[name] = list[len(list)/2]
	}
	return medians
}

// readNCUTimes takes ncu's table apart, a line of which is a metric of a launch. Other text stands before it.
func readNCUTimes(out []byte) (map[string][]time.Duration, error) {
	start := bytes.Index(out, []byte(`"ID",`))
	if start < 0 {
		return nil, errors.New("there is no table")
	}
	rows, err := csv.NewReader(bytes.NewReader(out[start:])).ReadAll()
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, heading := range rows[0] {
		at[heading] = i
	}
	times := map[string][]time.Duration{}
	for _, row := range rows[1:] {
		if row[at["Metric Name"]] != "gpu__time_duration.sum" {
			continue
		}
		ns, err := strconv.ParseFloat(strings.ReplaceAll(row[at["Metric Value"]], ",", ""), 64)
		if err != nil {
			return nil, err
		}
		var blocks int
		if _, err := fmt.Sscanf(row[at["Grid Size"]], "(%d,", &blocks); err != nil {
			return nil, err
		}
		kernel, _, _ := strings.Cut(row[at["Kernel Name"]], "(")
		name := timedName(kernel, blocks)
		times[name] = append(times[name], time.Duration(ns))
	}
	return times, nil
}

func TestReadNCUTimes(t *testing.T) {
	const out = `==PROF== Connected to process 7 (/tmp/x)
"ID","Process ID","Process Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","7","x","stream(const float *, int)","1","7","(256, 1, 1)","(16384, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","25,184"
"1","7","x","stream","1","7","(256, 1, 1)","(16384, 1, 1)","0","9.0","Command line profiler metrics","gpu__time_duration.sum","ns","25,280"
`
	got, err := readNCUTimes([]byte(out))
	if list := got["stream of 16384 blocks"]; err != nil || len(got) != 1 || !slices.Equal(list, []time.Duration{25184, 25280}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := readNCUTimes([]byte("==ERROR== no kernels were profiled")); err == nil {
		t.Error("text without a table was read")
	}
}
