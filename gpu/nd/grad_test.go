package nd_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

type matrix = *nd.Array[float64]

// gradients are functions of a matrix of 3 by 4 elements between low and high, whose results are summed with different weights.
var gradients = []struct {
	name      string
	low, high float64
	f         func(x matrix) matrix
}{
	{"Add", -2, 2, func(x matrix) matrix { return x.Add(row()).AddScalar(2) }},
	{"Add, broadcast", -2, 2, func(x matrix) matrix { return x.Slice(nd.At(1)).Add(x) }},
	{"Sub", -2, 2, func(x matrix) matrix { return row().Sub(x).SubScalar(1) }},
	{"Mul", -2, 2, func(x matrix) matrix { return x.Mul(row()).Mul(x) }},
	{"Mul, broadcast", -2, 2, func(x matrix) matrix { return x.Slice(nd.All, nd.R(1, 2)).Mul(x) }},
	{"Div", 0.5, 2, func(x matrix) matrix { return row().Div(x).Add(x.Div(row())).DivScalar(3) }},
	{"Pow", 0.5, 2, func(x matrix) matrix { return x.Pow(row()).Add(nd.Abs(row()).Pow(x)).Add(x.PowScalar(3)) }},
	{"Pow of negative", -2, -0.5, func(x matrix) matrix { return x.PowScalar(3) }},
	{"Maximum", -2, 2, func(x matrix) matrix { return x.Maximum(row()).Add(x.MinimumScalar(0.3)) }},
	{"Fmax", -2, 2, func(x matrix) matrix { return nd.Fmax(x, row()).Mul(nd.Fmin(x, row())) }},
	{"Mod", 0.5, 5, func(x matrix) matrix { return x.ModScalar(0.7).Add(nd.Full[float64](3).Mod(x)) }},
	{"Fmod", 0.5, 5, func(x matrix) matrix { return x.Neg().FmodScalar(0.7).Add(nd.Full[float64](3).Fmod(x)) }},
	{"Clip", -2, 2, func(x matrix) matrix { return x.Clip(-1, 1).Mul(x) }},
	{"Neg", -2, 2, func(x matrix) matrix { return x.Neg().Square() }},
	{"Abs", -2, 2, func(x matrix) matrix { return nd.Abs(x).Mul(x) }},
	{"Reciprocal", 0.5, 2, nd.Reciprocal[float64]},
	{"Where", -2, 2, func(x matrix) matrix { return nd.Where(x.GreaterScalar(0), x.Square(), x.MulScalar(3)) }},
	{"Hypot", 0.5, 2, func(x matrix) matrix { return nd.Hypot(x, row()) }},
	{"Arctan2", 0.5, 2, func(x matrix) matrix { return nd.Arctan2(x, row()).Add(nd.Arctan2(row(), x)) }},
	{"Logaddexp", -2, 2, func(x matrix) matrix { return nd.Logaddexp(x, row()).Add(nd.Logaddexp(row(), x.Square())) }},
	{"FMA", -2, 2, func(x matrix) matrix { return nd.FMA(x, row(), x) }},
	{"Sqrt", 0.5, 2, nd.Sqrt[float64]},
	{"Rsqrt", 0.5, 2, nd.Rsqrt[float64]},
	{"Cbrt", 0.5, 2, nd.Cbrt[float64]},
	{"Exp", -2, 2, nd.Exp[float64]},
	{"Exp2", -2, 2, nd.Exp2[float64]},
	{"Expm1", -2, 2, nd.Expm1[float64]},
	{"Log", 0.5, 2, nd.Log[float64]},
	{"Log2", 0.5, 2, nd.Log2[float64]},
	{"Log10", 0.5, 2, nd.Log10[float64]},
	{"Log1p", -0.5, 2, nd.Log1p[float64]},
	{"Sin", -2, 2, nd.Sin[float64]},
	{"Cos", -2, 2, nd.Cos[float64]},
	{"Tan", -1, 1, nd.Tan[float64]},
	{"Arcsin", -0.9, 0.9, nd.Arcsin[float64]},
	{"Arccos", -0.9, 0.9, nd.Arccos[float64]},
	{"Arctan", -2, 2, nd.Arctan[float64]},
	{"Sinh", -2, 2, nd.Sinh[float64]},
	{"Cosh", -2, 2, nd.Cosh[float64]},
	{"Tanh", -2, 2, nd.Tanh[float64]},
	{"Arcsinh", -2, 2, nd.Arcsinh[float64]},
	{"Arccosh", 1.5, 3, nd.Arccosh[float64]},
	{"Arctanh", -0.9, 0.9, nd.Arctanh[float64]},
	{"Erf", -2, 2, nd.Erf[float64]},
	{"Erfc", -2, 2, nd.Erfc[float64]},
	{"Erfinv", -0.9, 0.9, nd.Erfinv[float64]},
	{"Erfcinv", 0.1, 1.9, nd.Erfcinv[float64]},
	{"J0", -3, 3, nd.J0[float64]},
	{"J1", -3, 3, nd.J1[float64]},
	{"Y0", 0.5, 3, nd.Y0[float64]},
	{"Y1", 0.5, 3, nd.Y1[float64]},
	{"Sigmoid", -3, 3, nd.Sigmoid[float64]},
	{"Relu", -3, 3, nd.Relu[float64]},
	{"Dim", -2, 2, func(x matrix) matrix { return nd.Dim(x, row()).Add(nd.Dim(row(), x).MulScalar(2)) }},
	{"IEEERemainder", 0.5, 5, func(x matrix) matrix { return nd.IEEERemainder(x, nd.Full[float64](0.7)) }},
	{"constant a.e.", -2, 2, func(x matrix) matrix { return nd.Floor(x).Add(x).Mul(nd.Sign(x)) }},
	{"AsType", -2, 2, func(x matrix) matrix { return nd.AsType[float64](nd.AsType[float32](x.MulScalar(2))).Mul(x) }},
	{"Copy and Eval", -2, 2, func(x matrix) matrix { return x.Square().Eval().Copy().Mul(x) }},

	{"Sum", -2, 2, func(x matrix) matrix { return x.Mul(x).Sum(0).Add(x.Sum(-1).Sum()) }},
	{"Sum of all", -2, 2, func(x matrix) matrix { return x.Sum().Square() }},
	{"Mean", -2, 2, func(x matrix) matrix { return nd.Mean(x.Square(), 1) }},
	{"Prod", 0.5, 2, func(x matrix) matrix { return x.Prod(1) }},
	{"Prod with zeros", -2, 2, func(x matrix) matrix { return x.Mul(someZeros()).Prod(0).Add(x.Mul(someZeros()).Prod()) }},
	{"Min and Max", -2, 2, func(x matrix) matrix { return x.Max(0).Mul(x.Min(0)).Add(x.Max()) }},
	{"Var", -2, 2, func(x matrix) matrix { return nd.Var(x, 1) }},
	{"Std", -2, 2, func(x matrix) matrix { return nd.StdOf(x, 1, 0) }},
	{"Norm", -2, 2, func(x matrix) matrix { return nd.Norm(x, 1) }},
	{"softmax", -2, 2, func(x matrix) matrix {
		e := nd.Exp(x.Sub(x.Max(1).ExpandDims(1)))
		return e.Div(e.Sum(1).ExpandDims(1))
	}},
	{"Cumsum", -2, 2, func(x matrix) matrix { return nd.Cumsum(x.Square(), 0).Mul(nd.Cumsum(x, 1)) }},
	{"Cumsum of all", -2, 2, func(x matrix) matrix { return nd.Cumsum(x) }},

	{"Reshape", -2, 2, func(x matrix) matrix { return x.Reshape(2, 6).Mul(x.T().Reshape(2, 6)) }},
	{"Ravel of a slice", -2, 2, func(x matrix) matrix { return x.Slice(nd.All, nd.From(1).By(2)).Ravel().Square() }},
	{"Transpose", -2, 2, func(x matrix) matrix { return x.Reshape(3, 2, 2).Transpose(2, 0, 1).Square() }},
	{"SwapAxes and MoveAxis", -2, 2, func(x matrix) matrix { return x.Reshape(3, 2, 2).SwapAxes(0, 2).MoveAxis(1, -1).Square() }},
	{"ExpandDims and Squeeze", -2, 2, func(x matrix) matrix { return x.ExpandDims(1).Mul(x.ExpandDims(0)).Slice(nd.R(0, 1)).Squeeze(0) }},
	{"BroadcastTo", -2, 2, func(x matrix) matrix { return x.BroadcastTo(2, 3, 4).Mul(x) }},
	{"Flip", -2, 2, func(x matrix) matrix { return x.Flip().Mul(x.Flip(0)) }},
	{"Diagonal", -2, 2, func(x matrix) matrix { return x.Diagonal(1).Square() }},
	{"Slice", -2, 2, func(x matrix) matrix { return x.Slice(nd.All.By(-2), nd.NewAxis, nd.R(1, 3)).Square() }},
	{"At", -2, 2, func(x matrix) matrix { return x.At(1, 2).Mul(x.At(0)) }},
	{"Take", -2, 2, func(x matrix) matrix { return nd.Take(x, nd.FromSlice([]int{3, 0, 3, -1}), 1).Square() }},
	{"Take without an axis", -2, 2, func(x matrix) matrix { return nd.Take(x.T(), nd.FromSlice([]int{3, 0, 3, -1})).Square() }},
	{"TakeAlong", -2, 2, func(x matrix) matrix { return nd.TakeAlong(x, nd.FromSlice([]int{1, 0, 3, 3, 2, 2}, 3, 2), 1).Square() }},
	{"Gather", -2, 2, func(x matrix) matrix {
		return nd.Gather(x, nd.FromSlice([]int64{0, 2, 2}), nd.FromSlice([]int64{1, 3, 3})).Square()
	}},
	{"Concatenate", -2, 2, func(x matrix) matrix { return nd.Concatenate(1, x, row().BroadcastTo(3, 4), x.Square()).Square() }},
	{"Stack", -2, 2, func(x matrix) matrix { return nd.Stack(0, x, x.Square()).Square() }},
	{"Split", -2, 2, func(x matrix) matrix { p := nd.Split(x, 2, 1); return p[0].Mul(p[1]) }},
	{"Tile and Repeat", -2, 2, func(x matrix) matrix { return nd.Tile(x, 2, 1).Mul(nd.Repeat(x, 2, 0)) }},
	{"Roll", -2, 2, func(x matrix) matrix { return nd.Roll(x, 1, 1).Mul(x) }},
	{"PadConstant", -2, 2, func(x matrix) matrix { return nd.PadConstant(x, 2, [2]int{1, 2}).Square() }},
	{"Pad", -2, 2, func(x matrix) matrix { return nd.Pad(x, nd.PadReflect, [2]int{1, 2}).Square() }},

	{"MatMul", -2, 2, func(x matrix) matrix { return nd.MatMul(x, x.T()) }},
	{"MatMul by a constant", -2, 2, func(x matrix) matrix { return nd.MatMul(nd.MatMul(x, row().Reshape(4, 1)), row().Reshape(1, 4)) }},
	{"MatMul of batches", -2, 2, func(x matrix) matrix { return nd.MatMul(x.Reshape(3, 2, 2), x.Reshape(3, 2, 2).Slice(nd.R(0, 1))) }},
	{"MatMul with vectors", -2, 2, func(x matrix) matrix { return nd.MatMul(x, row()).Mul(nd.MatMul(x.Slice(nd.At(0)), x.T())) }},
	{"Dot and Outer", -2, 2, func(x matrix) matrix { return nd.Outer(x.At(0), x.At(1)).Mul(nd.Dot(x.At(0), x.At(2))) }},
	{"Tensordot", -2, 2, func(x matrix) matrix { return nd.Tensordot(x, x, []int{1}, []int{1}) }},
	{"Trace", -2, 2, func(x matrix) matrix { return nd.Trace(nd.MatMul(x, x.T())) }},
	{"Einsum", -2, 2, func(x matrix) matrix { return nd.Einsum("ij,kj->ik", x, x) }},
	{"Einsum of a diagonal", -2, 2, func(x matrix) matrix { return nd.Einsum("ii,ij->j", nd.MatMul(x, x.T()), x) }},
}

