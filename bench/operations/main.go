// Command operations measures single operations of package nd on arrays of 2^20 elements, and the same ones of NumPy, one after the other:
//
//	GOPHERWARP_DEVICE=sim go run ./bench/operations
//
// It prints the least time of each in microseconds, with a final wait, and how many times as long NumPy takes, the worst first. NumPy is that
// of python3; without it the last two columns are empty.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/device"
	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

//go:embed numpy.py
var script string

// operation is an operation of both, by its name in the script.
type operation struct {
	name string
	run  func() nd.Operand
}

func main() {
	device.Serve()
	peer, err := numpy()
	if err != nil {
		fmt.Fprintln(os.Stderr, "operations: NumPy was not measured:", err)
	}
	type row struct {
		name          string
		here, ratio   float64
		there, factor string
	}
	var rows []row
	for _, o := range slices.Concat(elementwise(), others()) {
		r := row{name: o.name, here: measure(o.run)}
		if t, ok := peer[o.name]; ok {
			r.ratio = t / r.here
			r.there, r.factor = fmt.Sprintf("%.1f", t), fmt.Sprintf("%.2f", r.ratio)
		}
		rows = append(rows, r)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.ratio, b.ratio) })
	fmt.Println("| operation | nd, µs | NumPy, µs | NumPy / nd |\n|---|--:|--:|--:|")
	for _, r := range rows {
		fmt.Printf("| %s | %.1f | %s | %s |\n", r.name, r.here, r.there, r.factor)
	}
}

// measure returns the least time of some runs in microseconds.
func measure(run func() nd.Operand) float64 {
	least := time.Hour
	for range 40 {
		start := time.Now()
		nd.Eval(run())
		gpu.Sync()
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds()) / 1e3
}

// numpy returns NumPy's times, by the names of the operations.
func numpy() (map[string]float64, error) {
	cmd := exec.Command("python3", "-")
	cmd.Stdin, cmd.Stderr = strings.NewReader(script), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running python3: %w", err)
	}
	times := map[string]float64{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		name, text, _ := strings.Cut(lines.Text(), "\t")
		if times[name], err = strconv.ParseFloat(text, 64); err != nil {
			return nil, fmt.Errorf("reading the time of %s: %w", name, err)
		}
	}
	return times, nil
}

// size is the number of elements.
const size = 1 << 20

func waves() (f, g *nd.Array[float32]) {
	x := nd.Arange[float32](size)
	return nd.Sin(x).Eval(), nd.Cos(x).Eval()
}

func elementwise() []operation {
	f, g := waves()
	p := nd.Abs(f).AddScalar(0.1).Eval()
	d := nd.Sin(nd.Arange[float64](size)).Eval()
	i, j := nd.AsType[int32](f.MulScalar(1000)).Eval(), nd.AsType[int32](g.MulScalar(1000)).AddScalar(2000).Eval()
	l, u, b := nd.AsType[int64](i).Eval(), nd.AsType[uint8](p.MulScalar(200)).Eval(), f.GreaterScalar(0).Eval()
	return []operation{
		{"f + g", func() nd.Operand { return f.Add(g) }},
		{"f * f", func() nd.Operand { return f.Square() }},
		{"-f", func() nd.Operand { return f.Neg() }},
		{"abs(f)", func() nd.Operand { return nd.Abs(f) }},
		{"floor(f)", func() nd.Operand { return nd.Floor(f) }},
		{"f.clip", func() nd.Operand { return f.Clip(-0.5, 0.5) }},
		{"((f*3+2)*f+1)*f", func() nd.Operand { return f.MulScalar(3).AddScalar(2).Mul(f).AddScalar(1).Mul(f) }},
		{"f > 0.5", func() nd.Operand { return f.GreaterScalar(0.5) }},
		{"f > g", func() nd.Operand { return f.Greater(g) }},
		{"isnan(f)", func() nd.Operand { return nd.IsNaN(f) }},
		{"where(b, f, g)", func() nd.Operand { return nd.Where(b, f, g) }},
		{"b & (f < 0.5)", func() nd.Operand { return b.And(f.LessScalar(0.5)) }},
		{"exp(f)", func() nd.Operand { return nd.Exp(f) }},
		{"log(p)", func() nd.Operand { return nd.Log(p) }},
		{"log1p(p)", func() nd.Operand { return nd.Log1p(p) }},
		{"sin(f)", func() nd.Operand { return nd.Sin(f) }},
		{"cos(f)", func() nd.Operand { return nd.Cos(f) }},
		{"p ** 3", func() nd.Operand { return p.PowScalar(3) }},
		{"p ** g", func() nd.Operand { return p.Pow(g) }},
		{"arctan2(f, g)", func() nd.Operand { return nd.Arctan2(f, g) }},
		{"hypot(f, g)", func() nd.Operand { return nd.Hypot(f, g) }},
		{"exp(d)", func() nd.Operand { return nd.Exp(d) }},
		{"sin(d)", func() nd.Operand { return nd.Sin(d) }},
		{"tanh(d)", func() nd.Operand { return nd.Tanh(d) }},
		{"i + j", func() nd.Operand { return i.Add(j) }},
		{"i // j", func() nd.Operand { return i.Div(j) }},
		{"i % 7", func() nd.Operand { return i.ModScalar(7) }},
		{"i == 3", func() nd.Operand { return i.EqualScalar(3) }},
		{"l * l", func() nd.Operand { return l.Mul(l) }},
		{"u + 3", func() nd.Operand { return u.AddScalar(3) }},
		{"f to int32", func() nd.Operand { return nd.AsType[int32](f) }},
		{"f to float64", func() nd.Operand { return nd.AsType[float64](f) }},
		{"d to float32", func() nd.Operand { return nd.AsType[float32](d) }},
		{"i to float32", func() nd.Operand { return nd.AsType[float32](i) }},
		{"l to float32", func() nd.Operand { return nd.AsType[float32](l) }},
		{"u to float32", func() nd.Operand { return nd.AsType[float32](u) }},
	}
}

