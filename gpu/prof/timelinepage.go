package prof

import (
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

// The script and the style of a timeline.
var (
	//go:embed timeline.js
	timelineScript string
	//go:embed timeline.css
	timelineStyle string
)

// A timelinePage is what the script draws. Times are in nanoseconds.
type timelinePage struct {
	Length int64       `json:"length"`
	Texts  []string    `json:"texts"` // names and descriptions, which the bars refer to by index
	Rows   []pageTrack `json:"rows"`
}

type pageTrack struct {
	Label  string     `json:"label"`
	Ranges bool       `json:"ranges,omitempty"`
	Bars   [][5]int64 `json:"bars"` // begin, time, name, description, and 1 for a copy
}

// page returns the timeline as a part of a page. Where scripts do not run, as in a notebook that is not trusted, it is text.
func (t *Timeline) page() string {
	p := timelinePage{Length: int64(t.length())}
	indices := map[string]int64{}
	text := func(s string) int64 {
		i, ok := indices[s]
		if !ok {
			i = int64(len(p.Texts))
			indices[s], p.Texts = i, append(p.Texts, s)
		}
		return i
	}
	for _, row := range t.tracks() {
		r := pageTrack{Label: row.label, Ranges: row.ranges}
		for _, b := range row.bars {
			isCopy := int64(0)
			if b.event != nil && !b.event.isKernel() {
				isCopy = 1
			}
			r.Bars = append(r.Bars, [5]int64{int64(b.begin), int64(b.time), text(b.name), text(b.describe()), isCopy})
		}
		p.Rows = append(p.Rows, r)
	}
	twin := html.EscapeString(t.String())
	data, err := json.Marshal(p) // which writes < as a number
	if err != nil || p.Length <= 0 {
		return "<pre>" + twin + "</pre>"
	}
	note := ""
	if t.Skipped > 0 {
		note = fmt.Sprintf("<p>The last %d events are left out.</p>", t.Skipped)
	}
	id := rand.Text()
	return fmt.Sprintf(`<div class="gw-timeline" id="%s" role="group" aria-label="Timeline of streams and ranges"><style>%s</style>`+
		`<pre class="gw-text">%s</pre><script type="text/plain" class="gw-data">%s</script><script>(%s)(%q)</script>%s</div>`,
		id, strings.TrimSpace(timelineStyle), twin, data, strings.TrimSpace(timelineScript), id, note)
}

// describe returns what is shown with the name and the times.
func (b *bar) describe() string {
	e := b.event
	switch {
	case e == nil:
		return "range"
	case e.Grid[0] > 0:
		return size(e.Grid) + " × " + size(e.Block)
	case e.Bytes > 0:
		return render.Bytes(e.Bytes) + ", " + figure(rate(int64(e.Bytes), e.Time)) + " GB/s"
	}
	return e.Kind
}
