package plot

import (
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"
)

// The script that puts a drawing into the page, and its style.
var (
	//go:embed page.js
	script string
	//go:embed page.css
	style string
)

// page returns the chart as a part of a page: a picture, which the script replaces by the drawing. Where scripts do not run, as in a notebook
// that is not trusted, the picture stays.
func (c *Chart) page() string {
	id := rand.Text()
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="gw-chart" id="%s"><style>%s</style>`, id, strings.TrimSpace(style))
	fmt.Fprintf(&b, `<img alt="%s" width="%s" height="%s" src="data:image/svg+xml;base64,%s"/>`, escape(c.alt()), at(c.width), at(c.height),
		base64.StdEncoding.EncodeToString([]byte(c.svg)))
	fmt.Fprintf(&b, "<script>(%s)(%q)</script></div>", strings.TrimSpace(script), id)
	return b.String()
}

// maxAlt is the maximum length of a chart's description in bytes.
const maxAlt = 1000

// alt returns a description of the chart for those who cannot see it.
func (c *Chart) alt() string {
	text := strings.ReplaceAll(c.text, "\n", "; ")
	if len(text) > maxAlt {
		text = strings.ToValidUTF8(text[:maxAlt], "") + " …"
	}
	return text
}
