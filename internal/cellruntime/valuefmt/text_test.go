package valuefmt_test

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
)

type (
	list  []any
	named struct {
		Name string
		next *named
	}
	itself  struct{ N int }
	direct  struct{ Next *direct }
	long    struct{ Next *long }
	shouts  string
	formats struct{ n int }
	fails   struct{}
)

// In cells, such methods begin with a call of Nested, too.
func (v itself) String() string {
	cell.Nested()
	var same any = v
	return fmt.Sprintf("itself(%v)", same)
}

func (d *direct) String() string {
	cell.Nested()
	if d.Next == nil {
		return "."
	}
	return "->" + d.Next.String()
}

func (l *long) String() string {
	cell.Nested()
	if l == nil {
		return "."
	}
	return fmt.Sprintf("-%v", l.Next)
}

func (v shouts) String() string { return strings.ToUpper(string(v)) }

func (v formats) Format(f fmt.State, verb rune) { fmt.Fprintf(f, "%d%c%v", v.n, verb, f.Flag('+')) }

func (fails) Error() string { panic("no text") }

func TestText(t *testing.T) {
	cyclicMap := map[string]any{"a": 1}
	cyclicMap["self"] = cyclicMap
	cyclicSlice := list{1, 2}
	cyclicSlice[1] = cyclicSlice
	behind := []any{nil}
	behind[0] = &struct{ In any }{behind} // fmt shows only the address
	shared := []int{1}
	ring := &named{Name: "a"}
	ring.next = ring
	address := fmt.Sprintf("%p", ring)
	for _, test := range []struct {
		values []any
		want   string
	}{
		{[]any{nil}, "<nil>"},
		{[]any{1, "a", 'b'}, `1, "a", 98`},
		{[]any{"a\n\x80"}, `"a\n\x80"`},
		{[]any{shouts("a"), []shouts{"b"}}, "A, [B]"},
		{[]any{formats{1}, []formats{{2}}}, "1vfalse, [2vtrue]"},
		{[]any{big.NewInt(5), time.Second, 1.5, float32(0.1), 1e21, math.Inf(1), complex64(1 + 2i)}, "5, 1s, 1.5, 0.1, 1e+21, +Inf, (1+2i)"},
		{[]any{fails{}}, "%!v(PANIC=Error method: no text)"},
		{[]any{map[float64]int{math.NaN(): 1, 2: 2, math.Inf(-1): 3}}, "map[NaN:1 -Inf:3 2:2]"},
		{[]any{ring}, "&{Name:a next:" + address + "}"},
		{[]any{[][]int{shared, shared}}, "[[1] [1]]"},
		{[]any{cyclicMap}, "map[a:1 self:<cycle>]"},
		{[]any{&cyclicMap, cyclicSlice}, "&map[a:1 self:<cycle>], [1 <cycle>]"},
		{[]any{behind}, fmt.Sprint(behind)},
	} {
		if got := valuefmt.Text(test.values...); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// TestTextOfRecursion formats values whose methods call themselves, without end or not.
func TestTextOfRecursion(t *testing.T) {
	d := &direct{}
	d.Next = d
	var l *long
	for range 9000 {
		l = &long{l}
	}
	const note = "String calls itself without end: 10000 calls inside each other)"
	for _, test := range []struct {
		value      any
		begin, end string
	}{
		{itself{1}, "{N:1} (", "valuefmt_test.itself." + note},
		{[]any{1, itself{1}, itself{2}, time.Second}, "[1 {N:1} {N:2} 1s] (", note},
		{d, "&{Next:0x", "(*direct)." + note},
		{l, strings.Repeat("-", 9000) + ".", "."},
	} {
		if got := valuefmt.Text(test.value); !strings.HasPrefix(got, test.begin) || !strings.HasSuffix(got, test.end) {
			t.Errorf("%.200s, want %s…%s", got, test.begin, test.end)
		}
	}
}

// TestTextIsCut formats values longer than the maximum, and measures the time.
func TestTextIsCut(t *testing.T) {
	const shown = 20_000
	long := strings.Repeat("ü", 100<<20)
	entries := map[int]int{}
	for i := range 3_000_000 {
		entries[i] = i
	}
	deep := list{}
	for range 1_000_000 {
		deep = list{deep}
	}
	for name, test := range map[string]struct {
		value any
		want  string // the beginning of the text
	}{
		"string":           {long, strconv.Quote(long[:shown-2])[:shown-2]},
		"string in a list": {[]any{long}, "[" + long[:shown-2]},
		"numbers":          {make([]int, 50_000_000), strings.TrimSuffix("["+strings.Repeat("0 ", shown/2), " ")},
		"map":              {entries, "map["},
		"deep":             {deep, strings.Repeat("[", shown)},
		"nothing":          {new([1 << 50]struct{}), "&[{} {} {} "},
		"map of lists":     {map[string]any{"a": 1, "b": make([]bool, 1<<30)}, "map[a:1 b:[false "},
	} {
		got, best := "", time.Hour
		for range 5 { // other processes use the processors, too
			start := time.Now()
			got = valuefmt.Text(test.value)
			best = min(best, time.Since(start))
		}
		if best > time.Second { // fmt takes up to 14 s, and this some 10 ms where nothing else runs
			t.Errorf("%s: took %v", name, best)
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %.30q, want %.30q", name, got, test.want)
		}
		if !strings.Contains(got, "print the value to see it all") || len(got) > shown+200 {
			t.Errorf("%s: %d bytes, which end in %q", name, len(got), got[len(got)-80:])
		}
	}
}
