package kernel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// publisher is an iopub with its socket, which subscribers can dial.
type publisher struct {
	t *testing.T
	*iopub
	addr       string
	subscribed chan *peer
}

func newPublisher(t *testing.T) *publisher {
	dir, err := os.MkdirTemp("/tmp", "gw") // t.TempDir is too long for a unix socket
	if err != nil {
		t.Fatal(err)
	}
	p := &publisher{t: t, addr: filepath.Join(dir, "s"), subscribed: make(chan *peer)}
	e, err := listen(t.Context(), xpubSocket, "unix", p.addr, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	close(done)
	t.Cleanup(func() {
		e.close(done)
		os.RemoveAll(dir)
	})
	p.iopub = newIOPub(e, "s", nil, slog.New(slog.DiscardHandler), slog.New(slog.DiscardHandler))
	e.start(func(from *peer, frames [][]byte) {
		p.handle(from, frames, "idle")
		p.subscribed <- from
	})
	return p
}

// subscribe returns both ends of a new subscription.
func (p *publisher) subscribe() (here, there *peer) {
	p.t.Helper()
	rw, err := net.Dial("unix", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	if here, err = openPeer(rw, subSocket, ""); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(here.close)
	if err := here.send([][]byte{{1}}); err != nil {
		p.t.Fatal(err)
	}
	return here, <-p.subscribed
}

// show sends what a cell shows.
func (p *publisher) show(text string) {
	p.makeRoom()
	p.send("stream", nil, map[string]any{"name": "stdout", "text": text})
}

// read counts the messages that a subscriber gets until there are n.
func read(p *peer, n int) <-chan int {
	got := make(chan int, 1)
	go func() {
		i := 0
		for ; i < n; i++ {
			if _, err := p.receive(); err != nil {
				break
			}
		}
		got <- i
	}()
	return got
}

// waits reports how long cells have waited for a peer, and why it was dropped.
func (p *peer) waits() (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slow, p.closed
}

// TestMuteSubscriber has a subscriber that never reads. Cells don't wait for it before much is queued, and then for a
// while, once. Another one gets everything.
func TestMuteSubscriber(t *testing.T) {
	pub := newPublisher(t)
	_, mute := pub.subscribe()
	reader, _ := pub.subscribe()
	mute.patience = 50 * time.Millisecond
	const messages, size = 80, 1 << 20
	got := read(reader, messages+1) // with the welcome
	text := string(bytes.Repeat([]byte("x"), size))
	for i := range messages {
		pub.show(text)
		if slow, _ := mute.waits(); i < enoughQueued/size-1 && slow != 0 {
			t.Fatalf("message %d waited for %v", i, slow)
		}
	}
	if n := <-got; n != messages+1 {
		t.Errorf("the reader got %d messages, want %d", n, messages+1)
	}
	if _, why := mute.waits(); !errors.Is(why, errPeerSlow) {
		t.Errorf("the mute subscriber ended by: %v", why)
	}
	<-mute.done
}

// TestSlowSubscriber reads only when the queue is full. Nothing may be lost.
func TestSlowSubscriber(t *testing.T) {
	pub := newPublisher(t)
	here, there := pub.subscribe()
	const messages, size = 100, 1 << 20
	text := string(bytes.Repeat([]byte("x"), size))
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for range messages {
			pub.show(text)
		}
	}()
	for slow, _ := there.waits(); slow == 0; slow, _ = there.waits() {
		there.mu.Lock()
		full, change := there.queued > enoughQueued, there.change
		there.mu.Unlock()
		if full {
			break
		}
		<-change
	}
	if n := <-read(here, messages+1); n != messages+1 {
		t.Errorf("%d messages came, want %d", n, messages+1)
	}
	<-sent
	if _, why := there.waits(); why != nil {
		t.Error(why)
	}
}

// TestNothingElseWaits sends what is no cell's output to a subscriber that does not read, from a goroutine that must not
// stop.
func TestNothingElseWaits(t *testing.T) {
	pub := newPublisher(t)
	_, mute := pub.subscribe()
	mute.patience = time.Hour
	text := string(bytes.Repeat([]byte("x"), 1<<20))
	for range 2 * maxQueued >> 20 {
		pub.send("status", nil, map[string]any{"text": text})
	}
	if slow, why := mute.waits(); slow != 0 || !errors.Is(why, errPeerSlow) {
		t.Errorf("waited for %v, dropped by: %v", slow, why)
	}
}

func TestDialGivesUpWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	_, err := Dial(ctx, NewIPCConnection("/nowhere"))
	if err == nil || !bytes.Contains([]byte(err.Error()), []byte("enough")) {
		t.Errorf("error = %v", err)
	}
}

// TestSubscriptionsAreBounded has a stranger subscribe without end.
func TestSubscriptionsAreBounded(t *testing.T) {
	pub := newIOPub(nil, "s", nil, slog.New(slog.DiscardHandler), slog.New(slog.DiscardHandler))
	near, far := net.Pipe()
	defer near.Close()
	go io.Copy(io.Discard, far) // the welcomes
	p := newPeer(near, nil, "")
	defer p.close()
	pub.handle(p, [][]byte{append([]byte{1}, make([]byte, maxTopicBytes+1)...)}, "idle")
	if len(p.topics) != 0 {
		t.Error("a topic of any length is taken")
	}
	for i := range 2 * maxTopics {
		pub.handle(p, [][]byte{fmt.Appendf([]byte{1}, "%d", i)}, "idle")
	}
	if len(p.topics) != maxTopics {
		t.Errorf("%d topics, want %d", len(p.topics), maxTopics)
	}
	pub.handle(p, [][]byte{[]byte("\x000")}, "idle")
	pub.handle(p, [][]byte{[]byte("\x01new")}, "idle")
	if !p.topics["new"] {
		t.Error("there is no room after an unsubscription")
	}
}

// TestStrangersAreBounded connects more strangers than a socket takes. A peer that has signed a message stays.
func TestStrangersAreBounded(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "gw")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, tt := range []struct {
		typ, peer socketType
		most      int
	}{{routerSocket, dealerSocket, maxStrangers + 1}, {xpubSocket, subSocket, maxPlain}, {repSocket, dealerSocket, maxPlain}} {
		addr := filepath.Join(dir, string(tt.typ))
		e, err := listen(t.Context(), tt.typ, "unix", addr, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		heard := make(chan *peer, 1)
		e.start(func(p *peer, _ [][]byte) {
			p.trust()
			heard <- p
		})
		connect := func() *peer {
			rw, err := net.Dial("unix", addr)
			if err != nil {
				t.Fatal(err)
			}
			p, err := openPeer(rw, tt.peer, "")
			if err != nil {
				return nil // refused
			}
			t.Cleanup(p.close)
			return p
		}
		friend := connect()
		if err := friend.send([][]byte{[]byte("hello")}); err != nil {
			t.Fatal(err)
		}
		there := <-heard
		for range 2 * tt.most {
			connect()
			if n := len(e.peers()); n > tt.most {
				t.Fatalf("%s: %d connections, want at most %d", tt.typ, n, tt.most)
			}
		}
		if err := friend.send([][]byte{[]byte("still here")}); err != nil {
			t.Error(err)
		}
		if p := <-heard; p != there {
			t.Errorf("%s: a message of another", tt.typ)
		}
		done := make(chan struct{})
		close(done)
		e.close(done)
	}
}
