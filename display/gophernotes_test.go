package display_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gopherwarp/gopherwarp/display"
)

type painted struct{}

func (painted) SVG() string { return "<svg/>" }

// TestGophernotes compares representations with those of the kernel gophernotes.
func TestGophernotes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(file, []byte("# a"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		data display.Data
		want map[string]string
	}{
		"math":         {display.Math(`e^{i\Pi}+1=0`), map[string]string{"text/latex": `$$e^{i\Pi}+1=0$$`, "text/plain": `e^{i\Pi}+1=0`}},
		"latex":        {display.Latex("$x$"), map[string]string{"text/latex": "$x$", "text/plain": "$x$"}},
		"script":       {display.JavaScript("1"), map[string]string{"application/javascript": "1", "text/plain": "1"}},
		"several":      {display.MIME(display.MIMEMap{"text/html": "<b>"}, nil), map[string]string{"text/html": "<b>"}},
		"a file":       {display.File(display.MIMETypeMarkdown, file), map[string]string{"text/markdown": "# a", "text/plain": "# a"}},
		"a drawing":    {display.Auto(painted{}), map[string]string{"image/svg+xml": "<svg/>", "text/plain": "{}"}},
		"text":         {display.Auto("a"), map[string]string{"text/plain": "a"}},
		"a page":       {display.Auto(strings.NewReader("<html><b>a")), map[string]string{"text/html": "<html><b>a", "text/plain": "<html><b>a"}},
		"bytes":        {display.Auto([]byte("\x89PNG\r\n\x1a\n")), map[string]string{"image/png": "\x89PNG\r\n\x1a\n", "text/plain": "8 bytes of type image/png"}},
		"a picture":    {display.JPEG([]byte{1}), map[string]string{"image/jpeg": "\x01", "text/plain": "1 byte of type image/jpeg"}},
		"unknown data": {display.Auto([]byte{0xff}), map[string]string{"application/octet-stream": "\xff", "text/plain": "1 byte of type application/octet-stream"}},
	} {
		got := map[string]string{}
		for mime, v := range tc.data.Data {
			switch v := v.(type) {
			case string:
				got[mime] = v
			case []byte:
				got[mime] = string(v)
			}
		}
		if !maps.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	for _, bad := range []any{3, iotest.ErrReader(errors.New("broken"))} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was displayed", bad)
				}
			}()
			display.Auto(bad)
		}()
	}
	if !slices.Contains(slices.Collect(maps.Keys(display.JSON(display.MIMEMap{"a": 1}).Data)), "application/json") {
		t.Error("JSON has no data of its type")
	}
}
