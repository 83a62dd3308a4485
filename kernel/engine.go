package kernel

import "context"

// An Engine runs the cells that the kernel receives. The kernel speaks Jupyter and knows
// nothing of Go cells, magics or CUDA; the engine knows nothing of messages.
//
// Execute is called for one cell at a time. All other methods may be called meanwhile.
type Engine interface {
	// Execute runs one cell. What the cell shows goes to out while it runs. A non-nil
	// error fails the cell; where it is (or wraps) a *CellError its name, value and
	// traceback are what the front end shows. The context ends when the kernel shuts
	// down, not on interrupt.
	Execute(ctx context.Context, cell Cell, out Output) error
	// Interrupt asks the running cell to stop. It returns at once.
	Interrupt()
	// IsComplete reports whether a console should run code on Enter: "complete",
	// "incomplete" (then indent is what the next line should begin with), "invalid" or
	// "unknown".
	IsComplete(code string) (status, indent string)
	// Complete proposes what may stand at cursor, counted in code points.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	// Inspect describes what stands at cursor; a nil bundle means nothing is known.
	Inspect(ctx context.Context, code string, cursor, detail int) (MIMEBundle, error)
	// Close ends everything that the engine started. restart says that the same kernel
	// is about to start again.
	Close(restart bool) error
}

// Cell is one request to run code.
type Cell struct {
	Code         string
	Count        int    // execution_count, shown as [n]
	ID           string // the front end's cell id, if it sent one
	Silent       bool
	StoreHistory bool
	AllowStdin   bool
}

// Output takes what a running cell shows. Its methods may be called from any goroutine,
// also after Execute has returned: late output belongs to the cell that started it.
type Output interface {
	// Stream appends to "stdout" or "stderr".
	Stream(name, text string)
	// Display shows a bundle. With a non-empty id it can be updated later.
	Display(data MIMEBundle, metadata map[string]any, id string)
	// UpdateDisplay replaces what was shown under id.
	UpdateDisplay(data MIMEBundle, metadata map[string]any, id string)
	// Result shows the value of the cell's last expression as Out[n].
	Result(data MIMEBundle, metadata map[string]any)
	// ClearOutput clears the cell's output, at once or when the next output comes.
	ClearOutput(wait bool)
	// Input asks the person for a line. It fails where the front end can't ask, and with
	// context.Canceled when the cell is interrupted or has ended. Without a prompt the
	// unfinished last line of standard output is it, unless that has been sent.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// MIMEBundle maps MIME types to representations of one thing: a string for text types,
// base64 text or []byte for binary ones, any JSON value for application/json. A
// json.RawMessage, which must be valid, is passed on as it is.
type MIMEBundle = map[string]any

// Completion is the answer to a request for completions; Start and End are in code points.
type Completion struct {
	Matches    []string
	Start, End int
	Metadata   map[string]any
}

// CellError is why a cell failed, as a front end shows it.
type CellError struct {
	Name      string   // ename: the kind of error, e.g. "CompileError" or "panic"
	Value     string   // evalue: one line or a few
	Traceback []string // lines as shown, ANSI colours allowed
}

func (e *CellError) Error() string { return e.Name + ": " + e.Value }
