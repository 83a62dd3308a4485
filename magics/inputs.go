package magics

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// inputPause is how long a command must not have read its input before it is asked for a line.
const inputPause = 200 * time.Millisecond

// inputs permits a command to read its standard input.
type inputs struct{ secret bool }

// takeInputs returns the permission of %with_inputs, once.
func (e *Engine) takeInputs() *inputs {
	e.mu.Lock()
	defer e.mu.Unlock()
	in := e.inputs
	e.inputs = nil
	return in
}

// feed asks for a line whenever the command has read all of its input, until ctx ends or the front end cannot ask. It is not known
// whether a program waits for input or is busy, so it may ask for a line that is never read.
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
