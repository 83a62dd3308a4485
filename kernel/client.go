package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Client is connected to one kernel, as a front end is. Its methods are safe for concurrent use.
type Client struct {
	key     []byte
	session string

	shell, control, stdin, iopub *peer

	wg      sync.WaitGroup
	welcome chan struct{} // receives a token when the kernel welcomes the subscriber
	lost    chan struct{} // closed when a connection ends

	mu    sync.Mutex
	cause error            // why lost is closed
	calls map[string]*call // by msg_id; those with onOutput are kept, for late output
}

// call is a pending request.
type call struct {
	reply    chan *Message // receives the reply
	idle     chan struct{} // closed when the kernel is idle again
	isIdle   atomic.Bool
	onOutput func(*Message)
	onInput  func(prompt string, password bool) string
	answers  atomic.Int64 // number of answers of onInput
}

// An ExecuteRequest is a request to run a cell.
type ExecuteRequest struct {
	Code      string
	CellID    string // the notebook's id of the cell, if it has one
	Silent    bool
	NoHistory bool
	// KeepGoing runs the cells that are queued after this one even if it fails.
	KeepGoing bool
	// OnOutput receives every iopub message of the cell in order, including those after Execute has returned. It must not call the
	// Client. May be nil.
	OnOutput func(*Message)
	// OnInput returns the answers to the cell's requests for input. If it is nil the cell cannot ask for input.
	OnInput func(prompt string, password bool) string
}

// An ExecuteReply is the reply to an ExecuteRequest.
type ExecuteReply struct {
	Status    string   `json:"status"` // "ok", "error" or "aborted"
	Count     int      `json:"execution_count"`
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
	// Metadata is that of the message.
	Metadata json.RawMessage `json:"-"`
}

// Dial connects to a kernel, which may still be starting, and waits until it answers and its output arrives. It fails if ctx ends first.
func Dial(ctx context.Context, conn ConnectionInfo) (*Client, error) {
	if err := conn.check(); err != nil {
		return nil, fmt.Errorf("connection: %w", err)
	}
	c := &Client{
		key: []byte(conn.Key), session: newID(),
		welcome: make(chan struct{}, 1), lost: make(chan struct{}), calls: make(map[string]*call),
	}
	if err := c.open(ctx, conn); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) open(ctx context.Context, conn ConnectionInfo) error {
	for _, s := range []struct {
		name   string
		socket **peer
		typ    socketType
		port   int
		handle func(*Message)
	}{
		{"iopub", &c.iopub, subSocket, conn.IOPubPort, c.handleIOPub},
		{"shell", &c.shell, dealerSocket, conn.ShellPort, c.handleReply},
		{"control", &c.control, dealerSocket, conn.ControlPort, c.handleReply},
		{"stdin", &c.stdin, dealerSocket, conn.StdinPort, c.handleInput},
	} {
		p, err := dialPeer(ctx, conn, s.port, s.typ, c.session)
		if err != nil {
			return fmt.Errorf("connect to %s: %w", s.name, err)
		}
		*s.socket = p
		c.wg.Go(func() { c.read(p, s.handle) })
	}
	if err := c.iopub.send([][]byte{{1}}); err != nil { // subscribes to everything
		return fmt.Errorf("subscribe: %w", err)
	}
	if err := c.waitReady(ctx); err != nil {
		return fmt.Errorf("wait for the kernel's answer: %w", err)
	}
	return nil
}

// dialPeer tries to connect until the kernel listens.
func dialPeer(ctx context.Context, conn ConnectionInfo, port int, typ socketType, id string) (*peer, error) {
	network, addr := conn.address(port)
	var d net.Dialer
	for {
		rw, err := d.DialContext(ctx, network, addr)
		if err == nil {
			p, err := openPeer(rw, typ, id)
			if err != nil {
				_ = rw.Close()
			}
			return p, err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (last try: %w)", context.Cause(ctx), err)
		}
	}
}

// waitReady sends requests until a reply arrives on shell and its idle status on iopub: a subscription takes effect some time after it is
// sent, and messages that a kernel publishes before that are lost. A kernel of protocol 5.5 sends a welcome message; others do not.
func (c *Client) waitReady(ctx context.Context) error {
	select {
	case <-c.welcome:
	case <-time.After(300 * time.Millisecond):
	case <-c.lost:
	case <-ctx.Done():
	}
	for {
		try, cancel := context.WithTimeout(ctx, time.Second)
		_, err := c.KernelInfo(try)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return err
		}
	}
}

// read handles the messages of one socket until it is closed.
func (c *Client) read(p *peer, handle func(*Message)) {
	for {
		frames, err := p.receive()
		if err != nil {
			c.lose(err)
			return
		}
		m, err := decodeMessage(frames, c.key)
		if err != nil {
			c.lose(fmt.Errorf("message from the kernel: %w", err))
			return
		}
		handle(m)
	}
}

func (c *Client) lose(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		c.cause = fmt.Errorf("connection to the kernel lost: %w", cause)
		close(c.lost)
	}
}

// Close closes the connection; the kernel continues to run. No callback runs afterwards.
func (c *Client) Close() {
	for _, p := range []*peer{c.shell, c.control, c.stdin, c.iopub} {
		if p != nil {
			p.close()
		}
	}
	c.wg.Wait()
}

// Lost returns a channel that is closed when a connection to the kernel ends or Close is called.
func (c *Client) Lost() <-chan struct{} { return c.lost }

// KernelInfo returns the description of the kernel. It asks on shell, so a running cell delays the reply.
func (c *Client) KernelInfo(ctx context.Context) (Info, error) {
	return c.kernelInfo(ctx, c.shell)
}

