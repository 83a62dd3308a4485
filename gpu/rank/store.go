package rank

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// The limits of a store.
const (
	maxValue    = 1 << 20
	maxStored   = 64 << 20 // of keys and values
	maxPiece    = 4 << 20  // of a contribution to a collective
	maxMembers  = 1 << 16
	maxWaiting  = 4096             // requests for one key, and rounds
	strangers   = 64               // connections beyond those of the ranks
	greetLimit  = 10 * time.Second // for the first messages
	farewell    = 2 * time.Second  // for the last ones
	silentLimit = 2 * time.Minute  // until data that another machine does not acknowledge end the connection
)

// A store is what rank 0 has for all ranks: keys with values, and the rounds. Each process has one connection, by whose end the store knows that
// of the process.
type store struct {
	world    World
	listener net.Listener
	serving  sync.WaitGroup

	mu      sync.Mutex
	conns   map[net.Conn]bool
	members []*member // by rank, nil before it has joined
	values  map[string][]byte
	stored  int
	gets    map[string][]waiter
	rounds  map[string]*round
	failed  string        // why the group cannot go on, or ""
	refused string        // why a process was last refused, or ""
	over    chan struct{} // closed when all other ranks have left or ended
	closed  bool
}

// A member is a process that has joined. The lock of the store is held where its fields change.
type member struct {
	rank        int
	from        string // its address
	out         outbox
	left, ended bool
}

// A waiter is a request that has not been answered.
type waiter struct {
	member *member
	id     uint64
}

func (w waiter) answer(m *message) {
	m.ID = w.id
	w.member.out.put(m)
}

// listen makes the store of rank 0. It listens on all of the machine's addresses, unless the store's is one that only this machine has.
func listen(ctx context.Context, w World) (*store, error) {
	address := w.Store
	if address == "" {
		address = "127.0.0.1:0"
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("the store's address is %q: want HOST:PORT", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && !(ip != nil && ip.IsLoopback()) {
		address = net.JoinHostPort("", port)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%w: another process listens there, maybe rank 0 of another job: set MASTER_PORT to a free port, for all ranks", err)
	}
	if err != nil {
		return nil, err
	}
	s := &store{
		world: w, listener: l, conns: map[net.Conn]bool{}, members: make([]*member, w.Size),
		values: map[string][]byte{}, gets: map[string][]waiter{}, rounds: map[string]*round{}, over: make(chan struct{}),
	}
	s.serving.Go(s.accept)
	return s, nil
}

// address returns where this process reaches its store.
func (s *store) address() string {
	a := s.listener.Addr().(*net.TCPAddr)
	if a.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", fmt.Sprint(a.Port))
	}
	return a.String()
}

func (s *store) accept() {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(10 * time.Millisecond) // of too many open files, say
			continue
		}
		s.mu.Lock()
		wanted := !s.closed && len(s.conns) < s.world.Size+strangers
		if wanted {
			s.conns[c] = true
		}
		s.mu.Unlock()
		if !wanted {
			c.Close()
			continue
		}
		s.serving.Go(func() {
			defer func() {
				c.Close()
				s.mu.Lock()
				delete(s.conns, c)
				s.mu.Unlock()
			}()
			s.serve(c)
		})
	}
}

// serve reads the requests of a connection.
func (s *store) serve(c net.Conn) {
	observe(c)
	m, err := s.greet(c)
	if err != nil {
		return
	}
	var writing sync.WaitGroup
	writing.Go(func() { m.out.send(c) })
	for {
		req, err := readMessage(c, maxPiece)
		if err != nil {
			break
		}
		s.handle(m, req)
	}
	s.end(m)
	m.out.close()
	writing.Wait()
}

// proof is what a process sends for the nonce of the store: only those that know the job's name can.
func proof(w World, nonce []byte) []byte {
	h := hmac.New(sha256.New, []byte(w.Job))
	h.Write(nonce)
	h.Write(binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(w.Rank)), uint64(w.Size)))
	return h.Sum(nil)
}

const nonceBytes = 32

// greet makes a connection that of a rank.
func (s *store) greet(c net.Conn) (*member, error) {
	if err := c.SetDeadline(time.Now().Add(greetLimit)); err != nil {
		return nil, err
	}
	nonce := make([]byte, nonceBytes)
	rand.Read(nonce)
	if err := (&message{Op: opHello, Key: protocol, data: nonce}).write(c); err != nil {
		return nil, err
	}
	hello, err := readMessage(c, sha256.Size)
	if err != nil {
		return nil, err
	}
	m, refusal := s.admit(hello, nonce, c.RemoteAddr().String())
	if refusal != nil {
		_ = (&message{ID: hello.ID, Error: refusal.Error()}).write(c)
		return nil, refusal
	}
	_ = c.SetDeadline(time.Time{}) // or reading fails
	m.out.put(&message{ID: hello.ID})
	return m, nil
}

