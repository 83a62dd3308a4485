package nd_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"github.com/gopherwarp/gopherwarp/gpu/nd"
)

// gradientsByJAX are values and gradients of the programs by JAX: testdata/gradients.py writes them.
//
//go:embed testdata/gradients.json
var gradientsByJAX []byte

// wave returns sin(0.37·i + k) for each element i.
func wave(k float64, shape ...int) matrix {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return nd.Sin(nd.Arange[float64](float64(n)).MulScalar(0.37).AddScalar(k)).Reshape(shape...)
}

func logSumExp(x matrix) matrix {
	m := x.Max(-1)
	return nd.Log(nd.Exp(x.Sub(m.ExpandDims(-1))).Sum(-1)).Add(m)
}

// jaxPrograms are those of gradients.py.
var jaxPrograms = map[string]func(p []matrix) matrix{
	"network": func(p []matrix) matrix {
		scores := nd.MatMul(nd.Tanh(nd.MatMul(wave(1, 4, 3), p[0]).Add(p[1])), p[2]).Add(p[3])
		right := nd.Gather(scores, nd.FromSlice([]int64{0, 1, 2, 3}), nd.FromSlice([]int64{0, 1, 1, 0}))
		return nd.Mean(logSumExp(scores).Sub(right))
	},
	"attention": func(p []matrix) matrix {
		scores := nd.MatMul(p[0], p[1].T()).DivScalar(math.Sqrt(6))
		e := nd.Exp(scores.Sub(scores.Max(1).ExpandDims(1)))
		return nd.MatMul(e.Div(e.Sum(1).ExpandDims(1)), p[2]).Mul(wave(2, 4, 6)).Sum()
	},
	"layer_norm": func(p []matrix) matrix {
		d := p[0].Sub(nd.Mean(p[0], 1).ExpandDims(1))
		y := d.Div(nd.Sqrt(nd.Var(p[0], 1).AddScalar(1e-5)).ExpandDims(1)).Mul(p[1]).Add(p[2])
		return nd.Dot(y.Ravel(), wave(3, 20))
	},
	"black_scholes": func(p []matrix) matrix {
		s, k, t, sigma := p[0], p[1], p[2], p[3]
		root := sigma.Mul(nd.Sqrt(t))
		d1 := nd.Log(s.Div(k)).Add(sigma.Square().DivScalar(2).AddScalar(0.02).Mul(t)).Div(root)
		normal := func(x matrix) matrix { return nd.Erf(x.DivScalar(math.Sqrt2)).AddScalar(1).MulScalar(0.5) }
		return s.Mul(normal(d1)).Sub(k.Mul(nd.Exp(t.MulScalar(-0.02))).Mul(normal(d1.Sub(root)))).Sum()
	},
	"logistic": func(p []matrix) matrix {
		z := nd.MatMul(wave(1, 8, 3), p[0])
		y := nd.AsType[float64](wave(5, 8).GreaterScalar(0))
		return nd.Mean(nd.Log1p(nd.Exp(nd.Abs(z).Neg())).Add(z.MaximumScalar(0)).Sub(z.Mul(y))).Add(p[0].Square().Sum().MulScalar(0.1))
	},
	"energy": func(p []matrix) matrix {
		d := p[0].ExpandDims(1).Sub(p[0].ExpandDims(0))
		return nd.Rsqrt(d.Square().Sum(-1).AddScalar(0.01)).Sum().DivScalar(-2)
	},
	"heat": func(p []matrix) matrix {
		u := p[0]
		inner, next, last := nd.R(1, -1), nd.From(2), nd.To(-2)
		for range 5 {
			q := nd.PadConstant(u, 0, [2]int{1, 1})
			around := q.Slice(next, inner).Add(q.Slice(last, inner)).Add(q.Slice(inner, next)).Add(q.Slice(inner, last))
			u = u.Add(around.Sub(u.MulScalar(4)).MulScalar(0.2))
		}
		return u.Square().Sum()
	},
	"convolution": func(p []matrix) matrix {
		sum := nd.Zeros[float64](8)
		for i := range 3 {
			sum = sum.Add(p[0].Slice(nd.R(i, i+8)).Mul(p[1].At(i)))
		}
		return sum.Prod()
	},
	"embedding": func(p []matrix) matrix {
		return nd.Take(p[0], nd.FromSlice([]int{3, 0, 3, 1}), 0).Mul(wave(2, 4, 3)).Sum().Square()
	},
	"recurrent": func(p []matrix) matrix {
		h := p[2]
		for i := range 4 {
			h = nd.Tanh(nd.MatMul(h, p[0]).Add(nd.MatMul(wave(float64(i), 3), p[1])))
		}
		return h.Mul(wave(9, 4)).Sum()
	},
	"mixture": func(p []matrix) matrix {
		z := wave(4, 10).ExpandDims(1).Sub(p[0]).Div(nd.Exp(p[1]))
		return logSumExp(z.Square().MulScalar(-0.5).Sub(p[1])).Sum().Neg()
	},
	"huber": func(p []matrix) matrix {
		r := p[0].Sub(wave(7, 12))
		far := nd.Abs(r).SubScalar(0.4).MulScalar(0.8)
		return nd.Where(nd.Abs(r).LessScalar(0.8), r.Square().MulScalar(0.5), far).Sum().Add(p[0].Clip(-0.5, 0.5).Prod())
	},
	"batches": func(p []matrix) matrix { return nd.Mean(nd.Einsum("bij,bjk->bik", p[0], p[1]).PowScalar(2)) },
	"nearest": func(p []matrix) matrix {
		return p[0].ExpandDims(1).Sub(p[1].ExpandDims(0)).Square().Sum(-1).Min(1).Sum()
	},
	"walk": func(p []matrix) matrix {
		path := nd.Cumsum(p[0])
		return path.Max().Sub(path.Min()).Add(nd.Std(path))
	},
	"rotations": func(p []matrix) matrix {
		c, s := nd.Cos(p[0]), nd.Sin(p[0])
		r := nd.Stack(-2, nd.Stack(-1, c, s.Neg()), nd.Stack(-1, s, c))
		m := r.At(0)
		for i := 1; i < 4; i++ {
			m = nd.MatMul(m, r.At(i)).MulScalar(1.1)
		}
		return m.Mul(wave(1, 2, 2)).Sum()
	},
}

// The gradients of whole programs are those of JAX.
func TestGradJAX(t *testing.T) {
	var want map[string]struct {
		Params []struct {
			Shape []int
			Data  []float64
		}
		Value     float64
		Gradients [][]float64
	}
	if err := json.Unmarshal(gradientsByJAX, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) != len(jaxPrograms) {
		t.Errorf("there are %d programs of JAX for %d here", len(want), len(jaxPrograms))
	}
	t.Logf("%d programs, with the derivatives of all parameters by JAX", len(want))
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }
	for name, w := range want {
		t.Run(name, func(t *testing.T) {
			var params []matrix
			for _, p := range w.Params {
				params = append(params, nd.FromSlice(p.Data, p.Shape...))
			}
			value, gradients := nd.ValueAndGrads(jaxPrograms[name])(params)
			if v := value.Item(); !near(v, w.Value) {
				t.Errorf("value %v, JAX has %v", v, w.Value)
			}
			for i, g := range gradients {
				for k, v := range g.ToHost() {
					if !near(v, w.Gradients[i][k]) {
						t.Errorf("derivative %d of parameter %d is %v, JAX has %v", k, i, v, w.Gradients[i][k])
					}
				}
			}
		})
	}
}
