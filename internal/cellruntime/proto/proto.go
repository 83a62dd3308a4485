package proto

import (
	"encoding/json"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// FD is the descriptor of the socket in the session process.
const FD = 3

// NonceEnv is the environment variable with the session's random text for markers.
const NonceEnv = "GOPHERWARP_SESSION_NONCE"

// DirEnv is the environment variable with the session's own directory, which the session process
// removes after the kernel process has exited. It identifies all processes that cells start.
const DirEnv = "GOPHERWARP_SESSION_DIR"

// TempName is the name of the directory in it for temporary files, as of compilers.
const TempName = "tmp"

// MemoryEnv is the environment variable with the session process's memory limit in bytes.
const MemoryEnv = "GOPHERWARP_SESSION_MEMORY"

// RowsEnv is the environment variable with the number of elements that are shown of a long result; 0 shows all.
const RowsEnv = "GOPHERWARP_DISPLAY_ROWS"

// DisplayEnv is the environment variable with the maximum size of one output in megabytes.
const DisplayEnv = "GOPHERWARP_DISPLAY_MB"

// The default of DisplayEnv, and its maximum, which MaxValue limits together with the rest of an event. Front ends become slow long before.
const (
	DefaultDisplay = 50
	MaxDisplay     = 1000
)

// Sizes is the reply to OpSizes: bytes for each of the request's variables.
type Sizes []int64

// Op is the operation of a request.
type Op string

// The requests.
const (
	OpRun        Op = "run"         // load the plugin, unless it is loaded, and run the cell
	OpInterrupt  Op = "interrupt"   // stop the running cell
	OpCall       Op = "call"        // run a registered handler
	OpInputReply Op = "input_reply" // the answer to an EventInput
	OpGo         Op = "go"          // begin the run with this ID, which has sent EventLoaded
	OpComm       Op = "comm"        // pass on a message of the front end on a comm; there is no EventDone
	OpSizes      Op = "sizes"       // measure the variables while a cell runs; the Data of EventDone are Sizes
)

// InputStopped is a Request's Err if the cell that asked was interrupted or has ended.
const InputStopped = "input stopped"

// Request is sent from the kernel process to the session process.
type Request struct {
	ID   int    `json:"id"`
	Op   Op     `json:"op"`
	Cell int    `json:"cell,omitempty"` // number of the cell's package
	Path string `json:"path,omitempty"` // plugin file
	Name string `json:"name,omitempty"` // handler, or the cell's name in positions
	Data []byte `json:"data,omitempty"` // handler's input, or the line read
	Err  string `json:"err,omitempty"`  // why there is no line
	Hold bool   `json:"hold,omitempty"` // wait for OpGo before the cell begins
	// Whole makes os.Exit(0) a failure, too.
	Whole bool `json:"whole,omitempty"`
	// Owner is the same for all runs of a cell: registrations of an earlier run are removed.
	Owner string `json:"owner,omitempty"`
	// Bundle is a plugin to load first, unless it is loaded.
	Bundle string `json:"bundle,omitempty"`
	// Variables are those that later cells can use, for a cell that changes types, and those of OpSizes.
	Variables []cell.Variable `json:"variables,omitempty"`
	Comm      *Comm           `json:"comm,omitempty"`
}

// Comm is a cell.CommMessage.
type Comm struct {
	Kind    cell.CommKind   `json:"kind"`
	ID      string          `json:"id,omitempty"`
	Target  string          `json:"target,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Meta    json.RawMessage `json:"meta,omitempty"`
	Buffers [][]byte        `json:"buffers,omitempty"`
	Parent  json.RawMessage `json:"parent,omitempty"`
}

// EventKind is the kind of an event.
type EventKind string

// The events.
const (
	EventReady   EventKind = "ready"
	EventLoaded  EventKind = "loaded"  // the plugin is loaded, and the run waits for OpGo
	EventStarted EventKind = "started" // the cell's code begins to run
	EventDisplay EventKind = "display"
	EventResult  EventKind = "result"
	EventClear   EventKind = "clear"
	EventInput   EventKind = "input"
	EventComm    EventKind = "comm"
	EventDone    EventKind = "done" // a run or a call has ended
)

// Event is sent from the session process to the kernel process.
type Event struct {
	ID       int       `json:"id"` // of the request it belongs to
	Kind     EventKind `json:"kind"`
	Seq      uint64    `json:"seq"` // the number of the markers in both pipes that precede it
	MIME     Bundle    `json:"mime,omitempty"`
	Metadata Bundle    `json:"metadata,omitempty"`
	Display  string    `json:"display,omitempty"` // display id
	Update   bool      `json:"update,omitempty"`
	Wait     bool      `json:"wait,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Password bool      `json:"password,omitempty"`
	Loaded   bool      `json:"loaded,omitempty"` // the cell's package is loaded
	Data     []byte    `json:"data,omitempty"`   // what a call returned
	Error    *Error    `json:"error,omitempty"`
	Comm     *Comm     `json:"comm,omitempty"`
}

// Bundle holds encoded values, so that large ones are passed on unchanged.
type Bundle = map[string]json.RawMessage

// Error is the failure of a cell or a call.
type Error struct {
	Kind    string  `json:"kind"` // "panic", "error", "interrupt", or the error's own ErrorKind
	Message string  `json:"message"`
	Frames  []Frame `json:"frames,omitempty"` // innermost first
}

func (e *Error) Error() string { return e.Message }

// Frame is one call on the stack of a failure.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
	// More is the number of omitted calls of a recursion that repeat the frames up to this one, further out.
	More int `json:"more,omitempty"`
}

// Marker returns the text written to standard output and standard error before event seq is sent.
func Marker(nonce string, seq uint64) string {
	return fmt.Sprintf("\x00gw:%s:%d\n", nonce, seq)
}

// MarkerPrefix returns the beginning of every marker of a session.
func MarkerPrefix(nonce string) string { return "\x00gw:" + nonce + ":" }