func row() matrix { return nd.FromSlice([]float64{0.7, -1.1, 0.4, 1.6}) }

func someZeros() matrix {
	return nd.FromSlice([]float64{1, 0, 2, 1, 1, 1, 1, 0, 1, 0, 1, 1}, 3, 4)
}

// The gradients are those that differences have, and those of float32s are near.
func TestGrad(t *testing.T) {
	t.Logf("%d functions, of each 12 derivatives", len(gradients))
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range gradients {
		t.Run(c.name, func(t *testing.T) {
			host := make([]float64, 12)
			for i := range host {
				host[i] = c.low + (c.high-c.low)*rng.Float64()
			}
			loss := func(x matrix) matrix {
				y := c.f(x)
				weights := nd.Cos(nd.Arange[float64](float64(y.Size()))).Reshape(y.Shape()...)
				return y.Mul(weights).Sum()
			}
			at := func(i int, by float64) float64 {
				moved := slices.Clone(host)
				moved[i] += by
				return loss(nd.FromSlice(moved, 3, 4)).Item()
			}
			value, gradient := nd.ValueAndGrad(loss)(nd.FromSlice(host, 3, 4))
			if want := at(0, 0); value.Item() != want {
				t.Errorf("value %v, want %v", value.Item(), want)
			}
			if shape := gradient.Shape(); !slices.Equal(shape, []int{3, 4}) {
				t.Fatalf("gradient has shape %v", shape)
			}
			for i, g := range gradient.ToHost() {
				const h = 1e-5
				want := (8*(at(i, h)-at(i, -h)) - (at(i, 2*h) - at(i, -2*h))) / (12 * h)
				tolerance := 1e-7
				if c.name == "AsType" {
					tolerance, want = 1e-6, (at(i, 0.01)-at(i, -0.01))/0.02
				}
				if math.Abs(g-want) > tolerance*(1+math.Abs(want)) {
					t.Errorf("derivative %d is %.10g, differences have %.10g", i, g, want)
				}
			}
		})
	}
}