// admit returns the process that a hello is from as a member, or why it is none.
func (s *store) admit(hello *message, nonce []byte, from string) (*member, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.admitted(hello, nonce, from)
	if err != nil {
		s.refused = fmt.Sprintf("%s was refused: %v", from, err)
	}
	return m, err
}

func (s *store) admitted(hello *message, nonce []byte, from string) (*member, error) {
	claimed := World{Rank: hello.Rank, Size: hello.Size, Job: s.world.Job}
	switch {
	case hello.Op != opHello:
		return nil, errors.New("its first message is no hello")
	case !hmac.Equal(hello.data, proof(claimed, nonce)):
		return nil, errors.New("the store is of another job, whose name is another: set MASTER_PORT, or GOPHERWARP_STORE, to an address of this job's own, and GOPHERWARP_JOB, if it is set, alike for all ranks")
	case hello.Size != s.world.Size:
		return nil, fmt.Errorf("rank %d says that there are %d ranks, rank 0 that there are %d: set the number of processes (WORLD_SIZE, srun -n, mpirun -n) alike for all", hello.Rank, hello.Size, s.world.Size)
	case hello.Rank < 0 || hello.Rank >= s.world.Size:
		return nil, fmt.Errorf("there is no rank %d: the numbers are 0 to %d", hello.Rank, s.world.Size-1)
	case s.members[hello.Rank] != nil:
		return nil, fmt.Errorf("rank %d has joined already, from %s: give each process a rank of its own (RANK), and each job an address and a name of its own (MASTER_PORT, GOPHERWARP_JOB)", hello.Rank, s.members[hello.Rank].from)
	case s.failed != "":
		return nil, errors.New(s.failed)
	}
	m := &member{rank: hello.Rank, from: from}
	m.out.init()
	s.members[hello.Rank] = m
	return m, nil
}

// handle answers a request, or keeps it until it can be answered.
func (s *store) handle(m *member, req *message) {
	s.mu.Lock()
	answer, done := s.answer(m, req)
	s.mu.Unlock()
	if done != nil {
		done.finish()
	}
	if answer != nil {
		waiter{m, req.ID}.answer(answer)
	}
}

// answer returns the answer to a request, or nil if it has to wait, and a round that the request completes. The lock is held.
func (s *store) answer(m *member, req *message) (*message, *round) {
	refuse := func(err error) (*message, *round) { return &message{Error: err.Error()}, nil }
	switch {
	case req.Op == opLeave:
		// First of all, as the store may end when all have left.
		waiter{m, req.ID}.answer(&message{})
		if m.left {
			return nil, nil
		}
		m.left = true // before the others are told of its error, which it knows
		if req.Error != "" {
			s.fail(fmt.Sprintf("rank %d has given up: %s", m.rank, req.Error))
		}
		s.leave(m)
		return nil, nil
	case req.Op == opMissing:
		return &message{Key: s.missing()}, nil
	case s.failed != "":
		return refuse(errors.New(s.failed))
	case len(req.Key) > maxKey:
		return refuse(fmt.Errorf("a key of %d bytes: it must have %d at most", len(req.Key), maxKey))
	}
	switch req.Op {
	case opSet:
		if err := s.set(req.Key, req.data); err != nil {
			return refuse(err)
		}
		return &message{}, nil
	case opGet, opLookup:
		v, found := s.values[req.Key]
		if found || req.Op == opLookup {
			return &message{Found: found, data: v}, nil
		}
		if s.alone() {
			return refuse(fmt.Errorf("key %q is not set, and the other ranks have left", req.Key))
		}
		if len(s.gets[req.Key]) >= maxWaiting {
			return refuse(fmt.Errorf("%d requests wait for key %q already", maxWaiting, req.Key))
		}
		s.gets[req.Key] = append(s.gets[req.Key], waiter{m, req.ID})
		return nil, nil
	case opDelete:
		s.remove(req.Key)
		return &message{}, nil
	case opCancel:
		w := waiter{m, req.ID}
		s.gets[req.Key] = slices.DeleteFunc(s.gets[req.Key], func(other waiter) bool { return other == w })
		if len(s.gets[req.Key]) == 0 {
			delete(s.gets, req.Key)
		}
		return nil, nil
	case opCall:
		done, err := s.contribute(m, req)
		if err != nil {
			return refuse(err)
		}
		return nil, done
	}
	return refuse(fmt.Errorf("there is no request %q", req.Op))
}

