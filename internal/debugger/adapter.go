package debugger

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/framing"
)

const (
	// startLimit is how long delve may take to start.
	startLimit = 20 * time.Second
	// endLimit is how long it may take to end once it is done.
	endLimit = 5 * time.Second
)

// errEnded says that delve has ended.
var errEnded = errors.New("the debugger (delve) ended")

// object is a JSON object.
type object = map[string]any

// adapter is a running delve.
type adapter struct {
	cmd    *exec.Cmd
	conn   net.Conn
	events func(name string, body json.RawMessage) // called in the order of the events
	ended  chan struct{}                           // closed when no message will come any more

	mu      sync.Mutex
	seq     int
	pending map[int]chan message
}

// message is one of the Debug Adapter Protocol.
type message struct {
	Seq       int             `json:"seq"`
	Type      string          `json:"type"`
	Command   string          `json:"command,omitempty"`
	Arguments any             `json:"arguments,omitempty"`
	Request   int             `json:"request_seq,omitempty"`
	Success   bool            `json:"success,omitempty"`
	Message   string          `json:"message,omitempty"`
	Event     string          `json:"event,omitempty"`
	Body      json.RawMessage `json:"body,omitempty"`
}

// startAdapter starts delve and waits until it can be spoken to.
func startAdapter(program string, events func(string, json.RawMessage)) (*adapter, error) {
	// It is told where to connect to, so that nobody else can.
	dir, err := os.MkdirTemp("", "gopherwarp-dlv-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the debugger: %w", err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "dap")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("make a socket for the debugger: %w", err)
	}
	defer listener.Close()
	cmd := exec.Command(program, "dap", "--client-addr=unix:"+socket)
	// A group of its own keeps a Ctrl-C in the kernel's terminal away from it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the debugger: %w", err)
	}
	_ = listener.SetDeadline(time.Now().Add(startLimit))
	conn, err := listener.Accept()
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, fmt.Errorf("start the debugger %s: %w", program, err)
	}
	a := &adapter{cmd: cmd, conn: conn, events: events, ended: make(chan struct{}), pending: map[int]chan message{}}
	go a.read()
	return a, nil
}

func (a *adapter) read() {
	defer close(a.ended)
	in := bufio.NewReader(a.conn)
	for {
		var m message
		if err := framing.Read(in, &m); err != nil {
			return
		}
		switch m.Type {
		case "event":
			a.events(m.Event, m.Body)
		case "response":
			a.mu.Lock()
			waiting := a.pending[m.Request]
			delete(a.pending, m.Request)
			a.mu.Unlock()
			if waiting != nil {
				waiting <- m
			}
		}
	}
}

// request asks delve. The body of its answer goes to reply unless that is nil.
func (a *adapter) request(ctx context.Context, command string, arguments, reply any) error {
	answer := make(chan message, 1)
	if err := a.send(command, arguments, answer); err != nil {
		return fmt.Errorf("ask the debugger: %w", err)
	}
	select {
	case m := <-answer:
		if !m.Success {
			return m.failure()
		}
		if reply == nil {
			return nil
		}
		return json.Unmarshal(m.Body, reply)
	case <-a.ended:
		return errEnded
	case <-ctx.Done():
		return fmt.Errorf("the debugger did not answer %s: %w", command, ctx.Err())
	}
}

func (a *adapter) send(command string, arguments any, answer chan message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seq++
	a.pending[a.seq] = answer
	return framing.Write(a.conn, message{Seq: a.seq, Type: "request", Command: command, Arguments: arguments})
}

// failure is why a request failed.
func (m message) failure() error {
	var body struct{ Error struct{ Format string } }
	if json.Unmarshal(m.Body, &body) == nil && body.Error.Format != "" {
		return errors.New(body.Error.Format)
	}
	return errors.New(m.Message)
}

// close ends delve, which must not be attached to anything any more.
func (a *adapter) close() {
	a.conn.Close()
	gone := time.AfterFunc(endLimit, func() { _ = a.cmd.Process.Kill() })
	defer gone.Stop()
	_ = a.cmd.Wait()
}
