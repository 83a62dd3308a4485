package verify

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/check"
)

// tables are kernels that write row + 100 * column to a table, given the right value and where each
// thread stands, with the reason for which each must be refused.
var tables = []struct {
	name   string
	reason Reason
	write  func(out *slab[int32], rows, columns int)
}{
	{"right", "", func(out *slab[int32], rows, columns int) {
		tableThreads(rows, columns, func(row, column int) { *out.at(row*columns + column) = cell(row, column) })
	}},
	{"columns first", Transposed, func(out *slab[int32], rows, columns int) {
		tableThreads(rows, columns, func(row, column int) { *out.at(column*rows + row) = cell(row, column) })
	}},
	{"rounded down", TailMissing, func(out *slab[int32], rows, columns int) {
		tableThreads(rows/tableY*tableY, columns/tableX*tableX, func(row, column int) { *out.at(row*columns + column) = cell(row, column) })
	}},
	{"threadIdx alone", FirstBlockOnly, func(out *slab[int32], rows, columns int) {
		tableThreads(min(rows, tableY), min(columns, tableX), func(row, column int) { *out.at(row*columns + column) = cell(row, column) })
	}},
	{"added twice", Doubled, func(out *slab[int32], rows, columns int) {
		tableThreads(rows, columns, func(row, column int) { *out.at(row*columns + column) = 2 * cell(row, column) })
	}},
	{"wrong formula", WrongValues, func(out *slab[int32], rows, columns int) {
		tableThreads(rows, columns, func(row, column int) { *out.at(row*columns + column) = cell(row, column) + int32(row) })
	}},
}

const tableX, tableY = 8, 4

func cell(row, column int) int32 { return int32(1 + row + 100*column) }

func tableThreads(rows, columns int, body func(row, column int)) {
	for row := range rows {
		for column := range columns {
			body(row, column)
		}
	}
}

func TestTables(t *testing.T) {
	for _, k := range tables {
		t.Run(k.name, func(t *testing.T) {
			err := run("table", tableX*tableY, []int{1, 7, 13, 19}, func(c *Case) error {
				rows, columns := c.N, c.N+6
				out := output[int32](c, rows*columns, func(i int) int32 { return cell(i/columns, i%columns) }, Table(columns, tableX, tableY))
				k.write(out, rows, columns)
				return nil
			})
			expect(t, err, k.reason)
			if k.reason == TailMissing && !strings.Contains(err.Error(), "row 0, column 24 (block (3, 0), thread (0, 0)): got -1515870811 (the check's poison), want 2401") {
				t.Errorf("no row, column, block and thread:\n%v", err)
			}
		})
	}
}

// scans compute prefix sums of x into out, with the reason for which each must be refused.
var scans = []struct {
	name   string
	reason Reason
	scan   func(x []int32, out func(i int) *int32)
}{
	{"right", "", func(x []int32, out func(int) *int32) { scanParts(x, len(x), out) }},
	{"up-sweep alone", UpSweepOnly, func(x []int32, out func(int) *int32) {
		for i, v := range x {
			*out(i) = v
		}
		for step := 1; step < len(x); step *= 2 {
			for i := 2*step - 1; i < len(x); i += 2 * step {
				*out(i) += *out(i - step)
			}
		}
	}},
	{"up-sweep of each block, shown by a whole one", UpSweepOnly, func(x []int32, out func(int) *int32) {
		for begin := 0; begin < len(x); begin += blockSize {
			part := x[begin:min(begin+blockSize, len(x))]
			for i, v := range part {
				*out(begin + i) = v
			}
			for step := 1; step < len(part); step *= 2 {
				for i := 2*step - 1; i < len(part); i += 2 * step {
					*out(begin + i) += *out(begin + i - step)
				}
			}
		}
	}},
	{"exclusive", ScanShifted, func(x []int32, out func(int) *int32) {
		sum := int32(0)
		for i, v := range x {
			*out(i) = sum
			sum += v
		}
	}},
	{"each block alone", BlocksApart, func(x []int32, out func(int) *int32) { scanParts(x, blockSize, out) }},
	{"two elements a thread, each block alone", BlocksApart, func(x []int32, out func(int) *int32) { scanParts(x, 2*blockSize, out) }},
}