// A network with two layers learns exclusive or.
func TestGradTraining(t *testing.T) {
	x := nd.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2)
	y := nd.FromSlice([]float32{0, 1, 1, 0}, 4, 1)
	params := []*nd.Array[float32]{
		nd.FromSlice([]float32{0.5, -0.4, 0.9, 0.3, 0.8, -0.7, -0.2, 0.6}, 2, 4), nd.Zeros[float32](4),
		nd.FromSlice([]float32{0.6, -0.5, 0.7, 0.4}, 4, 1), nd.Zeros[float32](1),
	}
	step := nd.ValueAndGrads(func(p []*nd.Array[float32]) *nd.Array[float32] {
		hidden := nd.Tanh(nd.MatMul(x, p[0]).Add(p[1]))
		return nd.Mean(nd.Sigmoid(nd.MatMul(hidden, p[2]).Add(p[3])).Sub(y).Square())
	})
	var first, last float32
	for i := range 400 {
		value, gradients := step(params)
		if last = value.Item(); i == 0 {
			first = last
		}
		for k, g := range gradients {
			params[k].Assign(params[k].Sub(g.MulScalar(4)))
		}
	}
	if first < 0.2 || last > 0.01 {
		t.Errorf("the mean error was %v before and %v after 400 steps", first, last)
	}
}

