package lens

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu/internal/trace"
)

// The script and the style of a picture.
var (
	//go:embed page.js
	script string
	//go:embed page.css
	style string
)

// A page is what the script draws.
type page struct {
	*trace.Trace
	Title   string              `json:"title"`
	Sources map[string][]string `json:"sources"` // lines by file; "" is the program
	Names   map[string]string   `json:"names"`   // of the files
	Start   int                 `json:"start"`   // the step at which the picture begins
}

// MIMEBundle returns the recording as text, and as a page whose picture can be stepped through.
func (r *Recording) MIMEBundle() map[string]any {
	text := r.String()
	if r.Empty() {
		return map[string]any{"text/plain": text}
	}
	var b strings.Builder
	for i, t := range r.launches {
		b.WriteString(r.picture(t, i, largestPage/len(r.launches)))
	}
	if r.skipped > 0 {
		fmt.Fprintf(&b, "<p>%d more launches were not kept.</p>", r.skipped)
	}
	return map[string]any{"text/plain": text, "text/html": b.String()}
}

// largestPage is the maximum size in bytes of the data of all pictures. A picture whose data would be larger has fewer steps.
const largestPage = 1900 << 10

// picture returns the page of one launch, with at most largest bytes of data. Without scripts it shows the text.
func (r *Recording) picture(t *trace.Trace, number, largest int) string {
	var text strings.Builder
	r.write(&text, t)
	p, data, err := r.data(t)
	for part := 0.9; err == nil && len(data) > largest && part > 0.0001; part *= 0.8 {
		part = min(part, part*float64(largest)/float64(len(data)))
		p, data, err = r.data(t.Shortened(part))
	}
	if err != nil {
		return "<pre>" + html.EscapeString(text.String()) + "</pre>"
	}
	digest := fnv.New64a()
	digest.Write([]byte(data)) // a hash's Write never fails
	id := fmt.Sprintf("gopherwarp-lens-%x-%d", digest.Sum64(), number)
	return fmt.Sprintf(`<div class="gopherwarp-lens" id="%s" role="group" aria-label="%s">`+
		`<style>%s</style><pre class="gw-text">%s</pre>`+
		`<script type="text/plain" class="gw-data">%s</script><script>(%s)(%q)</script></div>`,
		id, html.EscapeString("Recording of "+p.Title), style, html.EscapeString(text.String()), data, strings.TrimSpace(script), id)
}

// data returns the page of a launch and its data.
func (r *Recording) data(t *trace.Trace) (*page, string, error) {
	p := &page{Trace: t, Title: title(t), Start: r.start(t), Sources: map[string][]string{}, Names: map[string]string{}}
	for _, file := range files(t) {
		p.Sources[file], p.Names[file] = r.source(t, file), programOf(t, file)
	}
	data, err := p.encode()
	return p, data, err
}

// encode returns the page's data as compressed JSON in base64.
func (p *page) encode() (string, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := json.NewEncoder(z).Encode(p); err != nil {
		return "", fmt.Errorf("encode a picture: %w", err)
	}
	if err := z.Close(); err != nil {
		return "", fmt.Errorf("encode a picture: %w", err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
