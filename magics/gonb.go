package magics

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/gonb"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// gonbDrain is how long the end of a cell waits for output through gonbui. It has been written already, unless a goroutine continues to
// write.
const gonbDrain = time.Second

// A Gonbui lets cells use GoNB's package gonbui. A nil *Gonbui does nothing.
type Gonbui struct {
	pipe *gonb.Pipe
	dir  string

	mu     sync.Mutex
	out    kernel.Output                                      // of the running cell, or the last one
	post   func(address string, value any, request bool) bool // to JupyterLab; nil before there is an engine
	asks   bool                                               // whether a program will read a line
	prompt string
	secret bool
}

// ServeGonbui makes the pipes of package gonbui in the session's directory, which is removed even if the kernel is killed. The engine
// that has the result closes them.
func ServeGonbui(dir string) (*Gonbui, error) {
	g := &Gonbui{dir: dir}
	var err error
	g.pipe, err = gonb.Open(dir, gonb.Handler{Output: g.output, Input: g.request, Post: g.toLab})
	return g, err
}

// gonbDir is the environment variable with the directory in which cells run. It follows %cd.
const gonbDir = "GONB_DIR"

// Env returns the environment variables with the pipes and directories, which the session process must have from its start.
func (g *Gonbui) Env() []string {
	env := append(g.pipe.Env(), "GONB_TMP_DIR="+g.dir)
	if dir, err := os.Getwd(); err == nil {
		env = append(env, gonbDir+"="+dir)
	}
	return env
}

func (g *Gonbui) output() gonb.Output {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.out == nil {
		return nil
	}
	return g.out
}

func (g *Gonbui) toLab(address string, value any, request bool) bool {
	g.mu.Lock()
	post := g.post
	g.mu.Unlock()
	return post != nil && post(address, value, request)
}

// connectGonb connects programs with the widgets in JupyterLab, until end is called.
func (e *Engine) connectGonb(g *Gonbui) (end func()) {
	if g == nil {
		return func() {}
	}
	g.mu.Lock()
	g.post = e.postGonb
	g.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gonbuis = append(e.gonbuis, g)
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.gonbuis = slices.DeleteFunc(e.gonbuis, func(other *Gonbui) bool { return other == g })
	}
}

// deliverGonb passes a value of a widget to the programs.
func (e *Engine) deliverGonb(address string, value any) {
	e.mu.Lock()
	programs := slices.Clone(e.gonbuis)
	e.mu.Unlock()
	for _, g := range programs {
		g.pipe.Deliver(address, value)
	}
}

func (g *Gonbui) request(prompt string, secret bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asks, g.prompt, g.secret = true, prompt, secret
}

// begin sets the destination of output through gonbui.
func (g *Gonbui) begin(out kernel.Output) kernel.Output {
	if g == nil {
		return out
	}
	g.mu.Lock()
	g.out = out
	g.mu.Unlock()
	return prompting{out, g}
}

// drain waits until all output that was sent has been shown.
func (g *Gonbui) drain() {
	if g == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), gonbDrain)
	defer cancel()
	g.pipe.Drain(ctx)
}

func (g *Gonbui) close() error {
	if g == nil {
		return nil
	}
	return g.pipe.Close()
}

// prompting is an output that asks with the prompt of gonbui.RequestInput when the program then reads its standard input.
type prompting struct {
	kernel.Output
	g *Gonbui
}

func (p prompting) Input(ctx context.Context, prompt string, password bool) (string, error) {
	p.g.drain()
	p.g.mu.Lock()
	if p.g.asks {
		p.g.asks, prompt, password = false, p.g.prompt, p.g.secret
	}
	p.g.mu.Unlock()
	return p.Output.Input(ctx, prompt, password)
}

// gonbHabits returns magics of GoNB that notebooks may contain and that have no effect, or are not supported, here.
func gonbHabits() []*Magic {
	var all []*Magic
	for _, m := range []struct{ name, usage, why string }{
		{"track", "[FOLDER]", "packages of local modules are looked at before each cell"},
		{"untrack", "[FOLDER…]", "see %track"},
		{"goworkfix", "", "a go.work counts as it does for go build"},
	} {
		all = append(all, &Magic{
			Name: m.name, Line: true, Usage: m.usage,
			Summary: "does nothing: " + m.why + " (GoNB's notebooks have it)",
			Run:     func(context.Context, *Call) error { return nil },
		})
	}
	for _, m := range []struct {
		name    string
		aliases []string
		why     string
	}{
		{"wasm", nil, "a cell is part of a running program, which WebAssembly in a browser can't join; write a program with %%writefile and build it with !GOOS=js GOARCH=wasm go build"},
	} {
		all = append(all, &Magic{
			Name: m.name, Aliases: m.aliases, Line: true, Usage: "",
			Summary: "is refused (GoNB has it): " + m.why,
			Run:     func(_ context.Context, c *Call) error { return usageError("%%%s is not there: %s", m.name, m.why) },
		})
	}
	return append(all, &Magic{
		Name: "widgets", Aliases: []string{"widgets_hb"}, Line: true,
		Summary: "fails if the widgets of package gonbui, as GoNB's notebooks have them, can't answer: they need JupyterLab with gopherwarp's extension, where they need no %widgets",
		Run: func(_ context.Context, c *Call) error {
			if !c.hasLab() {
				return usageError("%%widgets: no JupyterLab with gopherwarp's extension is connected, so gonbui's widgets don't answer: gopherwarp install brings it. Elsewhere ask with gonbui.RequestInput, and change what is shown with display.Live")
			}
			return nil
		},
	})
}

func withInputsMagic(name, what string, secret bool) *Magic {
	return &Magic{
		Name: name, Line: true,
		Summary: "lets the next ! command of the cell read " + what + ": the front end is asked when it waits for input",
		Run: func(_ context.Context, c *Call) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.inputs = &inputs{secret: secret}
			return nil
		},
	}
}

func versionMagic() *Magic {
	return &Magic{
		Name: "version", Line: true,
		Summary: "shows the versions of the kernel and of Go",
		Run: func(ctx context.Context, c *Call) error {
			version, err := c.session.GoVersion(ctx, c.Out)
			if err != nil {
				return err
			}
			c.Out.Stream("stdout", fmt.Sprintf("gopherwarp %s, %s\n", c.version, version))
			return nil
		},
	}
}
