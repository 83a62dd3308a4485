package kernel_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// commSpeaker is a front end's end of comms.
type commSpeaker struct {
	k            *testKernel
	shell, iopub *rawPeer
}

func startComms(t *testing.T) *commSpeaker {
	t.Helper()
	k := startKernel(t)
	c := &commSpeaker{k, dialRaw(t, k.conn, k.conn.ShellPort), dialRaw(t, k.conn, k.conn.IOPubPort)}
	c.iopub.subscribe()
	return c
}

// say sends one message and returns what is broadcast between its busy and idle.
func (c *commSpeaker) say(msgType string, content any, buffers ...[]byte) []rawMessage {
	c.k.t.Helper()
	c.shell.sendSigned(c.k.conn, msgType, content, buffers...)
	var got []rawMessage
	for {
		switch m := c.iopub.receive(); {
		case m.msgType != "status":
			got = append(got, m)
		case strings.Contains(m.content, "idle"):
			return got
		}
	}
}

func (c *commSpeaker) open() map[string]any {
	c.k.t.Helper()
	var reply struct{ Comms map[string]any }
	if err := c.k.Request(c.k.t.Context(), "comm_info_request", map[string]any{}, &reply); err != nil {
		c.k.t.Fatal(err)
	}
	for c.iopub.receive().content != `{"execution_state":"idle"}` {
	}
	return reply.Comms
}

func TestCommEchoes(t *testing.T) {
	c := startComms(t)
	open := map[string]any{"comm_id": "c1", "target_name": "echo", "data": map[string]any{"n": 1}}
	for _, tt := range []struct {
		msgType string
		content any
		buffers [][]byte
		want    []rawMessage
	}{
		{"comm_open", open, nil, []rawMessage{{"comm_msg", `{"comm_id":"c1","data":{"n":1}}`, "{}", nil}}},
		{"comm_open", open, nil, nil}, // the id is taken
		{
			"comm_msg",
			map[string]any{"comm_id": "c1", "data": map[string]any{"n": 2}},
			[][]byte{{0, 1}, {}, []byte("x")},
			[]rawMessage{{"comm_msg", `{"comm_id":"c1","data":{"n":2}}`, "{}", [][]byte{{0, 1}, {}, []byte("x")}}},
		},
		{"comm_msg", map[string]any{"comm_id": "c2", "data": 1}, nil, nil},
		{"comm_msg", map[string]any{"comm_id": 7}, nil, nil},
		{"comm_msg", map[string]any{}, nil, nil},
		{"comm_close", map[string]any{"comm_id": "c2"}, nil, nil},
		{"comm_close", map[string]any{"comm_id": "c1", "data": map[string]any{}}, nil, nil},
		{"comm_msg", map[string]any{"comm_id": "c1", "data": 1}, nil, nil}, // closed
		{"comm_open", open, nil, []rawMessage{{"comm_msg", `{"comm_id":"c1","data":{"n":1}}`, "{}", nil}}},
		{"comm_msg", map[string]any{"comm_id": "c1", "data": nil}, nil, []rawMessage{{"comm_close", `{"comm_id":"c1","data":{}}`, "{}", nil}}},
	} {
		got := c.say(tt.msgType, tt.content, tt.buffers...)
		for i := range got {
			if len(got[i].buffers) == 0 {
				got[i].buffers = nil
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %v: got %q, want %q", tt.msgType, tt.content, got, tt.want)
		}
	}
	if comms := c.open(); len(comms) != 0 {
		t.Errorf("open at the end: %v", comms)
	}
}

func TestCommOfUnknownTargetIsClosed(t *testing.T) {
	c := startComms(t)
	for _, content := range []any{
		map[string]any{"comm_id": "c", "target_name": "nowhere"},
		map[string]any{"comm_id": "c"},
	} {
		got := c.say("comm_open", content)
		if len(got) != 1 || got[0].msgType != "comm_close" || got[0].content != `{"comm_id":"c","data":{}}` {
			t.Errorf("%v: got %q", content, got)
		}
	}
}

func TestCommsThatAreOpenAreListed(t *testing.T) {
	c := startComms(t)
	c.say("comm_open", map[string]any{"comm_id": "c1", "target_name": "echo"})
	opened := c.say("execute_request", map[string]any{"code": "comm widget"})
	var content struct {
		ID     string          `json:"comm_id"`
		Target string          `json:"target_name"`
		Data   json.RawMessage `json:"data"`
	}
	if len(opened) != 2 || opened[1].msgType != "comm_open" || json.Unmarshal([]byte(opened[1].content), &content) != nil ||
		content.Target != "widget" || string(content.Data) != `{"hello":1}` {
		t.Fatalf("the cell showed %q", opened)
	}
	want := map[string]any{
		"c1":       map[string]any{"target_name": "echo"},
		content.ID: map[string]any{"target_name": "widget"},
	}
	if got := c.open(); !reflect.DeepEqual(got, want) {
		t.Errorf("open comms = %v, want %v", got, want)
	}
	var reply struct{ Comms map[string]any }
	if err := c.k.Request(t.Context(), "comm_info_request", map[string]any{"target_name": "widget"}, &reply); err != nil || len(reply.Comms) != 1 {
		t.Errorf("open comms of one target = %v, %v", reply.Comms, err)
	}
}
