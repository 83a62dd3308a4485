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

// TestStalledSubscriberIsCutOff fills the buffers of a subscriber that never reads. Another one
// must still get everything.
func TestStalledSubscriberIsCutOff(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "gw") // t.TempDir is too long for a unix socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	addr := filepath.Join(dir, "s")
	e, err := listen(t.Context(), xpubSocket, "unix", addr, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	subscribed := make(chan *peer, 2)
	e.start(func(p *peer, _ [][]byte) {
		subscribed <- p
	})
	pub := newIOPub(e, "s", nil, slog.New(slog.DiscardHandler))
	subscribe := func(patience time.Duration) *peer {
		rw, err := net.Dial("unix", addr)
		if err != nil {
			t.Fatal(err)
		}
		p, err := openPeer(rw, subSocket, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := p.send([][]byte{{1}}); err != nil {
			t.Fatal(err)
		}
		there := <-subscribed
		there.patience = patience // before anything is written
		pub.handle(there, [][]byte{{1}})
		return p
	}
	stalled, reader := subscribe(50*time.Millisecond), subscribe(writeTimeout)
	defer stalled.close()
	defer reader.close()

	const messages, size = 20, 1 << 20
	got := make(chan int)
	go func() {
		n := 0
		for range messages + 1 { // and the welcome
			if _, err := reader.receive(); err != nil {
				break
			}
			n++
		}
		got <- n
	}()
	text := string(bytes.Repeat([]byte("x"), size))
	for range messages {
		pub.send("stream", nil, map[string]any{"name": "stdout", "text": text})
	}
	if n := <-got; n != messages+1 {
		t.Errorf("the reader got %d messages, want %d", n, messages+1)
	}
	for len(e.peers()) > 1 {
		time.Sleep(time.Millisecond) // the cut connection's goroutine notices
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
	pub := newIOPub(nil, "s", nil, slog.New(slog.DiscardHandler))
	near, far := net.Pipe()
	defer near.Close()
	go io.Copy(io.Discard, far) // the welcomes
	p := &peer{rw: near, patience: writeTimeout, topics: make(map[string]bool)}
	pub.handle(p, [][]byte{append([]byte{1}, make([]byte, maxTopicBytes+1)...)})
	if len(p.topics) != 0 {
		t.Error("a topic of any length is taken")
	}
	for i := range 2 * maxTopics {
		pub.handle(p, [][]byte{fmt.Appendf([]byte{1}, "%d", i)})
	}
	if len(p.topics) != maxTopics {
		t.Errorf("%d topics, want %d", len(p.topics), maxTopics)
	}
	pub.handle(p, [][]byte{[]byte("\x000")})
	pub.handle(p, [][]byte{[]byte("\x01new")})
	if !p.topics["new"] {
		t.Error("there is no room after an unsubscription")
	}
}
