package gpu

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/driver"
)

// timedKernels take from 25 µs to half a millisecond on a large GPU: bound by memory, by access that is
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

// timedLaunches are launches of them, by the names under which they are compared.
func timedLaunches() (map[string]func() error, error) {
	m, err := Compile(timedSource, Name("timed.cu"))
	if err != nil {
		return nil, err
	}
	x, y := Zeros[float32](timedElements), Zeros[float32](timedElements)
	list := map[string]func() error{}
	for _, c := range []struct {
		kernel string
		n      int
		cfg    Launch
	}{
		{"stream", 1 << 22, For(1<<22, 256)},
		{"stream", timedElements, For(timedElements, 256)},
		{"scatter", timedElements, For(timedElements, 256)},
		{"compute", 20_000, Launch{Grid: Dim(132), Block: Dim(256)}},
	} {
		k, err := m.Kernel(c.kernel)
		if err != nil {
			return nil, err
		}
		list[timedName(c.kernel, c.cfg.Grid.X)] = func() error { return k.Launch(c.cfg, x, y, c.n) }
	}
	return list, nil
}

func timedName(kernel string, blocks int) string {
	return fmt.Sprintf("%s of %d blocks", kernel, blocks)
}

const ncuRuns = 7

func init() {
	sessions["timed"] = func() {
		list, err := timedLaunches()
		check(err)
		for _, launch := range list {
			for range ncuRuns {
				check(launch())
				check(Sync())
			}
		}
	}
}

// Time's median is what ncu measures, which empties the caches too, within 5 %.
func TestTimeAgreesWithNCU(t *testing.T) {
	needDevice(t, "cuda:0")
	ncu := driver.FindTool("ncu")
	if ncu == "" {
		t.Skip("SKIPPED: there is no ncu, which comes with the CUDA toolkit")
	}
	want := timesOfNCU(t, ncu)
	freshDevice(t, "cuda:0")
	list, err := timedLaunches()
	if err != nil {
		t.Fatal(err)
	}
	for name, launch := range list {
		got, err := Time(launch)
		if err != nil {
			t.Fatal(err)
		}
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
		medians[name] = quantile(list, 0.5)
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
