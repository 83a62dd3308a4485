package render_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/render"
)

func TestBar(t *testing.T) {
	for _, tc := range []struct {
		bar  render.Bar
		want string
	}{
		{
			render.Bar{Label: "a", Done: 1, Total: 3, Elapsed: 12 * time.Second, Rate: 0.25},
			"a  |████████                |   33 %, 1 of 3, 12 s, 8.0 s left, 4 s each",
		},
		{render.Bar{Done: 0, Total: 3}, "|                        |    0 %, 0 of 3, 0.0 s"},
		{render.Bar{Done: 0, Total: 0, State: render.Finished}, "|████████████████████████|  0, 0.0 s"},
		{
			render.Bar{Done: 1536, Total: 4096, Bytes: true, Elapsed: 90 * time.Second, Rate: 2048},
			"|█████████               |   37 %, 1.5 KiB of 4.0 KiB, 1:30 min, 1.2 s left, 2.0 KiB/s",
		},
		{render.Bar{Done: 5, Elapsed: 3725 * time.Second, Rate: 123456}, "5, 1:02:05 h, 123.5 thousand/s"},
		{
			render.Bar{Done: 2, Total: 100, Elapsed: time.Second, Rate: 2, State: render.Stopped},
			"|▍                       |    2 %, 2 of 100, stopped after 1.0 s, 2/s",
		},
		{render.Bar{Done: 9, Total: 3, Elapsed: time.Second, State: render.Finished}, "|████████████████████████|  100 %, 9 of 3, 1.0 s"}, // more than was said
		{render.Bar{Label: "Compiling", Plain: true, Elapsed: 1250 * time.Millisecond, State: render.Finished}, "Compiling  1.2 s"},
		{render.Bar{Done: 1, Total: 1 << 62, Rate: 1e-9, Elapsed: time.Second}, "|                        |    0 %, 1 of 4611686018427387904, 1.0 s, 1e+09 s each"},
	} {
		if got := tc.bar.Text(); got != tc.want {
			t.Errorf("%+v\n%q, want\n%q", tc.bar, got, tc.want)
		}
	}
	page := (&render.Bar{Label: "<a>", Done: 1, Total: 4}).HTML()
	for _, want := range []string{`aria-valuenow="25"`, `aria-label="&lt;a&gt;"`, "width:25.0%", "<span>&lt;a&gt;</span>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}