// set gives a key a value. The lock is held.
func (s *store) set(key string, value []byte) error {
	if len(value) > maxValue {
		return fmt.Errorf("a value of %d bytes: it must have %d at most; collectives send large data", len(value), maxValue)
	}
	s.remove(key)
	if s.stored+len(key)+len(value) > maxStored {
		return fmt.Errorf("the store is full: it has room for %d bytes; delete keys that are read no more", maxStored)
	}
	s.values[key] = value
	s.stored += len(key) + len(value)
	for _, w := range s.gets[key] {
		w.answer(&message{Found: true, data: value})
	}
	delete(s.gets, key)
	return nil
}

func (s *store) remove(key string) {
	if v, ok := s.values[key]; ok {
		s.stored -= len(key) + len(v)
		delete(s.values, key)
	}
}

// alone reports whether all ranks but one have left. The lock is held.
func (s *store) alone() bool {
	left := 0
	for _, m := range s.members {
		if m != nil && m.left {
			left++
		}
	}
	return left >= len(s.members)-1
}

// missing says which ranks have not joined, and whom the store has refused. The lock is held.
func (s *store) missing() string {
	var list []string
	for rank, m := range s.members {
		if m == nil {
			list = append(list, fmt.Sprint(rank))
		}
	}
	if len(list) == 0 {
		return ""
	}
	const most = 10
	if n := len(list); n > most {
		list = append(list[:most], fmt.Sprintf("… (%d)", n))
	}
	text := "rank " + list[0] + " has not joined"
	if len(list) > 1 {
		text = "ranks " + strings.Join(list, ", ") + " have not joined"
	}
	if s.refused != "" {
		text += "; " + s.refused
	}
	return text
}

// leave ends the membership of a process that says so. Who waits for it fails. The lock is held.
func (s *store) leave(m *member) {
	for name, r := range s.rounds {
		delete(s.rounds, name)
		for _, w := range r.waiting {
			w.answer(&message{Error: fmt.Sprintf("rank %d has left the group: all ranks must take part in a %s", m.rank, r.What)})
		}
	}
	if s.alone() {
		s.failGets("the other ranks have left")
	}
	s.checkOver()
}

// end handles the end of a connection. If the process has not left the group, the group cannot go on.
func (s *store) end(m *member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m.ended = true
	if !m.left && !s.closed {
		s.fail(fmt.Sprintf("rank %d (%s) has ended without leaving the group: its output says why", m.rank, m.from))
	}
	s.checkOver()
}

// checkOver closes over if all other ranks are gone. The lock is held.
func (s *store) checkOver() {
	for _, m := range s.members[1:] {
		if m != nil && !m.left && !m.ended {
			return
		}
	}
	select {
	case <-s.over:
	default:
		close(s.over)
	}
}

// fail ends all that processes wait for, for that reason, and tells them. Rank 0 is told last: it may exit at once, and the store with it. The lock is
// held.
func (s *store) fail(why string) {
	if s.failed != "" {
		return
	}
	s.failed = why
	var telling sync.WaitGroup
	told := make(chan struct{})
	if m := s.members[0]; m != nil {
		m.out.hold(told)
	}
	for _, m := range s.members {
		if m == nil || m.left || m.ended {
			continue
		}
		event := &message{Op: opEnded, Error: why}
		if m.rank > 0 {
			telling.Add(1)
			event.sent = telling.Done
		}
		m.out.put(event)
	}
	s.failGets(why)
	for _, r := range s.rounds {
		for _, w := range r.waiting {
			w.answer(&message{Error: why})
		}
	}
	clear(s.rounds)
	late := time.AfterFunc(farewell, func() { close(told) })
	go func() {
		telling.Wait()
		if late.Stop() {
			close(told)
		}
	}()
}

func (s *store) failGets(why string) {
	for key, list := range s.gets {
		for _, w := range list {
			w.answer(&message{Error: fmt.Sprintf("waiting for key %q: %s", key, why)})
		}
	}
	clear(s.gets)
}

// close ends the store, after what was put has been sent, or after a while. If why is not "", the members are told.
func (s *store) close(why string) {
	s.listener.Close()
	s.mu.Lock()
	if why != "" {
		s.fail(why)
	}
	s.closed = true
	for _, m := range s.members {
		if m != nil {
			m.out.close()
		}
	}
	s.mu.Unlock()
	// The members close their connections when they have read the last message.
	late := time.AfterFunc(farewell, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for c := range s.conns {
			c.Close()
		}
	})
	s.serving.Wait()
	late.Stop()
}

// observe makes the system notice that another machine has ended: it asks it from time to time, and waits for acknowledgements for a while only.
func observe(c net.Conn) {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return
	}
	_ = t.SetKeepAliveConfig(net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4})
	if raw, err := t.SyscallConn(); err == nil {
		const userTimeout = 18 // TCP_USER_TIMEOUT of Linux, which package syscall lacks
		_ = raw.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, int(silentLimit/time.Millisecond))
		})
	}
}
