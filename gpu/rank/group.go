package rank

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu"
)

// joinLimit is how long Join waits if its context has no deadline.
const joinLimit = 10 * time.Minute

// A Group is the processes of a world that have found each other. Its methods are safe for concurrent use.
type Group struct {
	world World
	store *store // of rank 0, or nil
	conn  net.Conn

	writing sync.Mutex

	mu       sync.Mutex
	next     uint64
	answers  map[uint64]chan *message
	rounds   map[string]int // how often each kind of call was made
	err      error          // why the group cannot be used, or nil
	devices  []*gpu.Device  // of communicators
	ended    chan struct{}  // closed when err is set
	readDone chan struct{}
}

// Join connects this process with the others of the world, and waits for them, for 10 minutes if ctx has no deadline. Rank 0 listens at
// the store's address. The others try to reach it until it does. A process of another job, or of a world of another size, is refused.
func Join(ctx context.Context, w World) (*Group, error) {
	g, err := join(ctx, w)
	if err != nil {
		return nil, fmt.Errorf("joining the ranks' group as rank %d of %d at %s: %w", w.Rank, w.Size, w.Store, err)
	}
	return g, nil
}

func join(ctx context.Context, w World) (*Group, error) {
	if w.Size < 1 || w.Size > maxSize || w.Rank < 0 || w.Rank >= w.Size {
		return nil, fmt.Errorf("there is no rank %d of %d: ranks are 0 to the number of processes less 1, of which there are %d at most", w.Rank, w.Size, maxSize)
	}
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, joinLimit)
		defer cancel()
	}
	g := &Group{world: w, answers: map[uint64]chan *message{}, rounds: map[string]int{}, ended: make(chan struct{}), readDone: make(chan struct{})}
	address := w.Store
	if w.Rank == 0 {
		s, err := listen(ctx, w)
		if err != nil {
			return nil, err
		}
		g.store, address = s, s.address()
	}
	var err error
	if g.conn, err = connect(ctx, w, address); err == nil {
		go g.read()
		if err = g.call(ctx, "joining"); err == nil {
			return g, nil
		}
		err = g.giveUp(err)
		g.conn.Close()
		<-g.readDone
	}
	if g.store != nil {
		g.store.close(fmt.Sprintf("rank 0 waits no more: %v", err))
	}
	return nil, err
}

// giveUp tells the others that this process does not join for that error, to which it adds which ranks are missing.
func (g *Group) giveUp(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		switch answer, failed := g.request(ctx, &message{Op: opMissing}); {
		case failed != nil:
			err = fmt.Errorf("%w (%w)", err, failed) // rank 0 waits no more either, and says why
		case answer.Key != "":
			err = fmt.Errorf("%s: %w", answer.Key, err)
		}
	}
	_, _ = g.request(ctx, &message{Op: opLeave, Error: err.Error()}) // the error is err
	g.fail(err)
	return err
}

