package kernel

import "context"

// An Engine runs the cells that the kernel receives. The kernel implements Jupyter's protocol and does not depend on Go cells, magics or
// CUDA; the engine does not depend on messages.
//
// Execute is called for one cell at a time. All other methods may be called meanwhile.
type Engine interface {
	// Execute runs one cell. Its output is written to out while it runs. A non-nil error fails the cell; if it is (or wraps) a
	// *CellError, the front end shows that error's name, value and traceback. The context ends when the kernel shuts down, not on
	// interrupt.
	Execute(ctx context.Context, cell Cell, out Output) error
	// Interrupt stops the running cell. It does not wait for that.
	Interrupt()
	// IsComplete reports whether a console should run code on Enter: "complete", "incomplete" (then indent is the indentation of the next
	// line), "invalid" or "unknown".
	IsComplete(code string) (status, indent string)
	// Complete returns proposals for the text at cursor, which is counted in code points.
	Complete(ctx context.Context, code string, cursor int) (Completion, error)
	// Inspect describes the name at cursor, which is counted in code points; a nil bundle means that nothing is known.
	Inspect(ctx context.Context, code string, cursor, detail int) (MIMEBundle, error)
	// Close stops everything that the engine has started. restart reports whether the same kernel is about to start again.
	Close(restart bool) error
}

// A Cell is a request to run code.
type Cell struct {
	Code         string
	Count        int    // execution_count, shown as [n]
	ID           string // the front end's cell id, if it sent one
	Silent       bool
	StoreHistory bool
	AllowStdin   bool
}

// An Output receives the output of a running cell. Its methods are safe for concurrent use, also after Execute has returned: late output
// belongs to the cell that started it.
type Output interface {
	// Stream appends text to "stdout" or "stderr".
	Stream(name, text string)
	// Display shows a bundle. If id is not empty, it can be updated later.
	Display(data MIMEBundle, metadata map[string]any, id string)
	// UpdateDisplay replaces the bundle that was shown under id.
	UpdateDisplay(data MIMEBundle, metadata map[string]any, id string)
	// Result shows the value of the cell's last expression as Out[n].
	Result(data MIMEBundle, metadata map[string]any)
	// ClearOutput clears the cell's output, at once or, with wait, before the next output.
	ClearOutput(wait bool)
	// Input asks the user for a line. It returns an error if the front end cannot ask, and context.Canceled if the cell is interrupted or
	// has ended. If prompt is empty, the unfinished last line of standard output is the prompt, unless it has been sent.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// A MIMEBundle maps MIME types to representations of one value: a string for text types, base64 text or []byte for binary types, any JSON
// value for application/json. A json.RawMessage, which must be valid, is passed on unchanged.
type MIMEBundle = map[string]any

// A Completion is the reply to a request for completions; Start and End are in code points.
type Completion struct {
	Matches    []string
	Start, End int
	Metadata   map[string]any
}

// A CellError is the error of a cell in the form in which a front end shows it.
type CellError struct {
	Name      string   // ename: the kind of error, e.g. "CompileError" or "panic"
	Value     string   // evalue: one line or a few
	Traceback []string // lines as shown, ANSI colours allowed
}

func (e *CellError) Error() string { return e.Name + ": " + e.Value }
