package gokernel

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestLines checks that what a statement becomes has the statement's line, also if it is several lines in C++.
func TestLines(t *testing.T) {
	unit, err := translate(t, map[string]string{"lines.go": `package main

import "github.com/gopherwarp/gopherwarp/gpu"

//gpu:kernel
func lines(x []float32) {
	i := gpu.GlobalID()
	x[i/2] += 2

	if i > 0 {
		x[i], x[i-1] = x[i-1], x[i]

	}

}
`})
	must(t, err)
	want := map[int]bool{8: true, 11: true} // those that access x
	file, line := "", 0
	got := map[int]bool{}
	for text := range strings.Lines(unit.CUDA) {
		if n, name, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "#line "), " "); ok && strings.HasPrefix(text, "#line ") {
			line, _ = strconv.Atoi(n)
			file, _ = strconv.Unquote(name)
			continue
		}
		if file == "lines.go" && strings.Contains(text, "x.at(") {
			got[line] = true
		}
		if file == "lines.go" && !unit.Debug.Lines[file][line] {
			t.Errorf("line %d has %q, and a debugger is not told so", line, text)
		}
		line++
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("x is accessed in lines %v, want %v", got, want)
	}
	for _, line := range []int{9, 12, 14} {
		if unit.Debug.Lines["lines.go"][line] {
			t.Errorf("line %d is empty, and a debugger is told that it has code", line)
		}
	}
}
