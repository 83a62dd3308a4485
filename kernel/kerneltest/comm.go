package kerneltest

import (
	"context"
	"errors"
	"strings"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// Evaluate implements kernel.Evaluator.
func (e *Engine) Evaluate(_ context.Context, _ kernel.Cell, expression string) (kernel.MIMEBundle, error) {
	if strings.HasPrefix(expression, "fail") {
		return nil, errors.New(expression)
	}
	return kernel.MIMEBundle{"text/plain": expression}, nil
}

// OpenComm implements kernel.CommOpener.
func (e *Engine) OpenComm(_ context.Context, target string, c *kernel.Comm, first kernel.CommMessage) kernel.CommListener {
	if target != "echo" {
		return nil
	}
	l := &echo{c}
	l.Message(context.Background(), first)
	return l
}

// echo is the kernel's end of a comm. Without a Comm it says nothing.
type echo struct{ c *kernel.Comm }

func (e *echo) Message(_ context.Context, m kernel.CommMessage) {
	switch {
	case e.c == nil:
	case string(m.Data) == "null":
		_ = e.c.Close(kernel.CommMessage{}) // fails when it is closed already
	default:
		_ = e.c.Send(m)
	}
}

func (e *echo) Closed(_ context.Context, m kernel.CommMessage) {
	if e.c != nil && e.c.Send(m) == nil {
		panic("a closed comm sends")
	}
}