func scanParts(x []int32, size int, out func(int) *int32) {
	sum := int32(0)
	for i, v := range x {
		if i%max(size, 1) == 0 {
			sum = 0
		}
		sum += v
		*out(i) = sum
	}
}

func TestScans(t *testing.T) {
	for _, k := range scans {
		t.Run(k.name, func(t *testing.T) {
			err := run("scan", blockSize, testSizes, func(c *Case) error {
				x, sums := make([]int32, c.N), make([]int32, c.N)
				sum := int32(0)
				for i := range x {
					x[i] = int32(1 + i%5)
					sum += x[i]
					sums[i] = sum
				}
				out := output[int32](c, c.N, func(i int) int32 { return sums[i] }, Scan())
				k.scan(x, out.at)
				return nil
			})
			expect(t, err, k.reason)
		})
	}
}

func TestTotal(t *testing.T) {
	total := func(terms func(n int) int) error {
		return run("sum", blockSize, testSizes, func(c *Case) error {
			x := c.Float32s(c.N)
			exact := 0.0
			for _, v := range x {
				exact += float64(v)
			}
			var sum float32
			for _, v := range x[:terms(c.N)] {
				sum += v
			}
			*output[float32](c, 1, func(int) float64 { return exact }, Total(x)).at(0) = sum
			return nil
		})
	}
	expect(t, total(func(n int) int { return n }), "")
	expect(t, total(func(n int) int { return min(n, blockSize) }), PartOfTotal)
	expect(t, total(func(n int) int { return min(n, 30) }), WrongValues)
}

// A kernel that counts on what it has left is right when it is launched once.
func TestSecondLaunch(t *testing.T) {
	count := func(reset bool) error {
		return run("count", blockSize, []int{5, 100}, func(c *Case) error {
			sum := output[int32](c, 1, func(int) int { return c.N })
			*sum.at(0) = 0
			return c.Launch(func() error {
				if reset {
					*sum.at(0) = 0
				}
				*sum.at(0) += int32(c.N)
				return nil
			})
		})
	}
	expect(t, count(true), "")
	expect(t, count(false), SecondLaunch)
}

func TestHang(t *testing.T) {
	stop := make(chan struct{})
	k := inspection{name: "forever", block: blockSize, sizes: []int{5, 6}, patience: 10 * time.Millisecond, interrupt: func() { close(stop) }}
	err := k.run(func(c *Case) error {
		<-stop
		return &gpu.Error{Message: "interrupted"}
	})
	expect(t, err, Hangs)
}

// The order of the threads changes with each repetition, and the first has the usual one.
func TestShuffles(t *testing.T) {
	var seeds []uint32
	k := inspection{name: "order", block: blockSize, sizes: []int{5}, shuffle: func(seed uint32, f func() error) error {
		seeds = append(seeds, seed)
		return f()
	}}
	err := k.run(func(c *Case) error {
		*output[int32](c, 1, func(int) int { return 0 }).at(0) = int32(len(seeds))
		return nil
	})
	expect(t, err, Unsteady)
	if fmt.Sprint(seeds) != "[1 2]" {
		t.Errorf("seeds %v", seeds)
	}
}

// What check mode finds fails a kernel whose result is right, and is shown with one that is wrong.
func TestDefects(t *testing.T) {
	for _, k := range []struct {
		kind   string
		reason Reason
	}{{check.Race, Race}, {check.Uninitialised, Uninitialised}, {check.OutOfBounds, OutOfBounds}, {check.DivergentBarrier, Barrier}, {check.Misaligned, Defect}, {"", ""}} {
		t.Run("kind "+k.kind, func(t *testing.T) {
			for _, result := range []int32{0, 1} {
				examined, examining := map[int]bool{}, false
				c := inspection{name: "sum", block: blockSize, sizes: []int{50, 500_000}}
				c.examine = func(f func() error) (*check.Report, error) {
					r := &check.Report{}
					examining = true
					defer func() { examining = false }()
					if k.kind != "" {
						at := check.Finding{Kind: k.kind, Program: "cell[3].cu", Kernel: "sum", Line: 4, Count: 1}
						r.Findings = []check.Finding{at}
						if k.kind == check.OutOfBounds { // what tells more is shown, wherever it stands
							r.Findings = []check.Finding{{Kind: check.Race, Kernel: "sum", Program: "cell[3].cu", Line: 5}, at}
						}
					}
					return r, f()
				}
				err := c.run(func(c *Case) error {
					examined[c.N] = examined[c.N] || examining
					*output[int32](c, 1, func(int) int { return 0 }).at(0) = result * int32(50/c.N)
					return nil
				})
				want := k.reason
				if result != 0 {
					if want == "" {
						want = WrongValues
					}
				}
				expect(t, err, want)
				if !examined[50] || examined[500_000] {
					t.Errorf("check mode ran for %v", examined)
				}
				if k.kind != "" && !strings.Contains(fmt.Sprint(err), "cell[3].cu:4") {
					t.Errorf("the line is not named:\n%v", err)
				}
			}
		})
	}
}

