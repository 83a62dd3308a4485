package proto

import (
	"encoding/json"
	"fmt"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
)

// FD is the descriptor of the socket in the session process.
const FD = 3

// NonceEnv is the environment variable with the session's random word for markers.
const NonceEnv = "GOPHERWARP_SESSION_NONCE"

// DirEnv is the environment variable with the session's own folder, which the session
// process removes when the kernel process is gone. All that cells start is known by it.
const DirEnv = "GOPHERWARP_SESSION_DIR"

// TempName is the name of the folder in it for what compilers and the like keep for a while.
const TempName = "tmp"

// MemoryEnv is the environment variable with the number of bytes that the session process should not exceed.
const MemoryEnv = "GOPHERWARP_SESSION_MEMORY"

// Sizes answers OpSizes: bytes for each of the request's variables.
type Sizes []int64

// Op says what a request asks for.
type Op string

// The requests.
const (
	OpRun        Op = "run"         // load the plugin, if not yet loaded, and run the cell
	OpInterrupt  Op = "interrupt"   // stop the running cell
	OpCall       Op = "call"        // run a registered handler
	OpInputReply Op = "input_reply" // the answer to an EventInput
	OpGo         Op = "go"          // let the run with this ID begin, which has sent EventLoaded
	OpSizes      Op = "sizes"       // tell what the variables take, while a cell runs: the end's data are Sizes
)

// InputStopped is a Request's Err when the cell that asked was interrupted or has ended.
const InputStopped = "input stopped"

// Request goes from the kernel process to the session process.
type Request struct {
	ID   int    `json:"id"`
	Op   Op     `json:"op"`
	Cell int    `json:"cell,omitempty"` // number of the cell's package
	Path string `json:"path,omitempty"` // plugin file
	Name string `json:"name,omitempty"` // handler, or how positions name the cell
	Data []byte `json:"data,omitempty"` // handler's input, or the line read
	Err  string `json:"err,omitempty"`  // why there is no line
	Hold bool   `json:"hold,omitempty"` // wait for OpGo before the cell begins
	// Whole says that os.Exit(0) is a failure, too.
	Whole bool `json:"whole,omitempty"`
	// Owner is the same for all runs of a cell: what an earlier one has registered is taken back.
	Owner string `json:"owner,omitempty"`
	// Bundle is a plugin to load first, if it is not there.
	Bundle string `json:"bundle,omitempty"`
	// Variables are those that later cells know, for a cell that changes types, and those of OpSizes.
	Variables []cell.Variable `json:"variables,omitempty"`
}

// EventKind says what an event brings.
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
	EventDone    EventKind = "done" // a run or a call has ended
)

// Event goes from the session process to the kernel process.
type Event struct {
	ID       int       `json:"id"` // of the request it belongs to
	Kind     EventKind `json:"kind"`
	Seq      uint64    `json:"seq"` // the markers in both pipes that come before it
	MIME     Bundle    `json:"mime,omitempty"`
	Metadata Bundle    `json:"metadata,omitempty"`
	Display  string    `json:"display,omitempty"` // display id
	Update   bool      `json:"update,omitempty"`
	Wait     bool      `json:"wait,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Password bool      `json:"password,omitempty"`
	Loaded   bool      `json:"loaded,omitempty"` // the cell's package is part of the program now
	Data     []byte    `json:"data,omitempty"`   // what a call returned
	Error    *Error    `json:"error,omitempty"`
}

// Bundle holds values that are encoded already, so that large ones are passed on as they are.
type Bundle = map[string]json.RawMessage

// Error is how a cell or a call failed.
type Error struct {
	Kind    string  `json:"kind"` // "panic", "error", "interrupt", or what the error names itself
	Message string  `json:"message"`
	Frames  []Frame `json:"frames,omitempty"` // innermost first
}

func (e *Error) Error() string { return e.Message }

// Frame is one call on the stack of a failure.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
	// More is how many calls of a recursion were left out that are like the ones up to here, further out.
	More int `json:"more,omitempty"`
}

// Marker is written to standard output and standard error before event seq is sent.
func Marker(nonce string, seq uint64) string {
	return fmt.Sprintf("\x00gw:%s:%d\n", nonce, seq)
}

// MarkerPrefix is how every marker of a session begins.
func MarkerPrefix(nonce string) string { return "\x00gw:" + nonce + ":" }
