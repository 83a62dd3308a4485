package magics

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/gopherwarp/gopherwarp/kernel"
)

func captureMagic() *Magic {
	return &Magic{
		Name: "capture", Line: true, Cell: true, Usage: "[-a] FILE",
		Summary: "writes what follows in the cell prints also to a file; %%capture only there, and nowhere without a FILE",
		Run:     runCapture,
	}
}

func runCapture(ctx context.Context, c *Call) error {
	to := &capture{Output: c.Out, file: io.Discard, mute: c.Body != ""}
	if c.Args != "" || !to.mute {
		path, appends, err := c.fileArgument(ctx)
		if err != nil {
			return err
		}
		f, err := openFile(path, appends)
		if err != nil {
			return err
		}
		context.AfterFunc(ctx, func() { f.Close() }) // the context ends with the cell
		to.file = f
	}
	if to.mute {
		return c.runParts(ctx, c.Cell, c.parts(c.Body), to)
	}
	c.Out = to
	return nil
}

// A capture is an output that also writes to a file. Requests for input and clearing go to the original output.
type capture struct {
	kernel.Output
	mute bool // whether to write to the file only

	mu     sync.Mutex
	file   io.Writer
	failed bool
}

func (c *capture) write(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := io.WriteString(c.file, text); err != nil && !c.failed {
		c.failed = true
		c.Output.Stream("stderr", fmt.Sprintf("%%capture: %v\n", err))
	}
}

// writeBundle writes the text of a bundle to the file, as it is displayed in a terminal if there is such a text.
func (c *capture) writeBundle(data kernel.MIMEBundle) {
	for _, mime := range []string{"text/plain", "text/markdown", "text/html"} {
		if text, ok := data[mime].(string); ok {
			c.write(withNewline(text))
			return
		}
	}
}

func (c *capture) Stream(name, text string) {
	c.write(text)
	if !c.mute {
		c.Output.Stream(name, text)
	}
}

func (c *capture) Display(data kernel.MIMEBundle, metadata map[string]any, id string) {
	c.writeBundle(data)
	if !c.mute {
		c.Output.Display(data, metadata, id)
	}
}

func (c *capture) UpdateDisplay(data kernel.MIMEBundle, metadata map[string]any, id string) {
	c.writeBundle(data)
	if !c.mute {
		c.Output.UpdateDisplay(data, metadata, id)
	}
}

func (c *capture) Result(data kernel.MIMEBundle, metadata map[string]any) {
	c.writeBundle(data)
	if !c.mute {
		c.Output.Result(data, metadata)
	}
}
