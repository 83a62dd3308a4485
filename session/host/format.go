package host

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strconv"
	"strings"
)

// maxText is how much of a result's text is shown, in bytes.
const maxText = 20_000

// A bundle is a value that knows how it looks, by MIME type.
type bundle interface {
	MIMEBundle() map[string]any
}

// format gives the representations of a cell's result.
func format(values []any) map[string]any {
	if len(values) == 1 {
		switch v := values[0].(type) {
		case bundle:
			return v.MIMEBundle()
		case image.Image:
			return formatImage(v)
		}
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = text(v)
	}
	s := strings.Join(texts, ", ")
	if len(s) > maxText {
		cut := strings.ToValidUTF8(s[:maxText], "")
		s = fmt.Sprintf("%s… (%d of %d bytes shown; print the value to see it all)", cut, len(cut), len(s))
	}
	return map[string]any{"text/plain": s}
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

func formatImage(img image.Image) map[string]any {
	b := img.Bounds()
	mime := map[string]any{"text/plain": fmt.Sprintf("%T of %d×%d pixels", img, b.Dx(), b.Dy())}
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err == nil {
		mime["image/png"] = base64.StdEncoding.EncodeToString(buf.Bytes())
	}
	return mime
}
