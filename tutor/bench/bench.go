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
	device string     // that the kernel uses; "" is the default one
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
	b.kernel, b.device = nil, ""
	return k.Stop(ctx)
}

// An outcome is the result of a cell.
type outcome struct {
	failed        bool
	kind, message string
	stdout        string
	shown         map[string]any // the last display or result
	endless       bool           // whether it ran into the limit, which ends the process
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
	var shown map[string]any
	reply, err := b.kernel.Execute(limited, kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
		var content struct {
			Name, Text string
			Data       map[string]any
		}
		if m.DecodeContent(&content) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch m.Header.Type {
		case "stream":
			if content.Name == "stdout" && stdout.Len() < maxOutput {
				stdout.WriteString(content.Text)
			}
		case "display_data", "execute_result":
			shown = content.Data
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
	return outcome{failed: reply.Status != "ok", kind: reply.Name, message: reply.Value, stdout: stdout.String(), shown: shown}, nil
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
func (b *Bench) Output(ctx context.Context, device string, program []tutor.Cell) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.use(ctx, device); err != nil {
		return "", err
	}
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
func (b *Bench) Test(ctx context.Context, device string, code *tutor.Code, answer string) (tutor.Verdict, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.use(ctx, device); err != nil {
		return tutor.Verdict{}, err
	}
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
	v := tutor.Verdict{Pass: !o.failed, Compiles: true, Message: plain(o.message)}
	if v.Pass {
		v.Took = took(o.stdout)
		return v, nil
	}
	v.Message, v.Picture = b.picture(ctx, v.Message)
	return v, nil
}

// use makes kernels run on a device.
func (b *Bench) use(ctx context.Context, device string) error {
	if b.kernel != nil && b.device == device {
		return nil
	}
	name := device
	if name == "" {
		if b.device == "" {
			return nil
		}
		name = "auto"
	}
	o, err := b.run(ctx, "%gpu "+name)
	if err != nil {
		return err
	}
	if o.failed {
		return fmt.Errorf("run answers on %s: %s", name, plain(o.message))
	}
	b.device = device
	return nil
}

// timed matches the line of a check that has compared the time of an answer with that of a reference.
var timed = regexp.MustCompile(`(?m): (\S+), the reference (\S+): (\S+) times as fast$`)

// took returns how long an answer took, if a check has measured that.
func took(stdout string) string {
	m := timed.FindStringSubmatch(stdout)
	if m == nil {
		return ""
	}
	return fmt.Sprintf("Measured now on this device: %s; a reference takes %s, so yours is %s times as fast.", m[1], m[2], m[3])
}

// lensOffer matches what a check says if there is a picture of its failure.
var lensOffer = regexp.MustCompile(`\n?verify\.Lens\(\) shows (what the threads do, step by step, for n = .*)\.`)

// picture returns a picture of the failure that a message is about, if there is one, and the message with a mention of it.
func (b *Bench) picture(ctx context.Context, message string) (string, map[string]any) {
	if !lensOffer.MatchString(message) {
		return message, nil
	}
	o, err := b.run(ctx, "verify.Lens()")
	if err != nil || o.failed || o.shown == nil {
		return lensOffer.ReplaceAllString(message, ""), nil // the verdict holds without a picture
	}
	return lensOffer.ReplaceAllString(message, "\nThe picture shows $1."), o.shown
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
