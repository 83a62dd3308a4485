package display

import (
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/valuefmt"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// The script of a player.
//
//go:embed animate.js
var player string

// animation is a sequence of pictures with the controls of a player.
type animation struct {
	frames    []string // addresses of the pictures
	texts     []string
	perSecond float64
	first     []byte // the first picture as PNG, or nil
}

// Animate returns a player of n pictures, shown so many per second: what frame returns, from 0 to n-1, an image.Image, a chart, a PNG or an SVG.
// The pictures are in the notebook, so that the player works without the kernel. It panics if n is not positive, perSecond is not a positive
// number, or a value is not a picture.
//
//	display.Animate(60, 20, func(i int) any { return display.Gray(step(i), width) })
func Animate(n int, perSecond float64, frame func(i int) any) Bundle {
	if n <= 0 || !(perSecond > 0 && perSecond <= 1000) {
		panic(fmt.Sprintf("display.Animate: %d pictures, %v per second", n, perSecond))
	}
	a := &animation{perSecond: perSecond}
	for i := range n {
		address, text, content, err := picture(frame(i))
		if err != nil {
			panic(fmt.Sprintf("display.Animate: picture %d: %v", i, err))
		}
		if i == 0 {
			a.first = content
		}
		a.frames, a.texts = append(a.frames, address), append(a.texts, text)
	}
	return a
}

// picture returns the address of a value's picture, its text, and its contents if it is a PNG.
func picture(v any) (address, text string, content []byte, err error) {
	mime, _, ok := valuefmt.Of(v)
	if !ok {
		return "", "", nil, fmt.Errorf("a value of type %T is not a picture: return an image.Image, a chart, display.PNG or display.SVG", v)
	}
	text, _ = mime["text/plain"].(string)
	for _, name := range []string{"image/png", "image/jpeg", "image/svg+xml"} {
		switch data := mime[name].(type) {
		case error:
			return "", "", nil, data
		case []byte:
			content = data
		case string:
			content = []byte(data)
			if name != "image/svg+xml" { // which is not in base64
				if content, err = base64.StdEncoding.DecodeString(data); err != nil {
					return "", "", nil, fmt.Errorf("read the data of type %s: %w", name, err)
				}
			}
		default:
			continue
		}
		address = "data:" + name + ";base64," + base64.StdEncoding.EncodeToString(content)
		if name != "image/png" {
			content = nil
		}
		return address, text, content, nil
	}
	return "", "", nil, fmt.Errorf("a value of type %T has no picture: return an image.Image, a chart, display.PNG or display.SVG", v)
}

// MIMEBundle returns the player, the first picture, and the first and the last text.
func (a *animation) MIMEBundle() map[string]any {
	n := len(a.frames)
	text := fmt.Sprintf("animation of %s, %g per second", render.Count(n, "picture", "pictures"), a.perSecond)
	for _, i := range []int{0, n - 1}[:min(n, 2)] {
		if a.texts[i] != "" {
			text += fmt.Sprintf("\npicture %d:\n%s", i, a.texts[i])
		}
	}
	id := rand.Text()
	frames, _ := json.Marshal(a.frames) // strings
	var b strings.Builder
	fmt.Fprintf(&b, `<div class="gw-player" id="%s"><img alt="%s" style="max-width:100%%" src="%s"/>`, id, html.EscapeString(text), a.frames[0])
	fmt.Fprintf(&b, `<div hidden><button type="button" style="width:5em">Pause</button> <input type="range" min="0" max="%d" value="0" aria-label="picture" style="width:22em;vertical-align:middle"/> <output></output></div>`, n-1)
	fmt.Fprintf(&b, `<script type="application/json">%s</script><script>(%s)(%q, %d)</script></div>`, frames, strings.TrimSpace(player), id, int(math.Round(1000/a.perSecond)))
	mime := map[string]any{"text/html": b.String(), "text/plain": text}
	if a.first != nil {
		mime["image/png"] = a.first
	}
	return mime
}
