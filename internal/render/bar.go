package render

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"time"
)

// State is whether work goes on.
type State string

// The states of a bar.
const (
	Running  State = ""
	Finished State = "finished"
	Stopped  State = "stopped"
)

// A Bar shows how far a piece of work is.
type Bar struct {
	Label       string
	Done, Total int64 // Total is 0 if it is unknown
	Bytes       bool  // Done and Total are bytes
	Plain       bool  // Done is not shown, only the time
	Elapsed     time.Duration
	Rate        float64 // per second; 0 if it is unknown
	State       State
}

// fraction returns the part that is done, from 0 to 1, or -1 if it is unknown.
func (b *Bar) fraction() float64 {
	if b.Total <= 0 {
		if b.State == Finished {
			return 1
		}
		return -1
	}
	return min(1, max(0, float64(b.Done)/float64(b.Total)))
}

// Left returns the time that the rest takes at the rate so far, or -1 if it is unknown.
func (b *Bar) Left() time.Duration {
	if b.Total <= 0 || b.Rate <= 0 || b.State != Running {
		return -1
	}
	seconds := float64(max(0, b.Total-b.Done)) / b.Rate
	if seconds > (100 * 365 * 24 * time.Hour).Seconds() {
		return -1
	}
	return time.Duration(seconds * float64(time.Second))
}

// facts returns what is known besides the bar itself.
func (b *Bar) facts() string {
	var list []string
	if f := b.fraction(); f >= 0 && b.Total > 0 {
		list = append(list, fmt.Sprintf("%3.0f %%", math.Floor(100*f)))
	}
	switch {
	case b.Plain:
	case b.Total > 0:
		list = append(list, b.amount(b.Done)+" of "+b.amount(b.Total))
	default:
		list = append(list, b.amount(b.Done))
	}
	word := ""
	if b.State == Stopped {
		word = "stopped after "
	}
	list = append(list, word+Clock(b.Elapsed))
	if left := b.Left(); left >= 0 {
		list = append(list, Clock(left)+" left")
	}
	if b.Rate > 0 && !b.Plain {
		list = append(list, b.rate())
	}
	return strings.Join(list, ", ")
}

func (b *Bar) amount(n int64) string {
	if b.Bytes {
		return Bytes(uint64(max(0, n)))
	}
	return strconv.FormatInt(n, 10)
}

func (b *Bar) rate() string {
	switch {
	case b.Bytes:
		return Bytes(uint64(b.Rate)) + "/s"
	case b.Rate < 1:
		return Seconds(1/b.Rate) + " each"
	case b.Rate < 1e4:
		return strconv.FormatFloat(b.Rate, 'g', 3, 64) + "/s"
	case b.Rate < 1e6:
		return strconv.FormatFloat(b.Rate/1e3, 'f', 1, 64) + " thousand/s"
	}
	return strconv.FormatFloat(b.Rate/1e6, 'f', 1, 64) + " million/s"
}

// Clock returns a duration for reading while it passes: "3.2 s", "12 s", "3:05 min", "2:03:05 h".
func Clock(d time.Duration) string {
	d = max(0, d)
	s := int64(d / time.Second)
	switch {
	case d < 10*time.Second:
		return strconv.FormatFloat(math.Floor(d.Seconds()*10)/10, 'f', 1, 64) + " s"
	case s < 60:
		return strconv.FormatInt(s, 10) + " s"
	case s < 3600:
		return fmt.Sprintf("%d:%02d min", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d h", s/3600, s/60%60, s%60)
}

// textBar is the number of characters of a bar in text.
const textBar = 24

// Text returns the bar as a line without its end.
func (b *Bar) Text() string {
	var parts []string
	if b.Label != "" {
		parts = append(parts, b.Label)
	}
	if f := b.fraction(); f >= 0 && !b.Plain {
		eighths := int(f * textBar * 8)
		full := strings.Repeat("█", eighths/8)
		if rest := eighths % 8; rest > 0 {
			full += string([]rune("▏▎▍▌▋▊▉")[rest-1])
		}
		parts = append(parts, "|"+full+strings.Repeat(" ", textBar-(eighths+7)/8)+"|")
	}
	return strings.Join(append(parts, b.facts()), "  ")
}

// HTML returns the bar as an HTML element in the colours of the page.
func (b *Bar) HTML() string {
	colour := "var(--jp-brand-color1, #1976d2)"
	switch b.State {
	case Finished:
		colour = "var(--jp-success-color1, #388e3c)"
	case Stopped:
		colour = "var(--jp-error-color1, #d32f2f)"
	}
	now, width, shade := "", 100.0, ";opacity:.35"
	if f := b.fraction(); f >= 0 {
		now, width, shade = fmt.Sprintf(` aria-valuenow="%.0f"`, 100*f), 100*f, ""
	}
	label := html.EscapeString(b.Label)
	if label != "" {
		label = "<span>" + label + "</span>"
	}
	return fmt.Sprintf(`<div role="progressbar" aria-valuemin="0" aria-valuemax="100"%s aria-label="%s" style="display:flex;align-items:center;gap:0.8em;max-width:52em;font-variant-numeric:tabular-nums">`,
		now, html.EscapeString(b.Label)) + label +
		`<span style="flex:1;min-width:6em;height:0.6em;border-radius:0.3em;overflow:hidden;background:var(--jp-border-color2, #bdbdbd)">` +
		fmt.Sprintf(`<span style="display:block;height:100%%;width:%.1f%%;background:%s%s"></span></span>`, width, colour, shade) +
		`<span style="white-space:pre">` + html.EscapeString(b.facts()) + `</span></div>`
}

// Bars returns representations of bars one below the other by MIME type.
func Bars(bars ...*Bar) map[string]any {
	var text, page []string
	for i, b := range bars {
		indent := strings.Repeat("  ", min(i, 1))
		text, page = append(text, indent+b.Text()), append(page, b.HTML())
	}
	return map[string]any{"text/plain": strings.Join(text, "\n"), "text/html": strings.Join(page, "\n")}
}
