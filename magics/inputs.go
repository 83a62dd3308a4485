package magics

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// inputPause is how long a command must have left its input alone before a line is asked for.
const inputPause = 200 * time.Millisecond

// inputs say that a command may read its standard input.
type inputs struct{ secret bool }

// takeInputs gives what %with_inputs has asked for, to one command.
func (e *Engine) takeInputs() *inputs {
	e.mu.Lock()
	defer e.mu.Unlock()
	in := e.inputs
	e.inputs = nil
	return in
}

// feed asks for a line each time the command has read all that there was, until ctx ends or
// there is nobody to ask. Nothing shows whether a program waits for input or just takes its time, so
// a line may be asked for that nobody reads.
func (in *inputs) feed(ctx context.Context, stdin *os.File, out kernel.Output) {
	defer stdin.Close()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(inputPause):
		}
		if n, err := unix.IoctlGetInt(int(stdin.Fd()), unix.TIOCINQ); err == nil && n > 0 {
			continue
		}
		line, err := out.Input(ctx, "", in.secret)
		if err != nil {
			if ctx.Err() == nil {
				out.Stream("stderr", err.Error()+"\n")
			}
			return
		}
		if _, err := stdin.WriteString(line + "\n"); err != nil {
			return
		}
	}
}
