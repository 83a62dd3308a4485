package cell

// A CommMessage is a message on a comm, which is a channel between an object of this process, such as a widget, and its counterpart in
// the front end.
type CommMessage struct {
	Kind    CommKind
	ID      string
	Target  string // with CommOpen: the name of what the other side is to create
	Data    []byte // a JSON object; empty for {}
	Meta    []byte // the same for the message's metadata
	Buffers [][]byte
	// Parent is the header of the front end's request: that of a received message, or the one that a sent message answers. If it is
	// empty, a sent message answers the last request about the comm.
	Parent []byte
}

// CommKind is the kind of a message on a comm.
type CommKind string

// The messages on comms.
const (
	CommOpen  CommKind = "open"
	CommData  CommKind = "data"
	CommClose CommKind = "close"
	// CommInterrupt is sent by the kernel process, about no comm: what was started by messages is to stop.
	CommInterrupt CommKind = "interrupt"
	// CommCellEnd is sent by this process itself, about no comm: a cell has ended, and what is pending is to be sent before the handler
	// returns.
	CommCellEnd CommKind = "cell_end"
)

// commHandler is process-wide, as host is.
var commHandler func(CommMessage)

// HandleComms sets the function that receives the front end's messages on comms, in order. It must not
// block. Package widget calls it
// once, from init.
func HandleComms(handle func(CommMessage)) { commHandler = handle }

// CommHandler returns the function that was set by HandleComms, or nil.
func CommHandler() func(CommMessage) { return commHandler }
