package kernel_test

import (
	"slices"
	"testing"
)

// TestCompletionOvertakesCells asks on the shell socket while a cell runs and another waits.
func TestCompletionOvertakesCells(t *testing.T) {
	k := startKernel(t)
	wait := k.start("gate")
	raw := dialRaw(t, k.conn, k.conn.ShellPort)
	raw.request("execute_request", map[string]any{"code": "out x"})
	for _, msgType := range []string{"complete_request", "inspect_request", "is_complete_request"} {
		raw.request(msgType, map[string]any{"code": "out x", "cursor_pos": 1})
	}
	want := []string{"complete_reply ok", "inspect_reply ok", "is_complete_reply complete"}
	if got := raw.replies(len(want)); !slices.Equal(got, want) {
		t.Errorf("replies %q, want %q", got, want)
	}
	k.eng.Open()
	wait()
	if got := raw.replies(1); got[0] != "execute_reply ok" {
		t.Errorf("the cell that waited: %q", got)
	}
}
