package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// request runs a cell and returns other fields of the reply than the status.
func (n *notebook) request(content map[string]any) string {
	n.t.Helper()
	var reply json.RawMessage
	if err := n.Request(n.t.Context(), "execute_request", content, &reply); err != nil {
		n.t.Fatal(err)
	}
	return string(reply)
}

func TestHelpCell(t *testing.T) {
	n := start(t) // help must wait until the session is ready
	for _, tt := range []struct{ code, want string }{
		{"strings.HasPrefix?", `func strings.HasPrefix(s string, prefix string) bool`},
		{"%%cuda?", `"source":"page"`},
		{"no.such?", `"evalue":"nothing is known of no.such`},
	} {
		if got := n.request(map[string]any{"code": tt.code}); !strings.Contains(got, tt.want) {
			t.Errorf("%s: reply %s, want %s", tt.code, got, tt.want)
		}
	}
}

func TestUserExpressions(t *testing.T) {
	n := open(t)
	var reply struct {
		Expressions map[string]struct {
			Status string
			Data   map[string]any
			EValue string
		} `json:"user_expressions"`
	}
	err := json.Unmarshal([]byte(n.request(map[string]any{"code": "x := []int{1, 2}", "user_expressions": map[string]string{
		"length": "len(x)", "missing": "y", "statement": "x = nil", "panics": "x[len(x)]",
	}})), &reply)
	if err != nil {
		t.Fatal(err)
	}
	got := reply.Expressions
	if v := got["length"]; v.Status != "ok" || v.Data["text/plain"] != "2" {
		t.Errorf("length: %+v", v)
	}
	for name, want := range map[string]string{
		"missing": "undefined: y", "statement": "not a Go expression", "panics": "index out of range [2]",
	} {
		if v := got[name]; v.Status != "error" || !strings.Contains(v.EValue, want) {
			t.Errorf("%s: %+v, want %q", name, v, want)
		}
	}
}

func TestLiveAndClear(t *testing.T) {
	n := open(t)
	var shown []string
	for _, code := range []string{
		"area := display.Live(display.Markdown(`one`));",
		"fmt.Println(1); display.Clear(true); area.Update(display.Markdown(`two`))", // of an earlier cell
	} {
		reply, err := n.Execute(t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: func(m *kernel.Message) {
			var c struct {
				Text      string
				Wait      bool
				Data      map[string]string
				Transient struct {
					ID string `json:"display_id"`
				}
			}
			switch err := m.DecodeContent(&c); m.Header.Type {
			case "stream", "clear_output", "display_data", "update_display_data":
				shown = append(shown, fmt.Sprintf("%s text=%q wait=%v data=%q id=%v %v", m.Header.Type, c.Text, c.Wait, c.Data["text/plain"], c.Transient.ID != "", err))
			}
		}})
		if err != nil || reply.Status != "ok" {
			t.Fatal(reply, err)
		}
	}
	want := []string{
		`display_data text="" wait=false data="one" id=true <nil>`,
		`stream text="1\n" wait=false data="" id=false <nil>`,
		`clear_output text="" wait=true data="" id=false <nil>`,
		`update_display_data text="" wait=false data="two" id=true <nil>`,
	}
	if !slices.Equal(shown, want) {
		t.Errorf("got %q, want %q", shown, want)
	}
}
