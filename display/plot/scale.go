package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A scale maps numbers to positions of the drawing.
type scale struct {
	lo, hi   float64
	log      bool
	from, to float64 // positions of lo and hi
	ticks    []float64
}

// newScale returns a scale from lo to hi, extended to the next ticks unless the axis has limits.
func newScale(a Axis, lo, hi, from, to float64) scale {
	fixed := a.From != 0 || a.To != 0
	if fixed {
		lo, hi = a.From, a.To
		if !(lo < hi) || a.Log && lo <= 0 {
			fail("the axis %q goes from %v to %v: From must be less than To, and above 0 on a logarithmic axis", a.Label, lo, hi)
		}
	}
	s := scale{lo: lo, hi: hi, log: a.Log, from: from, to: to}
	switch {
	case a.Log:
		s.ticks = logTicks(lo, hi)
	default:
		if !fixed {
			if s.lo > 0 && s.lo <= s.hi*3/4 {
				s.lo = 0 // a truncated line looks steeper than it is
			}
			if closest := max(1e-10*max(math.Abs(s.lo), math.Abs(s.hi)), 1/largest); s.hi-s.lo <= closest { // the numbers have no digits for more ticks
				s.lo, s.hi = s.lo-max(math.Abs(s.lo)/2, 0.5), s.hi+max(math.Abs(s.hi)/2, 0.5)
			}
		}
		s.ticks = linearTicks(s.lo, s.hi)
	}
	if !fixed {
		s.lo, s.hi = s.ticks[0], s.ticks[len(s.ticks)-1]
		return s
	}
	within := s.ticks[:0]
	for _, t := range s.ticks {
		if t >= s.lo-1e-9*(s.hi-s.lo) && t <= s.hi+1e-9*(s.hi-s.lo) {
			within = append(within, t)
		}
	}
	s.ticks = within
	return s
}

// json returns the numbers at the ends, their positions, and whether the scale is logarithmic, for the script.
func (s scale) json() string {
	return fmt.Sprintf("[%.12g,%.12g,%s,%s,%v]", s.lo, s.hi, at(s.from), at(s.to), s.log)
}

// at returns the position of a number.
func (s scale) at(v float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(v)
	}
	return s.from + (v-lo)/(hi-lo)*(s.to-s.from)
}

// linearTicks returns four to nine round numbers that enclose lo and hi.
func linearTicks(lo, hi float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10((hi-lo)/4)))
	for _, m := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(step*m) <= 7 {
			step *= m
			break
		}
	}
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	ticks := make([]float64, 0, 10)
	for n := range int(last-first) + 1 {
		i := first + float64(n)
		// The quotient of integers has fewer digits than the sum of steps.
		if step < 1 {
			ticks = append(ticks, i/math.Round(1/step))
		} else {
			ticks = append(ticks, i*step)
		}
	}
	return ticks
}

// logTicks returns powers of ten that enclose lo and hi, or within three decades 1, 2 and 5 times those.
func logTicks(lo, hi float64) []float64 {
	first, last := int(math.Floor(math.Log10(lo)+1e-9)), int(math.Ceil(math.Log10(hi)-1e-9))
	if last == first {
		last++
	}
	var ticks []float64
	if last-first > 3 {
		every := (last-first)/9 + 1
		for e := first; e < last+every; e += every {
			ticks = append(ticks, math.Pow10(e))
		}
		return ticks
	}
	for e := first; e <= last; e++ {
		for _, m := range []float64{1, 2, 5} {
			ticks = append(ticks, m*math.Pow10(e))
		}
	}
	for len(ticks) > 2 && ticks[1] <= lo*(1+1e-9) {
		ticks = ticks[1:]
	}
	for len(ticks) > 2 && ticks[len(ticks)-2] >= hi*(1-1e-9) {
		ticks = ticks[:len(ticks)-1]
	}
	return ticks
}

// label formats a tick. Powers of ten have the same form along a logarithmic axis.
func (s scale) label(tick float64) string {
	if e := math.Round(math.Log10(tick)); s.log && (tick >= 1e4 || tick < 1e-2) && tick == math.Pow10(int(e)) {
		return "10" + superscript.Replace(strconv.Itoa(int(e)))
	}
	return number(tick, s.digits())
}

// digits returns the number of digits that distinguish the ticks.
func (s scale) digits() int {
	for digits := 6; digits < 15; digits++ {
		seen := map[string]bool{}
		for _, t := range s.ticks {
			seen[number(t, digits)] = true
		}
		if len(seen) == len(s.ticks) {
			return digits
		}
	}
	return 15
}

var superscript = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// number formats v with at most that many digits.
func number(v float64, digits int) string {
	abs := math.Abs(v)
	if abs != 0 && (abs >= 1e6 || abs < 1e-4) && !math.IsInf(v, 0) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
		if strings.Contains(mantissa, ".") {
			mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		}
		e, _ := strconv.Atoi(exponent)
		power := "10" + superscript.Replace(strconv.Itoa(e))
		if mantissa == "1" {
			return power
		}
		return mantissa + "·" + power
	}
	if abs >= math.Pow10(digits) { // keep all digits before the decimal point
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', digits, 64)
}