func TestJudge(t *testing.T) {
	report := &check.Report{Launches: 2, Accesses: []check.Access{
		{Program: "cell[5].cu", Line: 3, Space: "global", Op: "load", Size: 4, Lanes: 64, Bytes: 256, Requests: 2, Active: 64, Sectors: 8},
		{Program: "cell[5].cu", Line: 4, Space: "shared", Op: "load", Size: 4, Lanes: 64, Bytes: 256, Requests: 2, Active: 64, Wavefronts: 64, BestWavefronts: 2},
		{Program: "cell[5].cu", Line: 6, Space: "global", Op: "store", Size: 4, Lanes: 64, Bytes: 256, Requests: 2, Active: 64, Sectors: 64},
		{Program: "cell[5].cu", Line: 7, Space: "global", Op: "atomic", Size: 4, Lanes: 10, Bytes: 40, Requests: 1, Active: 10, Sectors: 2, Addresses: 1},
	}}
	for _, l := range []struct {
		name   string
		limit  Limit
		reason Reason
		part   string
	}{
		{"sectors", SectorsPerRequest(4), Uncoalesced, "cell[5].cu:6, global store: 32 sectors a request, at most 4 allowed"},
		{"sectors enough", SectorsPerRequest(32), "", ""},
		{"conflicts", ConflictsPerRequest(0), BankConflicts, "cell[5].cu:4, shared load: 31 extra cycles a request (bank conflicts), at most 0 allowed"},
		{"conflicts enough", ConflictsPerRequest(31), "", ""},
		{"bytes", GlobalBytes(511), TooManyBytes, "512 bytes, at most 511 allowed"},
		{"bytes enough", GlobalBytes(512), "", ""},
		{"atomics", GlobalAtomics(9), TooMuchAtomic, "cell[5].cu:7, global atomic: 10 atomic operations"},
		{"atomics enough", GlobalAtomics(10), "", ""},
		{"launches", Launches(1), LaunchCount, "2 launches, at most 1 allowed"},
		{"launches enough", Launches(2), "", ""},
	} {
		t.Run(l.name, func(t *testing.T) {
			err := judge("kernel", report, []Limit{l.limit})
			expect(t, err, l.reason)
			if l.reason != "" && !strings.Contains(err.Error(), l.part) {
				t.Errorf("got\n%v\nwithout %q", err, l.part)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	// The times are of the first, second and third round, which then come again; the best counts.
	clock := func(reference, mine [rounds]time.Duration) error {
		calls := map[bool]int{}
		measure := func(f func() error) (time.Duration, error) {
			mineNow := f() != nil
			defer func() { calls[mineNow]++ }()
			if mineNow {
				return mine[calls[true]%rounds], nil
			}
			return reference[calls[false]%rounds], nil
		}
		return compare("tiled", 2, func() error { return nil }, func() error { return errors.New("mine") }, measure)
	}
	expect(t, clock([rounds]time.Duration{90, 60, 70}, [rounds]time.Duration{45, 30, 80}), "")
	expect(t, clock([rounds]time.Duration{90, 50, 70}, [rounds]time.Duration{45, 30, 80}), TooSlow)
}

// Of bytes that nobody has written some are right by chance.
func TestUnwrittenBytes(t *testing.T) {
	for _, table := range []bool{false, true} {
		err := run("bytes", tableX*tableY, []int{40}, func(c *Case) error {
			columns, opts := 40, []OutputOption(nil)
			if table {
				opts = append(opts, Table(columns, tableX, tableY))
			}
			out := output[byte](c, 10*columns, func(i int) int { return 0xA0 + i%7 }, opts...)
			for row := range 10 {
				for column := range columns {
					if i := row*columns + column; table && row < tableY && column < tableX || !table && i < tableX*tableY {
						*out.at(i) = byte(0xA0 + i%7)
					}
				}
			}
			return nil
		})
		expect(t, err, FirstBlockOnly)
	}
}

// Wrong totals tell how they came about.
func TestWrongTotals(t *testing.T) {
	prefix := func(x []float32, n int) (sum float32) {
		for _, v := range x[:min(n, len(x))] {
			sum += v
		}
		return sum
	}
	for _, k := range []struct {
		name   string
		reason Reason
		total  func(x []float32) float32
	}{
		{"one number a thread", OneEach, func(x []float32) float32 { return prefix(x, 3*blockSize) }},
		{"steps of a block", EachBlockAll, func(x []float32) (sum float32) {
			for b := 0; b < len(x); b += blockSize {
				sum += prefix(x[b:], len(x))
			}
			return sum
		}},
		{"each thread of a block", CountedOften, func(x []float32) float32 { return blockSize * prefix(x, len(x)) }},
		{"cut off", CutToWhole, func(x []float32) float32 { return float32(int(prefix(x, len(x)))) }},
	} {
		t.Run(k.name, func(t *testing.T) {
			expect(t, run("sum", blockSize, []int{10*blockSize + 7}, func(c *Case) error {
				x := c.Float32s(c.N)
				exact := 0.0
				for _, v := range x {
					exact += float64(v)
				}
				*output[float32](c, 1, func(int) float64 { return exact }, Total(x)).at(0) = k.total(x)
				return nil
			}), k.reason)
		})
	}
}

// Sums by atomic additions differ in their last digits from run to run: that is no race.
func TestRoundingIsNoRace(t *testing.T) {
	runs := 0
	expect(t, run("sum", blockSize, []int{1000}, func(c *Case) error {
		runs++
		x := c.Float32s(c.N)
		*output[float32](c, 1, func(int) float64 { return 1000 }, Total(x)).at(0) = 700 + float32(runs)*0x1p-10
		return nil
	}), WrongValues)
}

func TestPicture(t *testing.T) {
	o := &observation{n: 40, table: table{columns: 10}, count: 20, wrong: make([]bool, 40), poison: make([]bool, 40)}
	for i := range 10 {
		o.wrong[i], o.poison[i] = true, i < 5
		o.wrong[10*(i%4)+9] = true
	}
	const want = `
  where (. right, o unwritten, x wrong, * some of them):
  oooooxxxxx
  .........x
  .........x
  .........x`
	if got := o.picture(); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
	if o.count = 3; o.picture() != "" {
		t.Error("a picture of three elements")
	}
}

// A kernel that hangs on a GPU runs in check mode, whose finding says whether a barrier or a loop is the cause.
func TestHangElsewhere(t *testing.T) {
	for _, test := range []struct {
		message string
		line    int
		want    Reason
	}{
		{"thread (0,0,0) of block (0,0,0): the barrier waits for threads that never come", 3, Barrier},
		{"thread (0,0,0) of block (0,0,0): the thread goes round a loop that never ends and touches no memory: if it", 3, Hangs},
		{"thread (44,0,0) of block (1,0,0): the thread waits in a loop for memory to change", 3, Hangs},
		{"the kernel had not ended after 20s under check mode: threads wait for something that does not come", 0, Hangs},
	} {
		stop := make(chan struct{})
		c := inspection{
			name: "forever", block: blockSize, sizes: []int{5}, patience: 10 * time.Millisecond, elsewhere: true,
			interrupt: sync.OnceFunc(func() { close(stop) }),
			examine: func(func() error) (*check.Report, error) {
				return &check.Report{Findings: []check.Finding{{Kind: check.Deadlock, Kernel: "forever", Line: test.line, Message: test.message}}}, nil
			},
		}
		expect(t, c.run(func(*Case) error { <-stop; return errors.New("stopped") }), test.want)
	}
}
