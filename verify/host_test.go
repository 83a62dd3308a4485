package verify

import (
	"math"
	"os"
	"strings"
	"testing"
)

func TestEqual(t *testing.T) {
	if err := Equal("same", []int{1, 2}, []int{1, 2}); err != nil {
		t.Error(err)
	}
	expectMessage := func(err error, want string) {
		t.Helper()
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	expectMessage(Equal("short", []int{1}, []int{1, 2}), "short: 1 element, want 2\nThe result has another length than it should have.")
	expectMessage(Equal("sums", []float32{1, 2}, []float32{1, 2.5}), `sums: wrong values
Take the first wrong element and work it out by hand, step by step: which step is
missing, in another place, or done with another number?

1 of 2 elements wrong
  element 1: got 2, want 2.5`)
	mistake := Mistake[int]{"the clock is not read again", []int{7}}
	expectMessage(Equal("time", []int{7}, []int{8}, mistake), "time: the clock is not read again\n\n1 of 1 elements wrong\n  element 0: got 7, want 8")
	if err := Equal("last bit", []float32{1}, []float32{1 + 0x1p-23}); err == nil {
		t.Error("another last bit is equal")
	}
	for _, c := range []struct {
		got, want []float32
		reason    Reason
	}{
		{[]float32{0, 0, 0}, []float32{1, 2, 3}, NotWritten},
		{[]float32{1, 2, 0}, []float32{1, 2, 3}, LastMissing},
		{[]float32{1, 0, 0}, []float32{1, 2, 3}, OnlyFirst},
		{[]float32{2, 4, 6}, []float32{1, 2, 3}, Doubled},
		{[]float32{2, 3, 4, 5, 6, 7}, []float32{1, 2, 3, 4, 5, 6}, OffByOne},
		{[]float32{5, 5, 5}, []float32{1, 2, 3}, AllTheSame},
		{[]float32{1, 2, 3}, []float32{1.5, 2.5, 3.25}, CutToWhole},
		{[]float32{1, 7, 3}, []float32{1, 2, 3}, WrongValues},
	} {
		expect(t, Equal("f", c.got, c.want), c.reason)
	}
	expect(t, Equal("f", []int{1, 3, 3, 4}, []int{1, 2, 3, 4}), OneOff)
}

func ExampleEqual() {
	os.Setenv("NO_COLOR", "1") // or the lines are green
	defer os.Unsetenv("NO_COLOR")
	_ = Equal("many", []int{1, 2}, []int{1, 2})
	_ = Equal("one", []int{1}, []int{1})
	_ = Equal("none", nil, []int{})
	// Output:
	// ✓ PASS many: all 2 elements are equal
	// ✓ PASS one: its element is equal
	// ✓ PASS none: empty, as it should be
}

func TestNear(t *testing.T) {
	if err := Near("pi", 3.14, math.Pi, 0.002); err != nil {
		t.Error(err)
	}
	for got, hint := range map[float64]string{
		3.14: "too small", 3.143: "too large", math.NaN(): "not a number", math.Inf(1): "infinite", 0: "It is 0",
		-math.Pi: "sign", math.Pi * math.Pi: "a root is missing", 2 * math.Pi: "twice", math.Pi / 2: "half", 1 / math.Pi: "1 divided by",
	} {
		err := Near("pi", got, math.Pi, 0.001)
		expect(t, err, WrongValues)
		if !strings.Contains(err.Error(), hint) {
			t.Errorf("%v: got\n%v\nwithout %q", got, err, hint)
		}
	}
	if err := Near("a difference", 80, 0, 0.001); !strings.Contains(err.Error(), "too large") {
		t.Errorf("80, want 0: got\n%v", err)
	}
	expect(t, Near("pi", 3, math.Pi, 0.001, Mistake[float64]{"cut off", []float64{3}}), "cut off")
}
