package main

import "testing"

func TestTable(t *testing.T) {
	mine := map[string]result{"heat": {4, 1}, "nearest": {0.64, 7}}
	theirs := map[string]map[string]result{
		"cupy": {"heat": {3999.8, 1}, "nearest": {2.5, 8}},
		"jax":  {"nearest": {1.2, 7}},
	}
	const want = `| program | nd | cupy | jax | cupy / nd | jax / nd | limit, at 3.90 TB/s | nd / limit |
|---|--:|--:|--:|--:|--:|--:|--:|
| heat, 100 steps of 4096², by views | 4 | 4000 | – | 1000 | – | 3.25 | 1.23 |
| the nearest of 4096 points for each of 2^16, 32 columns | 0.64 | 2.5 (its sum is 8, not 7) | 1.2 | 3.91 | 1.88 | – | – |
`
	if got := table(mine, theirs, []string{"cupy", "jax"}, func(program) float64 { return 3.25 }, 3.9e12); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