func others() []operation {
	f, g := waves()
	d := nd.Sin(nd.Arange[float64](size)).Eval()
	i, j := nd.AsType[int32](f.MulScalar(1000)).Eval(), nd.AsType[int32](g.MulScalar(1000)).AddScalar(2000).Eval()
	b, m := f.GreaterScalar(0).Eval(), f.Reshape(1024, 1024)
	index := nd.AsType[int64](nd.Abs(f).MulScalar(900000)).Eval()
	square := d.Slice(nd.To(1<<18)).Reshape(512, 512)
	return []operation{
		{"f.sum", func() nd.Operand { return f.Sum() }},
		{"d.sum", func() nd.Operand { return d.Sum() }},
		{"i.sum", func() nd.Operand { return i.Sum() }},
		{"count_nonzero(b)", func() nd.Operand { return nd.CountNonzero(b) }},
		{"f.max", func() nd.Operand { return f.Max() }},
		{"d.max", func() nd.Operand { return d.Max() }},
		{"i.max", func() nd.Operand { return i.Max() }},
		{"f.argmax", func() nd.Operand { return nd.Argmax(f) }},
		{"(f > 2).any", func() nd.Operand { return f.GreaterScalar(2).Any() }},
		{"f.std", func() nd.Operand { return nd.Std(f) }},
		{"m.sum(0)", func() nd.Operand { return m.Sum(0) }},
		{"m.sum(1)", func() nd.Operand { return m.Sum(1) }},
		{"m.max(0)", func() nd.Operand { return m.Max(0) }},
		{"f.cumsum", func() nd.Operand { return nd.Cumsum(f) }},
		{"sort(f)", func() nd.Operand { return nd.Sort(f) }},
		{"argsort(f)", func() nd.Operand { return nd.Argsort(f) }},
		{"unique(i)", func() nd.Operand { return nd.Unique(i) }},
		{"bincount(j)", func() nd.Operand { return nd.Bincount(j, 0) }},
		{"m.T copied", func() nd.Operand { return m.T().Copy() }},
		{"m + m.T", func() nd.Operand { return m.Add(m.T()) }},
		{"m + m[0]", func() nd.Operand { return m.Add(m.Slice(nd.At(0))) }},
		{"m + m[:, :1]", func() nd.Operand { return m.Add(m.Slice(nd.All, nd.To(1))) }},
		{"f reversed", func() nd.Operand { return f.Flip(0).Copy() }},
		{"concatenate(f, g)", func() nd.Operand { return nd.Concatenate(0, f, g) }},
		{"f[index]", func() nd.Operand { return nd.Take(f, index) }},
		{"f[b]", func() nd.Operand { return nd.Mask(f, b) }},
		{"dot(f, g)", func() nd.Operand { return nd.Dot(f, g) }},
		{"m[:512, :512] @ m[512:, 512:]", func() nd.Operand {
			return nd.MatMul(m.Slice(nd.To(512), nd.To(512)), m.Slice(nd.From(512), nd.From(512)))
		}},
		{"float64 matrices of 512", func() nd.Operand { return nd.MatMul(square, square) }},
		{"outer", func() nd.Operand { return nd.Outer(f.Slice(nd.To(1024)), g.Slice(nd.To(1024))) }},
		{"fft(f)", func() nd.Operand { return nd.FFT(nd.AsType[complex64](f)) }},
		{"linspace", func() nd.Operand { return nd.Linspace[float64](0, 1, size) }},
		{"arange", func() nd.Operand { return nd.Arange[int64](size).Copy() }},
		{"zeros", func() nd.Operand { return nd.Zeros[float32](size) }},
	}
}