// The times between attempts to connect.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// connect returns a connection to the store, which may not listen yet.
func connect(ctx context.Context, w World, address string) (net.Conn, error) {
	var last error // but for that of ctx's end
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		c, again, err := tryConnect(ctx, w, address)
		if err == nil || !again {
			return c, err
		}
		if slow := net.Error(nil); last == nil || !errors.As(err, &slow) || !slow.Timeout() {
			last = err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("rank 0 has no store there: %w (%w): start rank 0, or set MASTER_ADDR and MASTER_PORT to where it is", last, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// tryConnect is connect without a second attempt. It reports whether one may succeed after an error.
func tryConnect(ctx context.Context, w World, address string) (c net.Conn, again bool, err error) {
	dialer := net.Dialer{Timeout: greetLimit}
	if c, err = dialer.DialContext(ctx, "tcp", address); err != nil {
		return nil, true, err
	}
	observe(c)
	stop := context.AfterFunc(ctx, func() { c.Close() })
	again, err = greetStore(c, w)
	if err == nil && !stop() {
		err = ctx.Err()
	}
	if err != nil {
		stop()
		c.Close()
		return nil, again, err
	}
	return c, false, nil
}

// greetStore makes a connection to a store that of this process. It reports whether a second attempt may succeed after an error: what forwards
// connections to a store that is not there yet closes them.
func greetStore(c net.Conn, w World) (again bool, err error) {
	if err := c.SetDeadline(time.Now().Add(greetLimit)); err != nil {
		return true, err
	}
	greeting, err := readMessage(c, nonceBytes)
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		return false, errors.New("what listens there says nothing, and is no store of a rank 0: set MASTER_PORT to a port of this job's own")
	}
	if err != nil {
		return true, err
	}
	if greeting.Key != protocol {
		return false, fmt.Errorf("the store there speaks %q, this process %q: build all ranks' program with the same version of gopherwarp", greeting.Key, protocol)
	}
	if err := (&message{Op: opHello, Rank: w.Rank, Size: w.Size, data: proof(w, greeting.data)}).write(c); err != nil {
		return true, err
	}
	answer, err := readMessage(c, 0)
	if err != nil {
		return true, err
	}
	if answer.Error != "" {
		return false, errors.New(answer.Error)
	}
	return false, c.SetDeadline(time.Time{})
}

// read delivers answers until the connection ends.
func (g *Group) read() {
	defer close(g.readDone)
	for {
		m, err := readMessage(g.conn, maxData)
		if err != nil {
			g.fail(fmt.Errorf("rank 0, which has the store at %s, has ended: its output says why (%w)", g.world.Store, err))
			return
		}
		if m.Op == opEnded {
			g.fail(errors.New(m.Error))
			continue
		}
		g.mu.Lock()
		answer := g.answers[m.ID]
		delete(g.answers, m.ID)
		g.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// fail ends all waits with an error, unless the group has failed already.
func (g *Group) fail(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
		close(g.ended)
	}
}

// failure returns why the group cannot be used, or nil.
func (g *Group) failure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// request sends a request and waits for its answer.
func (g *Group) request(ctx context.Context, m *message) (*message, error) {
	answer := make(chan *message, 1)
	g.mu.Lock()
	if g.err != nil {
		g.mu.Unlock()
		return nil, g.err
	}
	g.next++
	m.ID = g.next
	g.answers[m.ID] = answer
	g.mu.Unlock()
	if err := g.send(m); err != nil {
		return nil, err
	}
	select {
	case a := <-answer:
		if a.Error != "" {
			return nil, errors.New(a.Error)
		}
		return a, nil
	case <-g.ended:
		select {
		case a := <-answer: // it came first, and may say more
			if a.Error == "" {
				return a, nil
			}
			return nil, errors.New(a.Error)
		default:
		}
		return nil, g.failure()
	case <-ctx.Done():
		g.mu.Lock()
		delete(g.answers, m.ID)
		g.mu.Unlock()
		if m.Op == opGet {
			_ = g.send(&message{Op: opCancel, ID: m.ID, Key: m.Key}) // the error is the context's
		}
		return nil, ctx.Err()
	}
}

// send writes a message.
func (g *Group) send(m *message) error {
	g.writing.Lock()
	defer g.writing.Unlock()
	if err := m.write(g.conn); err != nil {
		err = fmt.Errorf("the connection to rank 0's store at %s has ended: %w", g.world.Store, err)
		g.fail(err)
		return g.failure()
	}
	return nil
}

// turn returns the number of calls of that kind that this process has made, this one included.
func (g *Group) turn(kind string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rounds[kind]++
	return g.rounds[kind]
}

// call waits until all ranks have called it as often.
func (g *Group) call(ctx context.Context, kind string) error {
	_, err := g.gather(ctx, kind, nil)
	return err
}

// gather returns what the processes give, one after the other.
func (g *Group) gather(ctx context.Context, kind string, data []byte) ([]byte, error) {
	return g.exchange(ctx, kind, g.turn(kind), data)
}

// exchange is gather for the call with that number of its kind.
func (g *Group) exchange(ctx context.Context, kind string, turn int, data []byte) ([]byte, error) {
	round := fmt.Sprintf("%s %d", kind, turn)
	a, err := g.request(ctx, &message{Op: opCall, Call: &call{Round: round, What: kind, Member: g.world.Rank, Members: g.world.Size, Want: true}, data: data})
	if err != nil {
		return nil, err
	}
	return a.data, nil
}

// World returns this process's rank, and what else it knows of the processes.
func (g *Group) World() World { return g.world }

// Rank returns the number of this process, from 0 on.
func (g *Group) Rank() int { return g.world.Rank }

// Size returns the number of processes.
func (g *Group) Size() int { return g.world.Size }

// Barrier waits until all ranks have called it as often as this one. If ctx ends first, this rank counts as one that has called it.
func (g *Group) Barrier(ctx context.Context) error {
	return wrap(g.call(ctx, "barrier"), "waiting at a barrier of all ranks")
}

// Set gives a key a value in the store: 512 bytes and 1 MiB at most, and 64 MiB of all keys together.
func (g *Group) Set(ctx context.Context, key string, value []byte) error {
	if err := checkSizes(key, value); err != nil {
		return wrap(err, "setting a key")
	}
	_, err := g.request(ctx, &message{Op: opSet, Key: key, data: value})
	return wrap(err, "setting key %q", key)
}

// checkSizes returns an error for what would end the connection.
func checkSizes(key string, value []byte) error {
	switch {
	case len(key) > maxKey:
		return fmt.Errorf("a key of %d bytes: it must have %d at most", len(key), maxKey)
	case len(value) > maxValue:
		return fmt.Errorf("a value of %d bytes: it must have %d at most; collectives send large data", len(value), maxValue)
	}
	return nil
}

// Get waits until a rank has set the key, and returns its value.
func (g *Group) Get(ctx context.Context, key string) ([]byte, error) {
	if err := checkSizes(key, nil); err != nil {
		return nil, wrap(err, "waiting for a key")
	}
	a, err := g.request(ctx, &message{Op: opGet, Key: key})
	if err != nil {
		return nil, wrap(err, "waiting for key %q of the ranks' store", key)
	}
	return a.data, nil
}

// Lookup is like Get but does not wait: it reports whether the key is set.
func (g *Group) Lookup(ctx context.Context, key string) (value []byte, found bool, err error) {
	if err := checkSizes(key, nil); err != nil {
		return nil, false, wrap(err, "looking up a key")
	}
	a, err := g.request(ctx, &message{Op: opLookup, Key: key})
	if err != nil {
		return nil, false, wrap(err, "looking up key %q of the ranks' store", key)
	}
	return a.data, a.Found, nil
}

// Delete removes a key from the store, if it is set.
func (g *Group) Delete(ctx context.Context, key string) error {
	if err := checkSizes(key, nil); err != nil {
		return wrap(err, "deleting a key")
	}
	_, err := g.request(ctx, &message{Op: opDelete, Key: key})
	return wrap(err, "deleting key %q of the ranks' store", key)
}

func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

var errClosed = errors.New("the group was closed")

// Close waits for the devices of this rank's communicators, whose collectives other ranks may need, and leaves the group. Other ranks that
// wait for this one at a barrier or in a collective get an error. If a device has failed, or ctx ends first, the group has failed for the
// others, too. Rank 0, which has the store, waits until all others have left, or ctx ends. A process that ends without Close is taken for
// one that has failed: the others' waits end with an error.
func (g *Group) Close(ctx context.Context) error {
	if errors.Is(g.failure(), errClosed) {
		return wrap(errClosed, "leaving the ranks' group")
	}
	idle := g.awaitDevices(ctx)
	leave := &message{Op: opLeave}
	if idle != nil {
		leave.Error = idle.Error()
	}
	_, err := g.request(ctx, leave)
	err = errors.Join(idle, err)
	if g.store != nil {
		select {
		case <-g.store.over:
		case <-ctx.Done():
			err = errors.Join(err, ctx.Err())
		}
	}
	g.fail(errClosed)
	g.conn.Close()
	<-g.readDone
	if g.store != nil {
		g.store.close("")
	}
	return wrap(err, "leaving the ranks' group")
}

// awaitDevices waits for the devices of communicators. It returns the error of one that has failed, or of ctx.
func (g *Group) awaitDevices(ctx context.Context) error {
	g.mu.Lock()
	devices := g.devices
	g.mu.Unlock()
	var errs []error
	for _, d := range devices {
		if err := d.SyncContext(ctx); err != nil {
			errs = append(errs, fmt.Errorf("waiting for %s: %w", d.Name(), err))
		}
	}
	return errors.Join(errs...)
}
