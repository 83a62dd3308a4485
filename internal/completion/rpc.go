package completion

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"

	"github.com/sourcegraph/jsonrpc2"
)

// connect speaks JSON-RPC with a language server by its standard output and input. Requests of the server get what answer returns.
func connect(stdout io.ReadCloser, stdin io.WriteCloser, answer func(method string, params json.RawMessage) any) *jsonrpc2.Conn {
	stream := jsonrpc2.NewBufferedStream(pipes{stdout, stdin}, jsonrpc2.VSCodeObjectCodec{})
	// Whoever waits learns of a broken connection by an error, so there is nothing to log.
	return jsonrpc2.NewConn(context.Background(), stream, answering(answer), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
}

// pipes are the standard output and input of a program.
type pipes struct {
	io.ReadCloser
	in io.WriteCloser
}

func (p pipes) Write(data []byte) (int, error) { return p.in.Write(data) }

func (p pipes) Close() error { return errors.Join(p.in.Close(), p.ReadCloser.Close()) }

// answering is a handler of requests that returns their results.
type answering func(method string, params json.RawMessage) any

func (answer answering) Handle(ctx context.Context, conn *jsonrpc2.Conn, q *jsonrpc2.Request) {
	if q.Notif {
		return
	}
	var params json.RawMessage
	if q.Params != nil {
		params = *q.Params
	}
	// If that can't be written, reading ends as well.
	_ = conn.Reply(ctx, q.ID, answer(q.Method, params))
}

// A call is a request that was sent. When the context of Wait ends first the server goes on all the same: what it finds out
// on the way makes its next answer quick.
type call struct{ jsonrpc2.Waiter }
