package host

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gopherwarp/gopherwarp/session/looks"
)

// maxText is how much of a result's text is shown, in bytes.
const maxText = 20_000

// format gives the representations of a cell's result, and what there is to say about them.
func format(values []any) (data, metadata map[string]any) {
	if len(values) == 1 {
		if data, metadata, ok := looks.Of(values[0]); ok {
			if data["text/plain"] == nil {
				data["text/plain"] = plain(values)
			}
			return data, metadata
		}
	}
	return map[string]any{"text/plain": plain(values)}, nil
}

// plain is the text of values.
func plain(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = text(v)
	}
	s := strings.Join(texts, ", ")
	if len(s) > maxText {
		cut := strings.ToValidUTF8(s[:maxText], "")
		s = fmt.Sprintf("%s… (%d of %d bytes shown; print the value to see it all)", cut, len(cut), len(s))
	}
	return s
}

// text shows a value as a Go programmer reads it: strings quoted, so that "1" and 1 differ
// and spaces are seen, structs with their field names. fmt's verbs call the value's own
// methods and survive a panic in them.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case fmt.Formatter: // numbers of package big take + for a sign
		return fmt.Sprintf("%v", v)
	}
	return fmt.Sprintf("%+v", v)
}
