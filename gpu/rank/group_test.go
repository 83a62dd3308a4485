package rank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// freeAddress returns an address of this machine at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// limit returns a context that ends a test that hangs.
func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// worlds returns the worlds of the ranks of a job.
func worlds(t *testing.T, size int) []World {
	address := freeAddress(t)
	var list []World
	for i := range size {
		list = append(list, World{Rank: i, Size: size, LocalRank: i, Store: address, Job: t.Name()})
	}
	return list
}

// joined returns the groups of all ranks of a job.
func joined(t *testing.T, size int) []*Group {
	t.Helper()
	list := make([]*Group, size)
	var wg sync.WaitGroup
	for i, w := range worlds(t, size) {
		wg.Go(func() {
			var err error
			if list[i], err = Join(limit(t), w); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	t.Cleanup(func() {
		for _, g := range list {
			g.fail(errClosed)
			g.conn.Close()
		}
		list[0].store.close("")
	})
	return list
}

// each runs f as each rank, at the same time.
func each(groups []*Group, f func(g *Group)) {
	var wg sync.WaitGroup
	for _, g := range groups {
		wg.Go(func() { f(g) })
	}
	wg.Wait()
}

// wantError checks that an error has each of the texts.
func wantError(t *testing.T, err error, say ...string) {
	t.Helper()
	for _, text := range say {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("got error %v\nwant one with %q", err, text)
		}
	}
}

func TestStore(t *testing.T) {
	ctx := limit(t)
	groups := joined(t, 3)
	each(groups, func(g *Group) {
		key := fmt.Sprint("of ", g.Rank())
		if err := g.Set(ctx, key, []byte(key)); err != nil {
			t.Error(err)
		}
		for i := range 3 {
			want := fmt.Sprint("of ", i)
			if got, err := g.Get(ctx, want); err != nil || string(got) != want {
				t.Errorf("rank %d got %q, %v; want %q", g.Rank(), got, err, want)
			}
		}
		if err := g.Barrier(ctx); err != nil {
			t.Error(err)
		}
		if g.Rank() == 1 {
			if err := g.Delete(ctx, "of 1"); err != nil {
				t.Error(err)
			}
		}
		if err := g.Barrier(ctx); err != nil {
			t.Error(err)
		}
		if v, found, err := g.Lookup(ctx, "of 1"); found || err != nil {
			t.Errorf("a deleted key has value %q, %v", v, err)
		}
		if v, found, err := g.Lookup(ctx, "of 2"); string(v) != "of 2" || !found || err != nil {
			t.Errorf("got %q, %v, %v", v, found, err)
		}
		short, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		_, err := g.Get(short, "of nobody")
		if wantError(t, err, `waiting for key "of nobody"`); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error", err)
		}
		if err := g.Barrier(ctx); err != nil {
			t.Error(err)
		}
		if err := g.Close(ctx); err != nil {
			t.Errorf("rank %d: %v", g.Rank(), err)
		}
		wantError(t, g.Barrier(ctx), "closed")
		wantError(t, g.Close(ctx), "closed")
	})
}

func TestAlone(t *testing.T) {
	ctx := limit(t)
	g, err := Join(ctx, World{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(g.Set(ctx, "k", nil), g.Barrier(ctx)); err != nil {
		t.Error(err)
	}
	if v, err := g.Get(ctx, "k"); err != nil || len(v) != 0 {
		t.Errorf("got %q, %v", v, err)
	}
	_, err = g.Get(ctx, "other")
	wantError(t, err, "not set, and the other ranks have left")
	if err := g.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestLate starts rank 0 when the others have tried to reach it for a while.
func TestLate(t *testing.T) {
	ctx := limit(t)
	list := worlds(t, 3)
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if i == 0 {
				if _, again, err := tryConnect(ctx, list[1], list[1].Store); err == nil || !again {
					t.Errorf("before there is a store: %v", err)
				}
				time.Sleep(3 * firstPause) // the others have tried
			}
			g, err := Join(ctx, list[i])
			if err != nil {
				t.Error(err)
				return
			}
			if err := g.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

func TestMissing(t *testing.T) {
	list := worlds(t, 4)
	errs := make([]error, 3)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, errs[i] = Join(ctx, list[i])
		})
	}
	wg.Go(func() { // one that is refused meanwhile
		w := list[2]
		w.Size = 5
		_, errs[2] = Join(limit(t), w)
	})
	wg.Wait()
	wantError(t, errs[0], "as rank 0 of 4 at "+list[0].Store, "ranks 2, 3 have not joined", "says that there are 5 ranks")
	wantError(t, errs[1], "ranks 2, 3 have not joined")
	wantError(t, errs[2], "rank 2 says that there are 5 ranks, rank 0 that there are 4: set the number of processes")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := Join(ctx, list[1])
	wantError(t, err, "rank 0 has no store there", "refused", "set MASTER_ADDR and MASTER_PORT")
}

func TestSecondJob(t *testing.T) {
	first := joined(t, 2)
	ctx := limit(t)
	w := first[1].world
	_, err := Join(ctx, w)
	wantError(t, err, "rank 1 has joined already, from 127.0.0.1:")
	w.Job = "another"
	_, err = Join(ctx, w)
	wantError(t, err, "the store is of another job")
	w.Rank = 0
	_, err = Join(ctx, w)
	wantError(t, err, "address already in use", "another process listens there", "set MASTER_PORT")
	if err := errors.Join(first[0].Set(ctx, "k", nil), first[1].Set(ctx, "k", nil)); err != nil {
		t.Errorf("the first job: %v", err)
	}
}

// TestEnded ends processes while others wait for them.
func TestEnded(t *testing.T) {
	for name, wait := range map[string]func(g *Group, ctx context.Context) error{
		"barrier": (*Group).Barrier,
		"key":     func(g *Group, ctx context.Context) error { _, err := g.Get(ctx, "k"); return err },
	} {
		for rank, say := range map[int]string{0: "rank 0", 2: "rank 2 (127.0.0.1:"} {
			t.Run(fmt.Sprintf("rank %d, %s", rank, name), func(t *testing.T) {
				ctx := limit(t)
				groups := joined(t, 3)
				each(groups, func(g *Group) {
					if g.Rank() != rank {
						wantError(t, wait(g, ctx), say, "has ended")
						wantError(t, g.Set(ctx, "k", nil), say, "has ended")
						return
					}
					time.Sleep(20 * time.Millisecond)
					g.conn.Close()
					if g.store != nil { // as the system does
						g.store.mu.Lock()
						g.store.closed = true
						for c := range g.store.conns {
							c.Close()
						}
						g.store.mu.Unlock()
						g.store.listener.Close()
					}
				})
			})
		}
	}
}

func TestLeft(t *testing.T) {
	ctx := limit(t)
	groups := joined(t, 3)
	var told sync.WaitGroup // that rank 1 has left, before another one leaves, too
	told.Add(2)
	each(groups, func(g *Group) {
		if g.Rank() == 1 {
			if err := g.Close(ctx); err != nil {
				t.Error(err)
			}
			return
		}
		wantError(t, g.Barrier(ctx), "rank 1 has left the group")
		told.Done()
		told.Wait()
		wantError(t, g.Barrier(ctx), "has left the group")
		if err := g.Set(ctx, "k", nil); err != nil {
			t.Error(err)
		}
		if g.Rank() == 2 {
			_, err := g.Get(ctx, "nobody's")
			wantError(t, err, "the other ranks have left")
		}
		if err := g.Close(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestBounds(t *testing.T) {
	ctx := limit(t)
	g := joined(t, 1)[0]
	wantError(t, g.Set(ctx, strings.Repeat("k", maxKey+1), nil), "a key of 513 bytes")
	wantError(t, g.Set(ctx, "k", make([]byte, maxValue+1)), "a value of 1048577 bytes")
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = g.Set(ctx, fmt.Sprint(n), make([]byte, maxValue))
	}
	if wantError(t, err, "the store is full"); n != 64 {
		t.Errorf("the store has room for %d values of 1 MiB", n)
	}
	if err := errors.Join(g.Delete(ctx, "0"), g.Set(ctx, "new", []byte("v"))); err != nil {
		t.Error(err)
	}
}

// TestKeys has keys that are no text, and one that no message has room for.
func TestKeys(t *testing.T) {
	ctx := limit(t)
	g := joined(t, 1)[0]
	keys := []string{"\xff", "\xfe", "\uFFFD", "a\x00<", strings.Repeat("\x01", maxKey), ""}
	for i, key := range keys {
		if err := g.Set(ctx, key, []byte{byte(i)}); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
	for i, key := range keys {
		if v, err := g.Get(ctx, key); err != nil || !slices.Equal(v, []byte{byte(i)}) {
			t.Errorf("%q: got %v, %v; want %d", key, v, err, i)
		}
	}
	long := strings.Repeat("k", 2*maxHeader)
	_, err := g.Get(ctx, long)
	wantError(t, err, "a key of 16384 bytes")
	_, _, err = g.Lookup(ctx, long)
	wantError(t, err, "a key of 16384 bytes")
	wantError(t, g.Delete(ctx, long), "a key of 16384 bytes")
	if err := g.Barrier(ctx); err != nil {
		t.Errorf("after a key that is too long: %v", err)
	}
}

// TestStrangers sends the store what is of no rank.
func TestStrangers(t *testing.T) {
	ctx := limit(t)
	groups := joined(t, 2)
	for name, data := range map[string][]byte{
		"HTTP":      []byte("GET / HTTP/1.1\r\n\r\n"),
		"too long":  {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
		"much data": {2, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f, '{', '}'},
		"no JSON":   {2, 0, 0, 0, 0, 0, 0, 0, '}', '{'},
	} {
		c, err := net.Dial("tcp", groups[0].world.Store)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(data); err != nil {
			t.Error(err)
		}
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) || err != nil && strings.Contains(err.Error(), "timeout") {
			t.Errorf("%s: the connection stays: %v", name, err)
		}
		c.Close()
	}
	each(groups, func(g *Group) {
		if err := g.Barrier(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestForeignStore joins where something else listens.
func TestForeignStore(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			var b bytes.Buffer
			_ = (&message{Op: opHello, Key: "gopherwarp-rank/0", data: make([]byte, nonceBytes)}).write(&b)
			_, _ = c.Write(b.Bytes())
		}
	}()
	_, err = Join(limit(t), World{Rank: 1, Size: 2, Store: l.Addr().String()})
	wantError(t, err, `speaks "gopherwarp-rank/0"`, "the same version")
}

func TestDifferentCalls(t *testing.T) {
	ctx := limit(t)
	each(joined(t, 2), func(g *Group) {
		_, err := g.request(ctx, &message{Op: opCall, Call: &call{Round: "r", What: fmt.Sprint("call ", g.Rank()), Member: g.Rank(), Members: 2}})
		wantError(t, err, "calls call", "where rank", "the same calls in the same order")
	})
}
