package kernel_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// control sends a request on control and decodes the reply.
func (k *testKernel) control(msgType string, content any) (reply struct {
	Status string
	ID     json.RawMessage `json:"subshell_id"`
	EName  string
},
) {
	k.t.Helper()
	raw := dialRaw(k.t, k.conn, k.conn.ControlPort)
	raw.request(msgType, content)
	m, err := raw.sock.Recv()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := json.Unmarshal(m.Frames[5], &reply); err != nil {
		k.t.Fatal(err)
	}
	return reply
}

func (k *testKernel) createSubshell() string {
	k.t.Helper()
	var id string
	if err := json.Unmarshal(k.control("create_subshell_request", map[string]any{}).ID, &id); err != nil {
		k.t.Fatal(err)
	}
	return id
}

// toSubshell sends requests to a subshell and returns the type and status of each answer.
func (k *testKernel) toSubshell(id string, requests ...string) []string {
	k.t.Helper()
	raw := dialRaw(k.t, k.conn, k.conn.ShellPort)
	for _, msgType := range requests {
		raw.sendHeader(k.conn, map[string]any{"msg_type": msgType, "subshell_id": id},
			map[string]any{"code": "out x", "cursor_pos": 1, "comm_id": "c"})
	}
	return raw.replies(len(requests))
}

func TestSubshellAnswersWhileACellRuns(t *testing.T) {
	k := startKernel(t)
	id := k.createSubshell()
	wait := k.start("gate")
	got := k.toSubshell(id, "kernel_info_request", "complete_request", "inspect_request", "comm_info_request", "is_complete_request")
	want := []string{"kernel_info_reply ok", "complete_reply ok", "inspect_reply ok", "comm_info_reply ok", "is_complete_reply complete"}
	if !slices.Equal(got, want) {
		t.Errorf("replies %q, want %q", got, want)
	}
	k.eng.Open()
	wait()
	if got := k.toSubshell(id, "execute_request"); !slices.Equal(got, []string{"execute_reply ok"}) {
		t.Errorf("cell in the subshell: %q", got)
	}
	if reply, _ := k.run(kernel.ExecuteRequest{Code: "#"}); reply.Count != 3 {
		t.Errorf("count %d after a cell in each shell, want 3", reply.Count)
	}
}

func TestSubshellWaitsForItsTurnToRunACell(t *testing.T) {
	k := startKernel(t)
	id := k.createSubshell()
	wait := k.start("gate")
	raw := dialRaw(t, k.conn, k.conn.ShellPort)
	raw.sendHeader(k.conn, map[string]any{"msg_type": "execute_request", "subshell_id": id}, map[string]any{"code": "out x"})
	raw.send([][]byte{[]byte("garbage")}) // what is read after the cell
	k.log.waitFor(t.Context(), t, "no delimiter", 1)
	if got := k.control("delete_subshell_request", map[string]any{"subshell_id": id}); got.Status != "ok" {
		t.Errorf("delete: %+v", got)
	}
	k.eng.Open()
	wait()
	if got := raw.replies(1); got[0] != "execute_reply ok" {
		t.Errorf("the cell of a deleted subshell: %q", got)
	}
}

func TestSubshellsAreListedAndDeleted(t *testing.T) {
	k := startKernel(t)
	if got := string(k.control("list_subshell_request", map[string]any{}).ID); got != "[]" {
		t.Errorf("at first: %s", got)
	}
	one, two := k.createSubshell(), k.createSubshell()
	var got []string
	if err := json.Unmarshal(k.control("list_subshell_request", map[string]any{}).ID, &got); err != nil {
		t.Fatal(err)
	}
	want := []string{one, two}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	if reply := k.control("delete_subshell_request", map[string]any{"subshell_id": one}); reply.Status != "ok" {
		t.Errorf("delete: %+v", reply)
	}
	for _, content := range []any{map[string]any{"subshell_id": one}, map[string]any{}, map[string]any{"subshell_id": 7}} {
		if reply := k.control("delete_subshell_request", content); reply.Status != "error" || reply.EName == "" {
			t.Errorf("delete %v: %+v", content, reply)
		}
	}
	if got := k.toSubshell(one, "execute_request", "kernel_info_request"); !slices.Equal(got, []string{"execute_reply error", "kernel_info_reply error"}) {
		t.Errorf("requests to a deleted subshell: %q", got)
	}
	if got := k.toSubshell(two, "kernel_info_request"); got[0] != "kernel_info_reply ok" {
		t.Errorf("request to the other one: %q", got)
	}
}

func TestShutdownWithACellWaitingInASubshell(t *testing.T) {
	k := startKernel(t)
	id := k.createSubshell()
	wait := k.start("sleep")
	raw := dialRaw(t, k.conn, k.conn.ShellPort)
	raw.sendHeader(k.conn, map[string]any{"msg_type": "execute_request", "subshell_id": id}, map[string]any{"code": "out x"})
	raw.send([][]byte{[]byte("garbage")})
	k.log.waitFor(t.Context(), t, "no delimiter", 1)
	if err := k.Shutdown(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	k.ended <- <-k.ended
	wait()
}
