package gonb

import "encoding/gob"

// These types are encoded by package gob, under the names that gonbui has registered for
// its own types. Only these names and the names of the fields must be equal.

// displayData is a message of a program. The keys of Data are MIME types, and keys of
// gonbui for messages that are not displayed.
type displayData struct {
	Data      map[string]any
	Metadata  map[string]any
	DisplayID string
}

// These are gonbui's keys.
const (
	keyInput     = "gonb/jupyter_input"
	keyValue     = "gonb/comm_value"
	keySubscribe = "gonb/comm_subscribe"
)

// inputRequest requests a line, which is written to the program's standard input.
type inputRequest struct {
	Prompt   string
	Password bool
}

// commValue is a value to or from the address of a widget, or a request for one.
// Addresses that begin with # are for the kernel.
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

// commSubscription is a program's subscription to the values of an address.
type commSubscription struct {
	Address     string
	Unsubscribe bool
}

// Package gob has one registry of types for the whole process, so they are
// registered at its start.
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
