package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// Comm sends a message on a comm to the front end.
func (h *host) Comm(m cell.CommMessage) error {
	limit, size := displayLimit(), len(m.Data)
	for _, b := range m.Buffers {
		size += len(b)
	}
	if size > limit {
		return tooLarge(size, limit)
	}
	if len(m.Data) > 0 && !json.Valid(m.Data) {
		return displayError{errors.New("the message of a widget is not JSON")}
	}
	h.send(proto.Event{Kind: proto.EventComm, Comm: &proto.Comm{
		Kind: m.Kind, ID: m.ID, Target: m.Target, Data: m.Data, Meta: m.Meta, Buffers: m.Buffers, Parent: m.Parent,
	}})
	return nil
}

// received passes a message of the front end on.
func received(m *proto.Comm) {
	if handle := cell.CommHandler(); handle != nil && m != nil {
		handle(cell.CommMessage{Kind: m.Kind, ID: m.ID, Target: m.Target, Data: m.Data, Meta: m.Meta, Buffers: m.Buffers, Parent: m.Parent})
	}
}

// Report prints a panic that fails no cell.
func (*host) Report(what string, v any, stack []uintptr) {
	fmt.Fprint(os.Stderr, described(what+" failed", failure(v, stack)))
}
