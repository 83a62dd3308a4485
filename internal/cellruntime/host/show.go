package host

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
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
	if err := h.show(proto.Event{Kind: proto.EventDisplay, Display: id, Update: update}, mime, withAlt(mime, metadata)); err != nil {
		panic(cell.Failure{Err: err})
	}
}

// show sends an event with a bundle.
func (h *host) show(e proto.Event, data, metadata map[string]any) (err error) {
	for name := range data {
		if !mimeType.MatchString(name) {
			return displayError{fmt.Errorf("%q is no MIME type, such as text/html: a bundle has its representations by those", name)}
		}
	}
	if e.MIME, err = encode(data, checked); err == nil {
		e.Metadata, err = encode(metadata, func(_ string, v any) (any, error) { return v, nil })
	}
	if err != nil {
		return err
	}
	h.send(e)
	return nil
}

// maxAlt is the maximum length of a picture's description in bytes.
const maxAlt = 1000

// withAlt returns metadata in which each picture has its text as a description, for those who cannot see it.
func withAlt(data, metadata map[string]any) map[string]any {
	text, _ := data["text/plain"].(string)
	if text == "" {
		return metadata
	}
	if len(text) > maxAlt {
		text = strings.ToValidUTF8(text[:maxAlt], "") + " …"
	}
	all := maps.Clone(metadata)
	for name := range data {
		if !strings.HasPrefix(name, "image/") || all[name] != nil {
			continue
		}
		if all == nil {
			all = map[string]any{}
		}
		all[name] = map[string]any{"alt": text}
	}
	return all
}

// encode encodes the values of a bundle, as check returns them, unless their total size is too large.
func encode(values map[string]any, check func(name string, v any) (any, error)) (proto.Bundle, error) {
	limit := displayLimit()
	all, size := make(proto.Bundle, len(values)), 0
	for _, name := range slices.Sorted(maps.Keys(values)) { // so that of several errors the same one is shown
		v, err := check(name, values[name])
		var data json.RawMessage
		if err == nil {
			data, err = encodeOne(v, limit)
		}
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

var (
	mimeType = regexp.MustCompile(`^[\w.+-]+/[\w.+-]+(?:\s*;.*)?$`)
	// textType matches types whose data are texts, and binaryType those whose data are bytes, which JSON has in base64.
	textType   = regexp.MustCompile(`^text/|^image/svg\+xml$|^application/javascript$`)
	binaryType = regexp.MustCompile(`^(?:image|audio|video)/|^application/pdf$`)
)

// checked returns a representation in the form that front ends expect of its type: bytes of a text as a string. It returns an error if it has
// another form, of which front ends would show nothing.
func checked(name string, v any) (any, error) {
	switch v := v.(type) {
	case error:
		return nil, v
	case []byte:
		if textType.MatchString(name) {
			return checked(name, string(v))
		}
		return v, nil
	case string:
		switch {
		case textType.MatchString(name):
			if !utf8.ValidString(v) {
				return nil, errors.New("the text is not valid UTF-8")
			}
		case binaryType.MatchString(name) && !isBase64(v):
			return nil, errors.New("the string is not base64: give the contents of the file as []byte")
		}
		return v, nil
	}
	if textType.MatchString(name) || binaryType.MatchString(name) {
		return nil, fmt.Errorf("a value of type %T is there instead of a string or bytes", v)
	}
	return v, nil
}

// isBase64 reports whether text is in standard encoding, which may have line ends.
func isBase64(text string) bool {
	_, err := io.Copy(io.Discard, base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	return err == nil
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
	mb, err := strconv.ParseFloat(os.Getenv(proto.DisplayEnv), 64)
	if err != nil || !(mb > 0 && mb <= proto.MaxDisplay) {
		mb = proto.DefaultDisplay
	}
	return int(mb * 1e6)
}

// displayError is the reason why a value can't be shown.
type displayError struct{ error }

func (displayError) ErrorKind() string { return "DisplayError" }

func (e displayError) Unwrap() error { return e.error }

func tooLarge(size, limit int) error {
	return displayError{fmt.Errorf("%.1f MB at once are more than a notebook can hold (%.0f MB): show a part of it, write it to a file, or set more by %%env %s=%d",
		float64(size)/1e6, float64(limit)/1e6, proto.DisplayEnv, size/1e6+1)}
}