// Grad in Grad has derivatives of higher order, and of functions that use the outer parameter in the inner function.
func TestGradOfGrad(t *testing.T) {
	cube := func(x matrix) matrix { return x.Mul(x).Mul(x).Sum() }
	second := nd.Grad(func(x matrix) matrix { return nd.Grad(cube)(x).Sum() })
	third := nd.Grad(func(x matrix) matrix { return second(x).Sum() })
	x := nd.FromSlice([]float64{2, -3})
	if got := fmt.Sprint(nd.Grad(cube)(x).ToHost(), second(x).ToHost(), third(x).ToHost()); got != "[12 27] [12 -18] [6 6]" {
		t.Errorf("derivatives of x³ at 2 and -3 are %s", got)
	}
	// d/dy of the derivative of x·y² with respect to x at x = 5 is 2y.
	mixed := nd.Grad(func(y matrix) matrix {
		return nd.Grad(func(x matrix) matrix { return x.Mul(y.Square()).Sum() })(nd.FromSlice([]float64{5, 5})).Sum()
	})
	if got := fmt.Sprint(mixed(x).ToHost()); got != "[4 -6]" {
		t.Errorf("mixed derivatives are %s", got)
	}
}

// What equals decides, zeros and constants.
func TestGradCorners(t *testing.T) {
	x := nd.FromSlice([]float64{0, 1, 1})
	for _, c := range []struct {
		name, want string
		f          func(x matrix) matrix
	}{
		{"constant", "[0 0 0]", func(matrix) matrix { return nd.Scalar(3.0) }},
		{"identity", "[1 1 1]", func(x matrix) matrix { return x.Sum() }},
		{"unused twice", "[2 2 2]", func(x matrix) matrix { _ = nd.Exp(x); return x.Add(x).Sum() }},
		{"StopGradient", "[0 1 1]", func(x matrix) matrix { return nd.StopGradient(x).Mul(x).Sum() }},
		{"equal maxima share", "[0 0.5 0.5]", func(x matrix) matrix { return x.Max() }},
		{"Maximum of equals", "[0.5 1 1]", func(x matrix) matrix { return x.MaximumScalar(0).Sum() }},
		{"Relu of 0", "[0 1 1]", func(x matrix) matrix { return nd.Relu(x).Sum() }},
		{"power 0 of 0", "[0 0 0]", func(x matrix) matrix { return x.PowScalar(0).Sum() }},
		{"0 to a power", "[0 0 0]", func(x matrix) matrix { return nd.Zeros[float64](3).Pow(x.AddScalar(1)).Sum() }},
		{"Where hides", "[0 1 1]", func(x matrix) matrix { return nd.Where(x.EqualScalar(0), nd.Scalar(0.0), x).Sum() }},
		{"printing", "[1 1 1]", func(x matrix) matrix { _ = x.Square().String(); _ = x.ToHost(); _ = x.At(1).Item(); return x.Sum() }},
		{"floats of comparisons", "[0 0 0]", func(x matrix) matrix { return nd.AsType[float64](x.GreaterScalar(0)).Sum() }},
	} {
		if got := fmt.Sprint(nd.Grad(c.f)(x).ToHost()); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// An operand that Assign changes after f has read it counts as it was.
func TestGradAssign(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2})
	for name, f := range map[string]func(x, c matrix) matrix{
		"Mul":    func(x, c matrix) matrix { return x.Mul(c).Sum() },
		"MatMul": nd.MatMul[float64],
		"Exp":    func(x, c matrix) matrix { return x.Mul(c.AddScalar(0)).Sum() },
	} {
		gradient := nd.Grad(func(x matrix) matrix {
			c := nd.FromSlice([]float64{3, 4})
			y := f(x, c)
			y.Eval()
			c.Fill(100)
			return y
		})(x)
		if got := fmt.Sprint(gradient.ToHost()); got != "[3 4]" {
			t.Errorf("%s: gradient %s, want [3 4]", name, got)
		}
	}
	w := nd.FromSlice([]float64{1, 2})
	loss := nd.Grad(func(w matrix) matrix { return w.Square().Sum() })
	for range 3 {
		w.Assign(w.Sub(loss(w).MulScalar(0.25)))
	}
	if got := fmt.Sprint(w.ToHost()); got != "[0.125 0.25]" {
		t.Errorf("after three steps: %s", got)
	}
}