// KernelInfoNow is like KernelInfo but asks on control, where a kernel replies while a cell runs.
func (c *Client) KernelInfoNow(ctx context.Context) (Info, error) {
	return c.kernelInfo(ctx, c.control)
}

func (c *Client) kernelInfo(ctx context.Context, on *peer) (info Info, err error) {
	err = c.request(ctx, on, "kernel_info_request", struct{}{}, &info)
	return info, err
}

// Interrupt stops the running cell.
func (c *Client) Interrupt(ctx context.Context) error {
	return c.request(ctx, c.control, "interrupt_request", struct{}{}, nil)
}

// Shutdown shuts the kernel down, for a restart or for good. It returns when the kernel has replied.
func (c *Client) Shutdown(ctx context.Context, restart bool) error {
	return c.request(ctx, c.control, "shutdown_request", map[string]any{"restart": restart}, nil)
}

// Request sends any request on shell and decodes the content of its reply into reply.
func (c *Client) Request(ctx context.Context, msgType string, content, reply any) error {
	return c.request(ctx, c.shell, msgType, content, reply)
}

// RequestNow is like Request but uses control, where a kernel replies while a cell runs.
func (c *Client) RequestNow(ctx context.Context, msgType string, content, reply any) error {
	return c.request(ctx, c.control, msgType, content, reply)
}

func (c *Client) request(ctx context.Context, on *peer, msgType string, content, reply any) error {
	m, err := newMessage(c.session, msgType, nil, content)
	if err != nil {
		return err
	}
	answer, err := c.do(ctx, on, m, new(call))
	if err != nil {
		return fmt.Errorf("%s: %w", msgType, err)
	}
	if reply == nil {
		return nil
	}
	return answer.DecodeContent(reply)
}

// Execute runs a cell and returns when its reply and all of its output until then have arrived. A cell that fails is not an error: see
// the reply's status.
func (c *Client) Execute(ctx context.Context, q ExecuteRequest) (ExecuteReply, error) {
	var reply ExecuteReply
	m, err := newMessage(c.session, "execute_request", nil, map[string]any{
		"code": q.Code, "silent": q.Silent, "store_history": !q.NoHistory, "user_expressions": map[string]any{},
		"allow_stdin": q.OnInput != nil, "stop_on_error": !q.KeepGoing,
	})
	if err != nil {
		return reply, err
	}
	if q.CellID != "" {
		if m.Metadata, err = json.Marshal(map[string]string{"cellId": q.CellID}); err != nil {
			return reply, fmt.Errorf("encode metadata: %w", err)
		}
	}
	answer, err := c.do(ctx, c.shell, m, &call{onOutput: q.OnOutput, onInput: q.OnInput})
	if err != nil {
		return reply, fmt.Errorf("execute: %w", err)
	}
	reply.Metadata = answer.Metadata
	return reply, answer.DecodeContent(&reply)
}

// do sends a request and waits for its reply and its idle status.
func (c *Client) do(ctx context.Context, on *peer, m *Message, k *call) (*Message, error) {
	k.reply, k.idle = make(chan *Message, 1), make(chan struct{})
	c.mu.Lock()
	c.calls[m.Header.ID] = k
	c.mu.Unlock()
	if k.onOutput == nil {
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.calls, m.Header.ID)
		}()
	}
	if err := on.send(encodeMessage(m, c.key)); err != nil {
		return nil, err
	}
	reply, idle, lost := k.reply, k.idle, c.lost
	var answer *Message
	for reply != nil || idle != nil {
		select {
		case answer = <-reply:
			reply = nil
		case <-idle:
			idle = nil
		case <-lost:
			// A kernel that exits closes one socket after the other. Its last messages may
			// still arrive on this one.
			lost = nil
			c.drain()
			if len(k.reply) == 0 && reply != nil || !k.isIdle.Load() {
				c.mu.Lock()
				defer c.mu.Unlock()
				return nil, c.cause
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	// The kernel has received its answers, so the calls of onInput happened before; the load tells Go's memory model.
	k.answers.Load()
	return answer, nil
}

// drain waits until all messages that had been sent before the connection was lost are handled.
func (c *Client) drain() {
	done := make(chan struct{})
	go func() {
		c.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second): // the other sockets are still connected
	}
}

// find returns the call that m belongs to, or nil.
func (c *Client) find(m *Message) *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[m.ParentHeader().ID]
}

func (c *Client) handleReply(m *Message) {
	if k := c.find(m); k != nil && strings.HasSuffix(m.Header.Type, "_reply") {
		select {
		case k.reply <- m:
		default: // a second reply
		}
	}
}

func (c *Client) handleIOPub(m *Message) {
	if m.Header.Type == "iopub_welcome" {
		select {
		case c.welcome <- struct{}{}:
		default:
		}
		return
	}
	k := c.find(m)
	if k == nil {
		return
	}
	if k.onOutput != nil {
		k.onOutput(m)
	}
	var status struct {
		State string `json:"execution_state"`
	}
	if m.Header.Type == "status" && m.DecodeContent(&status) == nil && status.State == "idle" && k.isIdle.CompareAndSwap(false, true) {
		close(k.idle)
	}
}

func (c *Client) handleInput(m *Message) {
	k := c.find(m)
	if m.Header.Type != "input_request" || k == nil || k.onInput == nil {
		return
	}
	var q struct {
		Prompt   string
		Password bool
	}
	if m.DecodeContent(&q) != nil {
		return
	}
	answer, err := newMessage(c.session, "input_reply", m.RawHeader, map[string]any{
		"status": "ok", "value": k.onInput(q.Prompt, q.Password),
	})
	k.answers.Add(1)
	if err == nil {
		err = c.stdin.send(encodeMessage(answer, c.key))
	}
	if err != nil {
		c.lose(err)
	}
}
