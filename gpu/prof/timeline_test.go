package prof

import (
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

func TestTimelineText(t *testing.T) {
	event := func(kind backend.WorkKind, stream uint32, begin, took time.Duration) backend.Event {
		return backend.Event{Kind: kind, Symbol: "k<1>", Stream: stream, Begin: begin, Time: took}
	}
	p := &hook.Profiled{Profile: &backend.Profile{
		Events: []backend.Event{
			event(backend.WorkHtoD, 0, 0, 18*time.Millisecond),
			event(backend.WorkKernel, 40, 18*time.Millisecond, 36*time.Millisecond),
			event(backend.WorkKernel, 40, 36*time.Millisecond, 18*time.Millisecond), // beside the one before
			event(backend.WorkDtoH, 9, 54*time.Millisecond, 18*time.Millisecond),
		},
		Spans: []backend.Span{
			{Name: "all", Begin: 0, Time: 72 * time.Millisecond},
			{Name: "</script>", Begin: 18 * time.Millisecond, Time: 36 * time.Millisecond},
		},
		Skipped: 3,
	}}
	timeline := newTimeline(p)
	want := `               0                                                                  72 ms
ranges         ------------------------------------------------------------------------
                                 ------------------------------------
default stream ==================
stream 1                                                             ==================
stream 2                         ####################################
                                                   ##################
# kernels, = copies and fills, - ranges; the last 3 events are left out
`
	if got := timeline.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	page := timeline.page()
	if !strings.Contains(page, `"label":"stream 2"`) || strings.Count(page, "</script>") != 2 {
		t.Errorf("the page is\n%s", page)
	}
	if text := new(Timeline).String() + new(Timeline).page(); text != "<pre></pre>" {
		t.Errorf("a timeline of nothing is %q", text)
	}
}

// Work that overlaps too often for rows of its own is put into the last row, not lost.
func TestTimelineRows(t *testing.T) {
	var timeline Timeline
	for range 3 * maxTracks {
		timeline.Events = append(timeline.Events, Event{Kind: "kernel", Name: "k", Time: time.Second})
	}
	rows, bars := timeline.tracks(), 0
	for _, row := range rows {
		bars += len(row.bars)
	}
	if len(rows) != maxTracks || bars != 3*maxTracks {
		t.Errorf("%d rows with %d bars", len(rows), bars)
	}
}
