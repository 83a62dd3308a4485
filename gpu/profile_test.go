package gpu

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// The simulator counts what kernels read and write: a saxpy reads two arrays and writes one.
func TestProfileCountsMemory(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim:h200")
	const n = 1 << 14
	k := compileToy(t, "saxpy")
	x, y := Zeros[float32](n), Zeros[float32](n)
	part := Zeros[float32](n)
	r, err := Profile(func() error {
		for range 3 {
			if err := k.Launch(For(n, 256), 2, x, y, n); err != nil {
				return err
			}
		}
		// Of 100 floats only 13 pieces of 32 bytes are touched.
		return k.Launch(For(100, 32), 2, x, part, 100)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Kernels) != 2 {
		t.Fatalf("kernels: %+v", r.Kernels)
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		want := map[string]float64{
			backend.MetricDRAMRead: 3 * 2 * 4 * n, backend.MetricDRAMWrite: 3 * 4 * n,
			backend.MetricLoadSector: 3 * 2 * 4 * n / 32, backend.MetricStoreSector: 3 * 4 * n / 32,
		}
		calls, grid, occupancy := 3, n/256, 1.0
		if k.Grid[0] != n/256 {
			want = map[string]float64{
				backend.MetricDRAMRead: 2 * 13 * 32, backend.MetricDRAMWrite: 13 * 32,
				backend.MetricLoadSector: 2 * 13, backend.MetricStoreSector: 13,
			}
			calls, grid, occupancy = 1, 4, 0.5 // 32 blocks of one warp are half of what fits
		}
		if k.Name != "saxpy" || k.Calls != calls || k.Counted != calls || k.Grid[0] != grid || k.Total < k.Max || k.Min > k.Mean {
			t.Errorf("%+v", k)
		}
		if k.Theoretical != occupancy {
			t.Errorf("grid %d: theoretical occupancy %v, want %v", k.Grid[0], k.Theoretical, occupancy)
		}
		for name, v := range want {
			if k.Metrics[name] != v {
				t.Errorf("grid %d: %s is %v, want %v", k.Grid[0], name, k.Metrics[name], v)
			}
		}
	}
}

// An atomic operation reads and writes, and what was touched before the launch does not count.
func TestProfileCountsAtomics(t *testing.T) {
	needDevice(t, "sim")
	freshDevice(t, "sim")
	m, err := Compile(`__global__ void count(unsigned *bins, int n) { atomicAdd(&bins[threadIdx.x % n], 1u); }`, Name("count.cu"))
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("count")
	if err != nil {
		t.Fatal(err)
	}
	bins := Zeros[uint32](64)
	r, err := Profile(func() error {
		if err := k.Launch(For(64, 64), bins, 64); err != nil {
			return err
		}
		return k.Launch(Launch{Grid: Dim(2), Block: Dim(64)}, bins, 8)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		want := float64(64 * 4)
		if k.Grid[0] == 2 {
			want = 32
		}
		if got := k.Metrics[backend.MetricDRAMRead]; got != want {
			t.Errorf("grid %d: read %v, want %v", k.Grid[0], got, want)
		}
		if got := k.Metrics[backend.MetricDRAMWrite]; got != want {
			t.Errorf("grid %d: wrote %v, want %v", k.Grid[0], got, want)
		}
	}
}

// Copies are there by kind, with their bytes; ranges have the work that was asked for in them.
func TestProfileCopiesAndRanges(t *testing.T) {
	everywhere(t, func(t *testing.T, d *Device) {
		const n = 1 << 20
		k := compileToy(t, "addone")
		host := make([]int32, n)
		r, err := Profile(func() error {
			end := Range("all")
			defer end()
			x := ToDevice(host)
			y := Zeros[int32](n)
			for range 2 {
				step := Range("step")
				if err := k.Launch(For(n, 256), x, n); err != nil {
					return err
				}
				step()
			}
			if err := Copy(y, x); err != nil {
				return err
			}
			return y.CopyTo(host)
		}, TimesOnly())
		if err != nil {
			t.Fatal(err)
		}
		if host[n-1] != 2 {
			t.Errorf("the kernels have run %d times", host[n-1])
		}
		bytes := map[string]uint64{}
		for _, c := range r.Copies {
			bytes[c.Kind] = c.Bytes
			if c.Total <= 0 {
				t.Errorf("%+v", c)
			}
		}
		if bytes["HtoD"] != 4*n || bytes["DtoH"] != 4*n || bytes["DtoD"] != 4*n || bytes["fill"] != 4*n {
			t.Errorf("copies: %v", bytes)
		}
		if len(r.Kernels) != 1 || r.Kernels[0].Name != "addone" || r.Kernels[0].Calls != 2 || r.Kernels[0].Total <= 0 || r.Kernels[0].Metrics != nil {
			t.Errorf("kernels: %+v", r.Kernels)
		}
		if len(r.Ranges) != 2 || r.Ranges[0].Name != "all" || r.Ranges[0].Times != 1 || r.Ranges[0].Launches != 2 ||
			r.Ranges[1].Name != "step" || r.Ranges[1].Times != 2 || r.Ranges[1].Launches != 2 || r.Ranges[1].Device != r.Kernels[0].Total {
			t.Errorf("ranges: %+v", r.Ranges)
		}
		if r.Ranges[0].Device <= r.Ranges[1].Device {
			t.Errorf("the copies take no time: %+v", r.Ranges)
		}
	})
}

// Without a profiler of its own a device is timed with events.
func TestProfileWithEvents(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](1000)
	const launches = 300 // more than are under way at a time
	r, err := Profile(func() error {
		for range launches {
			if err := k.Launch(For(1000, 100), x, 1000); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Clock != "events" || len(r.Kernels) != 1 || r.Kernels[0].Calls != launches || r.Kernels[0].Registers != k.Info().NumRegs {
		t.Errorf("%+v", r)
	}
	if v := x.ToHost()[0]; v != launches {
		t.Errorf("launched %v times", v)
	}
}

// The error of the function comes back with what was seen until then, and the next profile is
// not disturbed. Two at a time are refused.
func TestProfileErrors(t *testing.T) {
	fresh(t)
	k := compileToy(t, "addone")
	x := Zeros[int32](8)
	r, err := Profile(func() error {
		if err := k.Launch(For(8, 8), x, 8); err != nil {
			return err
		}
		if _, err := Profile(func() error { return nil }); err == nil || !strings.Contains(err.Error(), "under way") {
			t.Errorf("a profile in a profile: %v", err)
		}
		return io.ErrUnexpectedEOF
	})
	if err != io.ErrUnexpectedEOF || len(r.Kernels) != 1 {
		t.Errorf("got %v, %+v", err, r)
	}
	// A fault costs the process that has recorded.
	r, err = Profile(func() error {
		if err := compileToy(t, "fault").Launch(For(1, 1), Zeros[float32](1)); err != nil {
			return err
		}
		return Sync()
	})
	if err == nil || r == nil || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "replaced") {
		t.Errorf("got %v, %+v", err, r)
	}
	if r, err = Profile(func() error { return k.Launch(For(8, 8), x, 8) }); err != nil || len(r.Kernels) != 1 {
		t.Errorf("afterwards: %v, %+v", err, r)
	}
}

// What a report says, on made-up numbers whose outcome is known: a kernel on half of the memory's
// roof, and one on a tenth of the arithmetic units'.
func TestProfileReportText(t *testing.T) {
	r := &ProfileReport{
		Device: "a GPU", Clock: "CUPTI", Wall: 12e6,
		Roofs: Roofs{GBs: 4000, Measured: true, FP32: 60000, FP64: 30000},
		Kernels: []KernelProfile{
			{
				Name: "stream", Grid: [3]int{1000, 1, 1}, Block: [3]int{256, 1, 1}, Registers: 16, Calls: 10, Total: 5e6, Mean: 5e5, Min: 4e5, Max: 7e5, Share: 0.8,
				Theoretical: 1, Counted: 2, CountedTime: 1e6,
				Metrics: map[string]float64{
					backend.MetricDRAMRead: 1.5e9, backend.MetricDRAMWrite: 0.5e9, backend.MetricOccupancy: 80,
					backend.MetricFAdd: 1e8, backend.MetricFMul: 1e8, backend.MetricFFMA: 1e8,
				},
			},
			{
				Name: "compute", Grid: [3]int{10, 20, 1}, Block: [3]int{16, 16, 1}, StaticShared: 1024, DynamicShared: 1024, Calls: 1, Total: 1e6, Mean: 1e6, Min: 1e6, Max: 1e6, Share: 0.2,
				Theoretical: 0.5, Counted: 1, CountedTime: 1e6,
				Metrics: map[string]float64{backend.MetricDRAMRead: 1e6, backend.MetricDFMA: 1.5e9},
			},
			{Name: "late", Grid: [3]int{1, 1, 1}, Block: [3]int{1, 1, 1}, Calls: 1, Total: 1000, Mean: 1000, Min: 1000, Max: 1000},
		},
		Copies: []CopyProfile{{"HtoD", 2, 1 << 30, 1 << 25}},
		Ranges: []RangeProfile{{"solve", 1, 3, 1e6}},
		Notes:  []string{"Mind this."},
	}
	text := r.String()
	for _, want := range []string{
		"12 launches on a GPU, 12 ms in all, 6.001 ms of them in kernels",
		"kernel   calls  time", "stream   10     5 ms", "80 %   500 µs (400 µs to 700 µs)  1000 × 256", "80 % of 100 %",
		"2000  200 M ", // 2 GB in 1 ms
		"(10, 20) × (16, 16)", "2.0 KiB", "at most 50 %",
		"host to device  2      1.0 GiB  33.55 ms  32.0",
		"solve  1      3         1 ms",
		// 4e8 operations and 2e9 bytes in two calls and 1 ms: 0.2 a byte, whose roof is 800, and 400 are done.
		"stream: 0.200 FLOP/byte, 400 GFLOP/s, 50 % of the roof of 800: bound by memory",
		"compute: 3000 FLOP/byte, 3000 GFLOP/s, 10 % of the roof of 30000: bound by the FP64 units",
		"memory 4000 GB/s as a copy measures it; FP32 60000, FP64 30000 GFLOP/s",
		"Mind this.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "late:") {
		t.Errorf("a roofline of a kernel that was not counted:\n%s", text)
	}
	svg := r.SVG()
	circles := 0
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
			circles++
		}
	}
	if circles != 2 {
		t.Errorf("%d circles in the picture", circles)
	}
	bundle := r.MIMEBundle()
	if bundle["text/plain"] != text || !strings.Contains(bundle["text/html"].(string), "<svg") {
		t.Error("the notebook does not see the text and the picture")
	}
	var back ProfileReport
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if err != nil || back.String() != text {
		t.Errorf("JSON does not bring it back: %v\n%s", err, data)
	}
}

// In the picture both axes are logarithmic: a kernel of ten times the rate is a power of ten
// higher, and one on its roof lies on the line.
func TestRooflineAxes(t *testing.T) {
	a := axes{-1, 3, 1, 5}
	if got := a.y(100) - a.y(1000); math.Abs(got-float64(plotBottom-plotTop)/4) > 1e-9 {
		t.Errorf("a factor of ten is %v pixels", got)
	}
	for _, at := range [][2]float64{{a.x(0.1), plotLeft}, {a.x(1000), plotRight}, {a.y(10), plotBottom}, {a.y(1e5), plotTop}} {
		if math.Abs(at[0]-at[1]) > 1e-9 {
			t.Errorf("an end of an axis is at %v, want %v", at[0], at[1])
		}
	}
	r := Roofs{GBs: 4000, FP32: 60000}
	if top, memory := r.top(15.1, r.FP32); top != 60000 || memory {
		t.Errorf("right of the ridge: %v, %v", top, memory)
	}
	if top, memory := r.top(14.9, r.FP32); top != 59600 || !memory {
		t.Errorf("left of the ridge: %v, %v", top, memory)
	}
}
