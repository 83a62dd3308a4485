package main

import "github.com/gopherwarp/gopherwarp/gpu/nd"

var blackScholes = program{
	name: "blackscholes", what: "Black–Scholes, 2^26 options", size: 1 << 26, bytes: linear(20),
	prepare: func(n int) func() []nd.Operand {
		price := uniform(n, 0).MulScalar(90).AddScalar(10).Eval()
		strike := uniform(n, 1).MulScalar(90).AddScalar(10).Eval()
		years := uniform(n, 2).MulScalar(1.9).AddScalar(0.1).Eval()
		return func() []nd.Operand {
			const rate, volatility = 0.05, 0.2
			below := func(x *nd.Array[float32]) *nd.Array[float32] { return nd.Erfc(x.MulScalar(-0.70710678)).MulScalar(0.5) }
			spread := nd.Sqrt(years).MulScalar(volatility)
			d1 := nd.Log(price.Div(strike)).Add(years.MulScalar(rate + volatility*volatility/2)).Div(spread)
			d2 := d1.Sub(spread)
			owed := strike.Mul(nd.Exp(years.MulScalar(-rate)))
			call := price.Mul(below(d1)).Sub(owed.Mul(below(d2)))
			put := call.Sub(price).Add(owed)
			nd.Eval(call, put)
			return []nd.Operand{call, put}
		}
	},
}
