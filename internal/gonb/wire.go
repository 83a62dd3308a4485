package gonb

import "encoding/gob"

// These types are sent by package gob, under the names that gonbui has registered for its own.
// What counts are those names and the names of the fields.

// displayData is what a program sends. The keys of Data are MIME types, and some of gonbui's
// own for all that is not shown.
type displayData struct {
	Data      map[string]any
	Metadata  map[string]any
	DisplayID string
}

// gonbui's own keys.
const (
	keyInput     = "gonb/jupyter_input"
	keyValue     = "gonb/comm_value"
	keySubscribe = "gonb/comm_subscribe"
)

// inputRequest asks for a line, which goes to the program's standard input.
type inputRequest struct {
	Prompt   string
	Password bool
}

// commValue is a value that goes to, or comes from, the address of a widget, or a request
// for one. Addresses with # are for the kernel.
type commValue struct {
	Address string
	Request bool
	Value   any
}

const (
	addressSync    = "#gonbui/sync"
	addressSyncAck = "#gonbui/sync_ack"
	addressStart   = "#comms/start"
)

// commSubscription says that a program wants the values of an address.
type commSubscription struct {
	Address     string
	Unsubscribe bool
}

// Package gob knows the types that an interface may hold by one register for the whole
// process, so this can only be done at its start.
func init() {
	const protocol = "github.com/janpfeifer/gonb/gonbui/protocol."
	gob.RegisterName(protocol+"DisplayData", displayData{})
	gob.RegisterName(protocol+"InputRequest", inputRequest{})
	gob.RegisterName(protocol+"CommValue", commValue{})
	gob.RegisterName(protocol+"CommSubscription", commSubscription{})
	for _, v := range []any{
		[]int{},
		[]float64{},
		[]string{},
		[]any{},
		map[string]int{},
		map[string]float64{},
		map[string]string{},
		map[string]any{},
	} {
		gob.Register(v)
	}
}
