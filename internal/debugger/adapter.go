package debugger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/google/go-dap"
)

const (
	// startLimit is the maximum time for the start of delve.
	startLimit = 20 * time.Second
	// endLimit is the maximum time for its exit after the connection was closed.
	endLimit = 5 * time.Second
)

// errEnded is the error of requests after delve has exited.
var errEnded = errors.New("the debugger (delve) ended")

// adapter is a running delve.
type adapter struct {
	cmd    *exec.Cmd
	conn   net.Conn
	events func(dap.EventMessage) // called for each event, in their order
	ended  chan struct{}          // closed after the last message

	mu      sync.Mutex
	seq     int
	pending map[int]chan dap.ResponseMessage
}

// startAdapter starts delve and waits until it has connected. It calls events for each event.
func startAdapter(program string, events func(dap.EventMessage)) (*adapter, error) {
	// Delve connects to a socket in a new directory, which other users can't open.
	dir, err := os.MkdirTemp("", "gopherwarp-dlv-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the debugger: %w", err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "dap")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("make a socket for the debugger: %w", err)
	}
	defer listener.Close()
	cmd := exec.Command(program, "dap", "--client-addr=unix:"+socket)
	// In a group of its own it does not receive a Ctrl-C in the kernel's terminal.
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
	a := &adapter{cmd: cmd, conn: conn, events: events, ended: make(chan struct{}), pending: map[int]chan dap.ResponseMessage{}}
	go a.read()
	return a, nil
}

func (a *adapter) read() {
	defer close(a.ended)
	in := bufio.NewReader(a.conn)
	for {
		message, err := dap.ReadProtocolMessage(in)
		if unknown := (*dap.DecodeProtocolMessageFieldError)(nil); errors.As(err, &unknown) {
			continue // an extension of delve, which is not used here
		}
		if err != nil {
			return
		}
		switch message := message.(type) {
		case dap.EventMessage:
			a.events(message)
		case dap.ResponseMessage:
			a.mu.Lock()
			waiting := a.pending[message.GetResponse().RequestSeq]
			delete(a.pending, message.GetResponse().RequestSeq)
			a.mu.Unlock()
			if waiting != nil {
				waiting <- message
			}
		}
	}
}

// request sends a request to delve and returns its response.
func (a *adapter) request(ctx context.Context, q dap.RequestMessage) (dap.ResponseMessage, error) {
	answer := make(chan dap.ResponseMessage, 1)
	if err := a.send(q, answer); err != nil {
		return nil, fmt.Errorf("ask the debugger: %w", err)
	}
	select {
	case m := <-answer:
		return m, failure(m)
	case <-a.ended:
		return nil, errEnded
	case <-ctx.Done():
		return nil, fmt.Errorf("the debugger did not answer %s: %w", q.GetRequest().Command, ctx.Err())
	}
}

// send numbers a request and sends it. The response is sent to answer, which must be buffered.
func (a *adapter) send(q dap.RequestMessage, answer chan dap.ResponseMessage) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seq++
	q.GetRequest().Seq = a.seq
	a.pending[a.seq] = answer
	return dap.WriteProtocolMessage(a.conn, q)
}

// command returns the common fields of a request.
func command(name string) dap.Request {
	return dap.Request{ProtocolMessage: dap.ProtocolMessage{Type: "request"}, Command: name}
}

// failure returns the error in a response, or nil.
func failure(m dap.ResponseMessage) error {
	failed, ok := m.(*dap.ErrorResponse)
	switch {
	case !ok:
		return nil
	case failed.Body.Error != nil && failed.Body.Error.Format != "":
		return errors.New(failed.Body.Error.Format)
	}
	return errors.New(failed.Message)
}

// close waits until delve, which must have been detached, has exited, and kills it after endLimit.
func (a *adapter) close() {
	a.conn.Close()
	gone := time.AfterFunc(endLimit, func() { _ = a.cmd.Process.Kill() })
	defer gone.Stop()
	_ = a.cmd.Wait()
}
