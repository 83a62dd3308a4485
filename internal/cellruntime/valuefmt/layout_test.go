package valuefmt_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

type (
	dense struct {
		r, c int
		at   func(i, j int) float64
	}
	inner struct {
		Name  string
		Sizes []int
		deep  map[string]int
	}
	outer struct {
		Title  string
		Inner  inner
		Next   *outer
		Any    any
		Took   time.Duration
		hidden []string
	}
)

func (d dense) Dims() (int, int)    { return d.r, d.c }
func (d dense) At(i, j int) float64 { return d.at(i, j) }
func numbers(n int) []int           { return fill(n, func(i int) int { return i }) }
func fill[T any](n int, f func(int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

func TestResult(t *testing.T) {
	wrapped := fmt.Errorf("read it: %w", &fs.PathError{Op: "open", Path: "x", Err: syscall.ENOENT})
	deep := outer{Title: strings.Repeat("t", 30), Inner: inner{"n", numbers(60), map[string]int{"a": 1}}, Any: inner{Name: "x"}, Took: time.Second, hidden: []string{"h"}}
	entries := map[int]string{}
	for i := range 100 {
		entries[i] = fmt.Sprint("value ", i)
	}
	for _, tc := range []struct {
		name  string
		rows  int
		value any
		want  string
	}{
		{"short slice", 6, []int{1, 2}, "[1 2]"},
		{"long slice", 6, numbers(1000), "[0 1 2 … 997 998 999]\n[]int of 1000 elements"},
		{"odd number of rows", 5, numbers(1000), "[0 1 2 … 998 999]\n[]int of 1000 elements"},
		{"everything", 0, numbers(200), strings.TrimSpace(fmt.Sprint(numbers(200)))},
		{"one row", 1, numbers(1000), "[0 … 999]\n[]int of 1000 elements"},
		{"pointer to an array", 2, func() *[500]int8 { return new([500]int8) }(), "&[0 … 0]\n[500]int8 of 500 elements"},
		{"strings", 2, fill(100, func(i int) string { return fmt.Sprint("a\n", i) }), "\"a\\n0\"\n…\n\"a\\n99\"\n[]string of 100 elements"},
		{"durations", 2, fill(900, func(i int) time.Duration { return time.Duration(i) }), "[0s … 899ns]\n[]time.Duration of 900 elements"},
		{"any", 2, fill(300, func(i int) any { return "s" }), "\"s\"\n…\n\"s\"\n[]interface {} of 300 elements"},
		{"NaN", 2, fill(300, func(i int) float64 { return math.NaN() }), "[NaN … NaN]\n[]float64 of 300 elements"},
		{
			"rows of numbers", 4, fill(50, func(i int) []int { return fill(30, func(j int) int { return i * j }) }),
			"0   0   0    0    0  …     0     0     0     0     0\n" +
				"0   1   2    3    4  …    25    26    27    28    29\n" +
				"⋮\n" +
				"0  48  96  144  192  …  1200  1248  1296  1344  1392\n" +
				"0  49  98  147  196  …  1225  1274  1323  1372  1421\n" +
				"[][]int of 50×30",
		},
		{"rows of different lengths", 2, fill(100, numbers), "[]\n…\n[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69…\n[][]int of 100 elements"},
		{
			"matrix", 20,
			dense{2, 3, func(i, j int) float64 { return float64(i) + float64(j)/3 }},
			"0  0.333333  0.666667\n1   1.33333   1.66667\nvaluefmt_test.dense of 2×3",
		},
		{"matrix without rows", 20, dense{}, "[]\nvaluefmt_test.dense of 0×0"},
		{"matrix that panics", 20, dense{r: 1, c: 1}, ""},
		{"map", 4, entries, "0: \"value 0\"\n1: \"value 1\"\n…\n98: \"value 98\"\n99: \"value 99\"\nmap[int]string of 100 entries"},
		{
			"struct", 20, &deep,
			"&valuefmt_test.outer{\n    Title: \"" + deep.Title + "\"\n    Inner: valuefmt_test.inner{\n        Name: \"n\"\n        Sizes: [0 1 2 … 57 58 59] (60 elements)\n        deep: map[a:1]\n    }\n" +
				"    Next: <nil>\n    Any: {Name:x Sizes:[] deep:map[]}\n    Took: 1s\n    hidden: [h]\n}",
		},
		{"wrapped error", 20, wrapped, "read it: open x: no such file or directory\n*fmt.wrapError, which wraps *fs.PathError, which wraps syscall.Errno"},
		{"error", 20, errors.New("plain"), "plain"},
		{"nil pointer", 20, (*outer)(nil), "<nil>"},
		{"nil", 20, nil, "<nil>"},
		{"time", 20, time.Unix(0, 5).UTC(), "1970-01-01 00:00:00.000000005 +0000 UTC"},
		{"string", 20, strings.Repeat("é", 3000), `"` + strings.Repeat("é", 750) + `" … "` + strings.Repeat("é", 250) + "\"\nstring of 6000 bytes"},
		{"own text", 20, fill(3, func(int) shouts { return shouts(strings.Repeat("a", 300)) })[0], strings.Repeat("A", 300)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := valuefmt.Result(tc.rows, tc.value)
			if tc.name == "matrix that panics" {
				tc.want = valuefmt.Text(tc.value)
			}
			if got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
	now := time.Now()
	if got := valuefmt.Result(20, now); strings.Contains(got, "m=") {
		t.Errorf("%s has the monotonic clock", got)
	}
	big := make(map[int]int, 50_000)
	for i := range 50_000 {
		big[i] = i
	}
	if got := valuefmt.Result(4, big); strings.Count(got, "\n") != 3 || !strings.HasSuffix(got, "…\nmap[int]int of 50000 entries, of which any are shown") {
		t.Errorf("%s", got)
	}
	ring := []any{strings.Repeat("a", 500), nil}
	ring[1] = ring
	if got := valuefmt.Result(20, ring); !strings.HasSuffix(got, "[]interface {} of 2 elements") {
		t.Errorf("%s", got)
	}
	if a, b := valuefmt.Result(20, 1, "a"), valuefmt.Text(1, "a"); a != b {
		t.Errorf("%s, want %s", a, b)
	}
}