// Functions without a derivative say so.
func TestGradRefuses(t *testing.T) {
	x := nd.FromSlice([]float64{2, 1, 1, 3}, 2, 2)
	for name, f := range map[string]func(x matrix) matrix{
		"Sort":     func(x matrix) matrix { return nd.Sort(x, 0).Sum() },
		"Solve":    func(x matrix) matrix { return nd.Solve(x, x).Sum() },
		"Cumprod":  func(x matrix) matrix { return nd.Cumprod(x).Sum() },
		"Gamma":    func(x matrix) matrix { return nd.Gamma(x).Sum() },
		"AsType":   func(x matrix) matrix { return nd.RealPart[float64](nd.FFT(nd.AsType[complex128](x), 0)).Sum() },
		"BufferOf": func(x matrix) matrix { nd.BufferOf(x); return x.Sum() },
		"Assign":   func(x matrix) matrix { return nd.Zeros[float64](2, 2).Assign(x).Sum() },
		"Fill":     func(x matrix) matrix { return x.Square().Eval().Fill(1).Sum() },
		"Mask":     func(x matrix) matrix { return nd.Mask(x, x.GreaterScalar(1)).Sum() },
		"Grad":     func(x matrix) matrix { return x },
	} {
		err := nd.Try(func() { nd.Grad(f)(x) })
		if err == nil || name != "Grad" && !strings.Contains(err.Error(), "StopGradient") || !strings.Contains(err.Error(), "nd."+name) {
			t.Errorf("%s: error %v, want one of nd.%[1]s that names StopGradient", name, err)
		}
	}
}

// The indices of a Take are those at the time of the call, also for its derivative.
func TestGradientOfTakeKeepsIndices(t *testing.T) {
	index := nd.FromSlice([]int32{1, 1, 2})
	grad := nd.Grad(func(x *nd.Array[float64]) *nd.Array[float64] {
		y := nd.Take(x, nd.AsType[int64](index))
		index.Fill(0)
		return y.Sum()
	})(nd.Ones[float64](3))
	if got := grad.ToHost(); !slices.Equal(got, []float64{0, 2, 1}) {
		t.Errorf("the gradient is %v, want [0 2 1]", got)
	}
}
