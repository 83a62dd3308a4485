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
	// DisplayEnv is the environment variable with the most that may be shown at once, in megabytes.
	DisplayEnv = "GOPHERWARP_DISPLAY_MB"
	// defaultDisplay is that without it. Front ends become slow long before.
	defaultDisplay = 50
	maxDisplay     = 1000 // what a value on the socket can hold, with all that comes with it
)

// Result makes values the cell's result, or fails the cell if they can't be shown.
func (h *host) Result(values []any) {
	data, metadata := format(values)
	if err := h.show(proto.Event{Kind: proto.EventResult}, data, metadata); err != nil {
		panic(cell.Failure{Err: err})
	}
}

// Show shows a value in the middle of the cell.
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

// show sends a bundle with the event.
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

// encode encodes the values of a bundle, if they are not too large in all.
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

// encodeOne encodes one value. What is obviously too large is not encoded first.
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

// displayLimit returns how many bytes may be shown at once. What is no number of megabytes in the environment is
// taken as unset.
func displayLimit() int {
	mb, err := strconv.ParseFloat(os.Getenv(DisplayEnv), 64)
	if err != nil || !(mb > 0 && mb <= maxDisplay) {
		mb = defaultDisplay
	}
	return int(mb * 1e6)
}

// displayError is why something can't be shown.
type displayError struct{ error }

func (displayError) ErrorKind() string { return "DisplayError" }

func (e displayError) Unwrap() error { return e.error }

func tooLarge(size, limit int) error {
	return displayError{fmt.Errorf("%.1f MB at once are more than a notebook can hold (%.0f MB): show a part of it, write it to a file, or set more by %%env %s=%d",
		float64(size)/1e6, float64(limit)/1e6, DisplayEnv, size/1e6+1)}
}
