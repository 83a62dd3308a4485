package completion

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/framing"
)

// errClosed is the answer to all that was asked when the other side went away.
var errClosed = errors.New("the language server has ended")

// A conn speaks JSON-RPC with a language server.
type conn struct {
	// answer says what the server gets for a request of its own.
	answer func(method string, params json.RawMessage) any

	writing sync.Mutex
	w       io.Writer

	mu      sync.Mutex
	last    int
	pending map[int]chan message
	closed  bool
}

type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Message string `json:"message"`
}

func newConn(w io.Writer, answer func(string, json.RawMessage) any) *conn {
	return &conn{w: w, answer: answer, pending: map[int]chan message{}}
}

// serve reads what the server sends until it ends.
func (c *conn) serve(r io.Reader) {
	in := bufio.NewReader(r)
	for {
		var m message
		if err := framing.Read(in, &m); err != nil {
			break
		}
		switch {
		case m.Method != "" && m.ID != nil:
			result, err := json.Marshal(c.answer(m.Method, m.Params))
			if err != nil {
				result = json.RawMessage("null")
			}
			// If that can't be written, reading ends as well.
			_ = c.write(message{ID: m.ID, Result: result})
		case m.Method == "":
			id, err := strconv.Atoi(string(m.ID))
			if err != nil {
				continue
			}
			c.mu.Lock()
			if reply := c.pending[id]; reply != nil {
				reply <- m
				delete(c.pending, id)
			}
			c.mu.Unlock()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for id, reply := range c.pending {
		close(reply)
		delete(c.pending, id)
	}
}

func (c *conn) write(m message) error {
	m.Version = "2.0"
	c.writing.Lock()
	defer c.writing.Unlock()
	return framing.Write(c.w, m)
}

// notify tells the server something.
func (c *conn) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return c.write(message{Method: method, Params: raw})
}

// A call is a request that was sent.
type call struct {
	*conn
	id    int
	reply chan message
}

// send sends a request, which the server sees after all that was sent before.
func (c *conn) send(method string, params any) (*call, error) {
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, errClosed
	}
	c.last++
	asked := &call{c, c.last, make(chan message, 1)}
	c.pending[asked.id] = asked.reply
	c.mu.Unlock()
	return asked, c.write(message{ID: json.RawMessage(strconv.Itoa(asked.id)), Method: method, Params: raw})
}

// wait waits for the answer. When ctx ends first the server goes on all the same: what it finds out on the
// way makes its next answer quick.
func (c *call) wait(ctx context.Context, result any) error {
	select {
	case m, ok := <-c.reply:
		switch {
		case !ok:
			return errClosed
		case m.Error != nil:
			return errors.New(m.Error.Message)
		case len(m.Result) == 0:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.pending, c.id)
		c.mu.Unlock()
		return ctx.Err()
	}
}
