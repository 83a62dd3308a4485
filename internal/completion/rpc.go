package completion

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"

	"github.com/sourcegraph/jsonrpc2"
)

// connect returns a JSON-RPC connection with a language server by its standard output and input. answer returns the
// responses to the server's requests.
func connect(stdout io.ReadCloser, stdin io.WriteCloser, answer func(method string, params json.RawMessage) any) *jsonrpc2.Conn {
	stream := jsonrpc2.NewBufferedStream(pipes{stdout, stdin}, jsonrpc2.VSCodeObjectCodec{})
	// Requests return an error if the connection is broken, so there is nothing to log.
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
	// If writing fails, reading fails as well.
	_ = conn.Reply(ctx, q.ID, answer(q.Method, params))
}

// A call is a request that was sent. If the context of Wait is done first, the server continues: its results make the next
// response fast.
type call struct{ jsonrpc2.Waiter }
