package trace

import (
	"fmt"
	"strings"
	"testing"
)

func TestThread(t *testing.T) {
	stride := 2
	tr := &Trace{
		Lines:  []Line{{Line: 3}, {Line: 4}, {Line: 6}},
		Memory: []*Memory{{Name: "x", Word: 4, Elem: 4, Size: 64}, {Name: "tile", Word: 4, Elem: 4, Size: 12, Dims: []int{3, 4}}, {Name: "p", Word: 4, Elem: 8, Size: 8}, {Name: "n", Word: 4, Elem: 4, Size: 1}},
		Blocks: []*Block{{Warps: []*Warp{{
			Ticks: []int{0, 1, 2}, Lines: []int{0, 1, 2}, Masks: []uint32{0b111, 0b101, 0b010},
			Accesses: []Access{
				{Step: 0, Memory: 0, Op: "r", Mask: 0b111, Words: []int{10}, Stride: &stride, Values: []any{1.5, 2.5, 3.5}},
				{Step: 1, Memory: 1, Op: "w", Mask: 0b101, Words: []int{3, 6}, Values: []any{7}},
				{Step: 1, Memory: -1, Op: "w", Mask: 0b100, Words: []int{16}, Values: []any{nil}},
				{Step: 2, Memory: 2, Op: "a", Mask: 0b010, Words: []int{5}, Values: []any{8}},
				{Step: 2, Memory: 3, Op: "r", Mask: 0b010, Words: []int{0}, Values: []any{9}},
			},
		}}}},
	}
	for _, c := range []struct {
		thread int
		want   string
	}{
		{0, "3 r x[10]=1.5\n4 w tile[0][3]=7\n"},
		{1, "3 r x[12]=2.5\n6 a p[2].1=8 r n=9\n"},
		{2, "3 r x[14]=3.5\n4 w tile[1][2]=7 w *(0x10)=<nil>\n"},
		{3, ""},
		{32, ""},
	} {
		var b strings.Builder
		for _, s := range tr.Thread(0, c.thread, 100) {
			fmt.Fprint(&b, s.Line.Line)
			for _, a := range s.Accesses {
				fmt.Fprintf(&b, " %s %s=%v", a.Op, a.Name, a.Value)
			}
			b.WriteString("\n")
		}
		if b.String() != c.want {
			t.Errorf("thread %d did\n%swant\n%s", c.thread, b.String(), c.want)
		}
	}
	for line, want := range map[int]int{3: 0, 6: 1, 5: -1} {
		if got := tr.First(0, []Line{{Line: line}}); got != want {
			t.Errorf("the first thread in line %d is %d, want %d", line, got, want)
		}
	}
	if n := len(tr.Thread(0, 0, 1)); n != 1 {
		t.Errorf("%d steps, want the limit of 1", n)
	}
}
