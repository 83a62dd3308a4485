package kernel_test

import "testing"

// TestStillBusy checks that the last status that a front end sees while a cell runs is not idle, whatever it asks in the meantime.
func TestStillBusy(t *testing.T) {
	k := startKernel(t)
	id := k.createSubshell()
	wait := k.start("gate")
	iopub := dialRaw(t, k.conn, k.conn.IOPubPort)
	iopub.subscribe()
	shell, control := dialRaw(t, k.conn, k.conn.ShellPort), dialRaw(t, k.conn, k.conn.ControlPort)
	for _, ask := range []func(){
		func() { shell.request("complete_request", map[string]any{"code": "out x", "cursor_pos": 1}) },
		func() { control.request("list_subshell_request", map[string]any{}) },
		func() {
			shell.sendHeader(k.conn, map[string]any{"msg_type": "kernel_info_request", "subshell_id": id}, map[string]any{})
		},
		func() {
			shell.sendHeader(k.conn, map[string]any{"msg_type": "kernel_info_request", "subshell_id": "none"}, map[string]any{})
		},
	} {
		ask()
		iopub.states("busy", "idle", "busy")
	}
	k.eng.Open()
	wait()
	iopub.states("idle")
}

// TestBusyWithNextCell has a cell in a subshell that begins while another runs: the end of the first is not the last status.
func TestBusyWithNextCell(t *testing.T) {
	k := startKernel(t)
	id := k.createSubshell()
	iopub := dialRaw(t, k.conn, k.conn.IOPubPort)
	iopub.subscribe()
	shell := dialRaw(t, k.conn, k.conn.ShellPort)
	shell.request("execute_request", map[string]any{"code": "gate", "silent": true})
	iopub.states("busy")
	shell.sendHeader(k.conn, map[string]any{"msg_type": "execute_request", "subshell_id": id}, map[string]any{"code": "gate", "silent": true})
	iopub.states("busy")
	k.eng.Open()
	iopub.states("idle", "busy", "idle")
}

// states reads messages of iopub until these statuses have come, in this order and with no other status among them.
func (r *rawPeer) states(want ...string) {
	r.t.Helper()
	for _, state := range want {
		m := r.receive()
		for m.msgType != "status" {
			m = r.receive()
		}
		if m.content != `{"execution_state":"`+state+`"}` {
			r.t.Errorf("status %s, want %s", m.content, state)
		}
	}
}
