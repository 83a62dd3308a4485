package prof

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// What a report says, on made-up numbers whose outcome is known: a kernel on half of the memory's
// roof, and one on a tenth of the arithmetic units'.
func TestProfileReportText(t *testing.T) {
	r := &Report{
		Device: "a GPU", Clock: "CUPTI", Wall: 12e6,
		Roofs: Roofs{GBs: 4000, Measured: true, FP32: 60000, FP64: 30000},
		Kernels: []Kernel{
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
		Copies: []Copy{{"HtoD", 2, 1 << 30, 1 << 25}},
		Ranges: []RangeWork{{"solve", 1, 3, 1e6}},
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
	if !strings.Contains(bundle["text/html"].(string), `<td style="white-space: nowrap">`) {
		t.Error("figures may be broken into lines")
	}
	var back Report
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
