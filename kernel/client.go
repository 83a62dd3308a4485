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

// Client talks to one kernel as a front end does. Its methods may be called from any
// goroutine.
type Client struct {
	key     []byte
	session string

	shell, control, stdin, iopub *peer

	wg      sync.WaitGroup
	welcome chan struct{} // gets a token when the kernel greets the subscriber
	lost    chan struct{} // closed when a connection ends

	mu    sync.Mutex
	cause error            // why lost is closed
	calls map[string]*call // by msg_id; those with onOutput stay, for late output
}

// call is a request under way.
type call struct {
	reply    chan *Message // gets the answer
	idle     chan struct{} // closed when the kernel has done with it
	isIdle   atomic.Bool
	onOutput func(*Message)
	onInput  func(prompt string, password bool) string
	answers  atomic.Int64 // what onInput has given
}

// ExecuteRequest is a cell to be run.
type ExecuteRequest struct {
	Code      string
	CellID    string // the notebook's id of the cell, if it has one
	Silent    bool
	NoHistory bool
	// KeepGoing runs the cells that are queued behind this one even if it fails.
	KeepGoing bool
	// OnOutput gets every iopub message of the cell in order, also those that come after
	// Execute has returned. It must not call the Client. May be nil.
	OnOutput func(*Message)
	// OnInput answers the cell's questions. Nil means that it can't ask any.
	OnInput func(prompt string, password bool) string
}

// ExecuteReply says how a cell ended.
type ExecuteReply struct {
	Status    string   `json:"status"` // "ok", "error" or "aborted"
	Count     int      `json:"execution_count"`
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// Dial connects to a kernel, which may still be starting, and waits until it answers and its
// output arrives, or ctx ends.
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

// dialPeer tries until the kernel listens.
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

// waitReady asks until an answer comes on shell and its idle status on iopub: a subscription
// takes effect some time after it is sent, and what a kernel publishes before that is lost.
// A kernel of protocol 5.5 says when; others say nothing.
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

// read handles what comes in on one socket until it is closed.
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

// Close ends the connection; the kernel goes on. No callback runs afterwards.
func (c *Client) Close() {
	for _, p := range []*peer{c.shell, c.control, c.stdin, c.iopub} {
		if p != nil {
			p.close()
		}
	}
	c.wg.Wait()
}

// Lost is closed when the kernel is gone or Close was called.
func (c *Client) Lost() <-chan struct{} { return c.lost }

// KernelInfo asks what the kernel is. It asks on shell, so a running cell delays the answer.
func (c *Client) KernelInfo(ctx context.Context) (Info, error) {
	return c.kernelInfo(ctx, c.shell)
}

// KernelInfoNow asks on control, where a kernel answers while a cell runs.
func (c *Client) KernelInfoNow(ctx context.Context) (Info, error) {
	return c.kernelInfo(ctx, c.control)
}

func (c *Client) kernelInfo(ctx context.Context, on *peer) (info Info, err error) {
	err = c.request(ctx, on, "kernel_info_request", struct{}{}, &info)
	return info, err
}

// Interrupt asks the kernel to stop the running cell.
func (c *Client) Interrupt(ctx context.Context) error {
	return c.request(ctx, c.control, "interrupt_request", struct{}{}, nil)
}

// Shutdown asks the kernel to end. It returns when the kernel has agreed.
func (c *Client) Shutdown(ctx context.Context, restart bool) error {
	return c.request(ctx, c.control, "shutdown_request", map[string]any{"restart": restart}, nil)
}

// Request sends any request on shell and decodes the content of its reply into reply.
func (c *Client) Request(ctx context.Context, msgType string, content, reply any) error {
	return c.request(ctx, c.shell, msgType, content, reply)
}

// RequestNow is Request on control, where a kernel answers while a cell runs.
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

// Execute runs a cell and returns when it is answered and all it showed until then has come.
// A failed cell is no error here: see the reply's status.
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
			// A kernel that ends closes one socket after the other. Its last words may
			// still be on the way on this one.
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
	// The kernel has had the answers that it asked for, so what onInput did comes before the end. By this Go knows it, too.
	k.answers.Load()
	return answer, nil
}

// drain waits until everything that had been sent before the connection was lost is handled.
func (c *Client) drain() {
	done := make(chan struct{})
	go func() {
		c.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Second): // the other sockets live
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
		default: // a second answer
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
