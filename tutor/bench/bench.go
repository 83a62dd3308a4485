package bench

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/tutor"
)

// A Kernel runs cells; *kernel.Process implements it.
type Kernel interface {
	Execute(ctx context.Context, q kernel.ExecuteRequest) (kernel.ExecuteReply, error)
	Stop(ctx context.Context) error
}

const (
	// answerLimit is how long a cell of an answer or its test may take. The tests of package verify stop kernels that hang much earlier.
	answerLimit = 2 * time.Minute
	stopLimit   = 5 * time.Second
)

// A Bench is a tutor.Runner.
type Bench struct {
	start func(ctx context.Context) (Kernel, error)
	limit time.Duration
	// closing ends when the bench is closed, and with it the cell that runs.
	closing context.Context
	close   context.CancelFunc

	mu     sync.Mutex // is held while a cell runs
	kernel Kernel     // nil if none runs
}

var _ tutor.Runner = (*Bench)(nil)

// New returns a bench that starts kernels by a function.
func New(start func(ctx context.Context) (Kernel, error)) *Bench {
	closing, stop := context.WithCancel(context.Background())
	return &Bench{start: start, limit: answerLimit, closing: closing, close: stop}
}

// Close ends the process, if there is one, also while a cell runs.
func (b *Bench) Close() error {
	b.close()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stop()
}

func (b *Bench) stop() error {
	if b.kernel == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	k := b.kernel
	b.kernel = nil
	return k.Stop(ctx)
}

// An outcome is the result of a cell.
type outcome struct {
	failed        bool
	kind, message string
	stdout        string
	endless       bool // whether it ran into the limit, which ends the process
}

// run runs a cell. The error is that of the process or of ctx.
func (b *Bench) run(ctx context.Context, code string) (o outcome, err error) {
	if b.closing.Err() != nil {
		return o, errors.New("the session for answers is closed")
	}
	if b.kernel == nil {
		if b.kernel, err = b.start(ctx); err != nil {
			b.kernel = nil
			return o, fmt.Errorf("start a session for answers: %w", err)
		}
	}
	limited, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	defer context.AfterFunc(b.closing, cancel)()
	var mu sync.Mutex
	var stdout strings.Builder
	reply, err := b.kernel.Execute(limited, kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
		var content struct{ Name, Text string }
		if m.Header.Type != "stream" || m.DecodeContent(&content) != nil || content.Name != "stdout" {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if stdout.Len() < maxOutput {
			stdout.WriteString(content.Text)
		}
	}})
	if err != nil {
		_ = b.stop() // its state is unknown, and the next answer gets another one
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return outcome{failed: true, endless: true, message: fmt.Sprintf("It did not end within %v, and was stopped.", b.limit)}, nil
		}
		return o, err
	}
	mu.Lock()
	defer mu.Unlock()
	return outcome{failed: reply.Status != "ok", kind: reply.Name, message: reply.Value, stdout: stdout.String()}, nil
}

// maxOutput is about how much output is kept.
const maxOutput = 64 << 10

func cell(c tutor.Cell) string {
	if c.Language == "cuda" && !strings.HasPrefix(c.Text, "%%cuda") {
		return "%%cuda\n" + c.Text
	}
	return c.Text
}

// Output implements tutor.Runner.
func (b *Bench) Output(ctx context.Context, program []tutor.Cell) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := ""
	for _, c := range program {
		o, err := b.run(ctx, cell(c))
		if err != nil {
			return "", err
		}
		if o.failed {
			return "", fmt.Errorf("%s: %s", o.kind, o.message)
		}
		out += o.stdout
	}
	return out, nil
}

// Test implements tutor.Runner.
func (b *Bench) Test(ctx context.Context, code *tutor.Code, answer string) (tutor.Verdict, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range code.Setup {
		o, err := b.run(ctx, cell(c))
		if err != nil {
			return tutor.Verdict{}, err
		}
		if o.failed {
			return tutor.Verdict{}, fmt.Errorf("prepare the test: %s: %s", o.kind, o.message)
		}
	}
	o, err := b.run(ctx, cell(tutor.Cell{Language: code.Language, Text: strings.TrimSpace(answer)}))
	switch {
	case err != nil:
		return tutor.Verdict{}, err
	case o.endless:
		return tutor.Verdict{Compiles: true, Message: o.message}, nil
	case o.failed:
		return tutor.Verdict{Message: plain(o.message)}, nil
	}
	o, err = b.run(ctx, code.Test)
	if err != nil {
		return tutor.Verdict{}, err
	}
	if o.kind == "CompileError" {
		return tutor.Verdict{Message: "The test does not fit the answer, whose name and parameters must be as they were given: " + plain(o.message)}, nil
	}
	return tutor.Verdict{Pass: !o.failed, Compiles: true, Message: plain(o.message)}, nil
}

// colours matches the escape sequences for colours.
var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// names matches the names of cells in positions.
var names = regexp.MustCompile(`cell\[\d+\](\.cu)?:(\d+)`)

// plain returns a message without colours and the names of cells, of which the learner knows nothing, and cut if it is long. Lines are those
// of the learner's cell: both have a first line that is a magic.
func plain(message string) string {
	message = strings.TrimSpace(colours.ReplaceAllString(message, ""))
	message = names.ReplaceAllString(message, "line $2")
	const most = 4000
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + " …"
	}
	return message
}
