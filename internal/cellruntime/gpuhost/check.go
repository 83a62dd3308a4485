package gpuhost

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"strings"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/check"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// FindingsKey is the key of a report's findings in the metadata of its display, from which the kernel process takes them.
const FindingsKey = "gopherwarp.findings"

// reports shows the report of check mode at the end of each cell.
type reports struct {
	json  atomic.Bool  // as JSON
	asked atomic.Int32 // compilations that the kernel process has asked for

	recordings recordings
}

// cellEnd waits for the cell's unfinished work on the devices. A cell in which check mode has found
// a defect fails.
func (r *reports) cellEnd(ctx context.Context) error {
	err := gpuhooks.CellEnd(ctx)
	r.recordings.cellEnd()
	seen, reportErr := check.TakeReport()
	if seen == nil {
		return errors.Join(err, reportErr)
	}
	mime := page(seen)
	if r.json.Load() {
		if mime, err = asJSON(seen); err != nil {
			return err
		}
	}
	if h := cell.CurrentHost(); h != nil {
		h.Display(mime, map[string]any{FindingsKey: seen.Findings}, "", false)
	}
	defects := seen.Err()
	if err == nil && defects != nil {
		return defectsError{defects}
	}
	return errors.Join(err, reportErr, defects)
}

type defectsError struct{ error }

func (defectsError) ErrorKind() string { return "CUDA check" }

// page returns a report as text and as HTML.
func page(r *check.Report) map[string]any {
	summary := ""
	if r.Err() == nil {
		summary = r.Summary() // otherwise it is in the error
	}
	var b strings.Builder
	if summary != "" {
		fmt.Fprintf(&b, "<p>%s</p>\n", strings.ReplaceAll(html.EscapeString(strings.TrimSpace(summary)), "\n", "<br>"))
	}
	if len(r.Accesses) > 0 {
		b.WriteString(render.FromRows(render.Default, r.Table()).WithoutEmpty().HTML() + "\n")
	}
	fmt.Fprintf(&b, "<pre style=\"white-space: pre; overflow-x: auto; font-size: var(--jp-code-font-size, 0.9em); padding: 0\">%s</pre>", listing(r.Listing()))
	if r.Note != "" {
		fmt.Fprintf(&b, "<p>%s</p>", html.EscapeString(r.Note))
	}
	return map[string]any{"text/plain": r.String() + "\n" + r.Listing(), "text/html": b.String()}
}

// listing returns an annotated listing as HTML, in which the code has colours.
func listing(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		code, notes := line, ""
		if i := strings.LastIndex(line, check.NotesMark); i >= 0 {
			code, notes = line[:i], line[i:]
		}
		if strings.HasPrefix(line, " ") {
			code = render.CUDA(code)
		} else {
			code = html.EscapeString(code) // the name of a program
		}
		b.WriteString(code + html.EscapeString(notes))
	}
	return b.String()
}

// asJSON returns a report for programs, as text and as a value.
func asJSON(r *check.Report) (map[string]any, error) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write check mode's report as JSON: %w", err)
	}
	return map[string]any{"text/plain": string(text), "application/json": json.RawMessage(text)}, nil
}
