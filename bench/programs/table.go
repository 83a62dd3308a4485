package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// table returns the results of programs and of their peers as a table in Markdown. The limit of a program is in milliseconds, at a rate in
// bytes a second.
func table(mine map[string]result, theirs map[string]map[string]result, libraries []string, limit func(p program) float64, rate float64) string {
	var b strings.Builder
	row := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	head := append([]string{"program", "nd"}, libraries...)
	for _, l := range libraries {
		head = append(head, l+" / nd")
	}
	head = append(head, fmt.Sprintf("limit, at %.2f TB/s", rate/1e12), "nd / limit")
	row(head...)
	b.WriteString("|---" + strings.Repeat("|--:", len(head)-1) + "|\n")
	for _, p := range programs {
		r, ok := mine[p.name]
		if !ok {
			continue
		}
		cells := []string{p.what, milliseconds(r.milliseconds)}
		for _, l := range libraries {
			cells = append(cells, theirs[l][p.name].beside(r))
		}
		for _, l := range libraries {
			cells = append(cells, ratio(theirs[l][p.name].milliseconds, r.milliseconds))
		}
		least := 0.0
		if p.bytes != nil {
			least = limit(p)
		}
		row(append(cells, milliseconds(least), ratio(r.milliseconds, least))...)
	}
	return b.String()
}

// beside returns the time of a peer, with a remark if its sum is another.
func (r result) beside(mine result) string {
	text := milliseconds(r.milliseconds)
	if r.milliseconds > 0 && math.Abs(r.sum-mine.sum) > 2e-3*max(math.Abs(mine.sum), 1e-6) {
		text += fmt.Sprintf(" (its sum is %g, not %g)", r.sum, mine.sum)
	}
	return text
}

// milliseconds returns a time, or a dash if there is none.
func milliseconds(t float64) string {
	if t == 0 {
		return "–"
	}
	return digits(t)
}

// ratio returns the quotient of two times, or a dash if one of them is not known.
func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return digits(a / b)
}

// digits returns a number with three digits, or as many as it has before the point.
func digits(v float64) string {
	if v > 999 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
