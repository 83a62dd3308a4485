package tutor

import (
	"math"
	"strings"
	"testing"
)

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]quantity{
		"15936":                    {value: 15936},
		"15,936":                   {value: 15936},
		"15 936":                   {value: 15936},
		"1_000_000":                {value: 1e6},
		"256*61+320":               {value: 15936},
		"1000^2 - (31*32)^2":       {value: 15936},
		"1e3":                      {value: 1000},
		"1.5e-3 s":                 {value: 1.5e-3, seconds: 1},
		"2^20":                     {value: 1 << 20},
		"2**10":                    {value: 1024},
		"1 << 20":                  {value: 1 << 20},
		"-3 + 5":                   {value: 2},
		"ceil(1000/256)":           {value: 4},
		"floor(1000 / 256) blocks": {value: 3},
		"4 KiB":                    {value: 4096, bytes: 1},
		"4.1 GB/s":                 {value: 4.1e9, bytes: 1, seconds: -1},
		"8.4 MB / 3.1 ms":          {value: 8.4e6 / 3.1e-3, bytes: 1, seconds: -1},
		"25 %":                     {value: 0.25},
		"32 bit":                   {value: 4, bytes: 1},
		"2 GFLOPS":                 {value: 2e9, operations: 1, seconds: -1},
		"17 µs":                    {value: 17e-6, seconds: 1},
		"log2(1024)":               {value: 10},
		"256 threads":              {value: 256},
		"min(32, 4 * 2, 9)":        {value: 8},
		"max(1, 2)":                {value: 2},
		"8x":                       {value: 8},
	} {
		q, err := evaluate(text)
		if err != nil || !q.sameUnit(want) || math.Abs(q.value-want.value) > 1e-9*math.Abs(want.value) {
			t.Errorf("%s is %+v, %v, want %+v", text, q, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                             "a number is missing",
		"B":                            "no number",
		"1 +":                          "a number is missing",
		"(1":                           "not closed",
		"1/0":                          "divides by 0",
		"3 apples":                     "no unit",
		"3 MB + 2 s":                   "different units",
		"1 2":                          "after the number",
		"1..2":                         "no number",
		"(2 B)^2":                      "a power of a number with a unit",
		strings.Repeat("(", 100) + "1": "parentheses",
		strings.Repeat("1", 999):       "at most 200",
		"sqrt(0-1)":                    "not a number",
		"10^999":                       "not a number",
	} {
		if q, err := evaluate(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q is %+v, %v, want an error with %q", text, q, err, want)
		}
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add("1_000 * (2^3 - 1) GB/s")
	f.Add("ceil(1e3/256) blocks")
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := evaluate(text); err == nil && (math.IsNaN(q.value) || math.IsInf(q.value, 0)) {
			t.Errorf("%q is %v", text, q.value)
		}
	})
}
