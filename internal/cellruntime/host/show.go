package host

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

const (
	// DisplayEnv is the environment variable with the maximum size of one output in megabytes.
	DisplayEnv = "GOPHERWARP_DISPLAY_MB"
	// defaultDisplay is its default. Front ends become slow long before.
	defaultDisplay = 50
	maxDisplay     = 1000 // limited by proto.MaxValue, which includes the rest of the event
)

// Result makes values the cell's result, or fails the cell if they can't be shown.
func (h *host) Result(values []any) {
	data, metadata := format(values)
	if err := h.show(proto.Event{Kind: proto.EventResult}, data, metadata); err != nil {
		panic(cell.Failure{Err: err})
	}
}

// Show shows a value before the end of the cell.
func (h *host) Show(v any) error {
	data, metadata := format([]any{v})
	return h.show(proto.Event{Kind: proto.EventDisplay}, data, metadata)
}

// Display shows a bundle, or fails the cell if that can't be done.
func (h *host) Display(mime, metadata map[string]any, id string, update bool) {
	if err := h.show(proto.Event{Kind: proto.EventDisplay, Display: id, Update: update}, mime, metadata); err != nil {
		panic(cell.Failure{Err: err})
	}
}

// show sends an event with a bundle.
func (h *host) show(e proto.Event, data, metadata map[string]any) (err error) {
	if e.MIME, err = encode(data); err == nil {
		e.Metadata, err = encode(metadata)
	}
	if err != nil {
		return err
	}
	h.send(e)
	return nil
}

// encode encodes the values of a bundle, unless their total size is too large.
func encode(values map[string]any) (proto.Bundle, error) {
	limit := displayLimit()
	all, size := make(proto.Bundle, len(values)), 0
	for name, v := range values {
		data, err := encodeOne(v, limit)
		if err != nil {
			return nil, displayError{fmt.Errorf("%s can't be shown: %w", name, err)}
		}
		all[name] = data
		size += len(data)
	}
	if size > limit {
		return nil, tooLarge(size, limit)
	}
	return all, nil
}

// encodeOne encodes one value. It rejects a value that is obviously too large without encoding it.
func encodeOne(v any, limit int) (json.RawMessage, error) {
	size := 0
	switch v := v.(type) {
	case string:
		size = len(v)
	case []byte:
		size = len(v) / 3 * 4 // as base64
	}
	if size > limit {
		return nil, tooLarge(size, limit)
	}
	return json.Marshal(v)
}

// displayLimit returns the maximum size of one output in bytes. A value of DisplayEnv that is not a number of megabytes
// is ignored.
func displayLimit() int {
	mb, err := strconv.ParseFloat(os.Getenv(DisplayEnv), 64)
	if err != nil || !(mb > 0 && mb <= maxDisplay) {
		mb = defaultDisplay
	}
	return int(mb * 1e6)
}

// displayError is the reason why a value can't be shown.
type displayError struct{ error }

func (displayError) ErrorKind() string { return "DisplayError" }

func (e displayError) Unwrap() error { return e.error }

func tooLarge(size, limit int) error {
	return displayError{fmt.Errorf("%.1f MB at once are more than a notebook can hold (%.0f MB): show a part of it, write it to a file, or set more by %%env %s=%d",
		float64(size)/1e6, float64(limit)/1e6, DisplayEnv, size/1e6+1)}
}
