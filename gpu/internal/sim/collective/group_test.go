package collective

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/gopherwarp/gopherwarp/gpu/internal/routine"
)

// members runs f as each of the members of one group, whose slots are so small that the data need
// several pieces.
func members(t *testing.T, size int, f func(rank int, g *Group) error) {
	t.Helper()
	shared := make([]byte, headerBytes+size*128)
	var wg sync.WaitGroup
	for rank := range size {
		wg.Go(func() {
			g, err := New(shared, rank, size)
			if err != nil {
				t.Error(err)
				return
			}
			g.Join()
			if err := f(rank, g); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func bytesOf(s []int32) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), 4*len(s)) }

// ramp returns n numbers that differ among members.
func ramp(rank, n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = int32(1000*rank + i)
	}
	return s
}

func TestCollect(t *testing.T) {
	const size, n = 3, 101
	sum := ramp(0, n)
	for i := range sum {
		sum[i] = 3*sum[i] + 3000
	}
	gathered := slices.Concat(ramp(0, n), ramp(1, n), ramp(2, n))
	members(t, size, func(rank int, g *Group) error {
		for range 20 { // members that are ahead must not affect those behind
			check := func(what string, got, want []int32) {
				if !slices.Equal(got, want) {
					t.Errorf("%s, member %d: got %v, want %v", what, rank, got, want)
				}
			}
			collect := func(kind routine.CollectiveKind, n, root int, dst, src []int32) {
				if err := g.Collect(&routine.Collective{Kind: kind, Type: routine.Int32, Root: root, N: n}, bytesOf(dst), bytesOf(src)); err != nil {
					t.Error(err)
				}
			}
			got := make([]int32, n)
			collect(routine.AllReduce, n, 0, got, ramp(rank, n))
			check("all-reduce", got, sum)
			inPlace := ramp(rank, n)
			collect(routine.AllReduce, n, 0, inPlace, inPlace)
			check("all-reduce in place", inPlace, sum)
			got = ramp(9, n)
			collect(routine.Reduce, n, 2, got, ramp(rank, n))
			if rank == 2 {
				check("reduce", got, sum)
			} else {
				check("reduce", got, ramp(9, n))
			}
			collect(routine.Broadcast, n, 1, got, ramp(rank, n))
			check("broadcast", got, ramp(1, n))
			all := make([]int32, size*n)
			collect(routine.AllGather, n, 0, all, ramp(rank, n))
			check("gather", all, gathered)
			const third = 30
			part := make([]int32, third)
			collect(routine.ReduceScatter, third, 0, part, ramp(rank, size*third))
			want := ramp(0, size*third)[rank*third:][:third]
			for i := range want {
				want[i] = 3*want[i] + 3000
			}
			check("reduce and scatter", part, want)
			// A ring; the first member sends first.
			got = make([]int32, n)
			if rank == 0 {
				collect(routine.Send, n, 1, got, ramp(rank, n))
				collect(routine.Receive, n, 2, got, got)
			} else {
				collect(routine.Receive, n, rank-1, got, got)
				collect(routine.Send, n, (rank+1)%size, got, ramp(rank, n))
			}
			check("ring", got, ramp((rank+2)%size, n))
		}
		return nil
	})
}

func TestRefuse(t *testing.T) {
	for say, f := range map[string]func() error{
		"at most 64":  func() error { _, err := New(make([]byte, 1<<20), 0, 65); return err },
		"member 3":    func() error { _, err := New(make([]byte, 1<<20), 3, 3); return err },
		"too few for": func() error { _, err := New(make([]byte, headerBytes+100), 0, 2); return err },
		"no collective": func() error {
			g, _ := New(make([]byte, 1<<20), 0, 1)
			return g.Collect(&routine.Collective{Type: routine.Int8}, nil, nil)
		},
		"complex64": func() error {
			g, _ := New(make([]byte, 1<<20), 0, 1)
			return g.Collect(&routine.Collective{Kind: routine.Send, Type: routine.Complex64}, nil, nil)
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("got %v, want %q", err, say)
		}
	}
}
