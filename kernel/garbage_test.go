package kernel_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/kernel/kerneltest"
)

// channelOf says where each type of request is sent. Those that have no reply are about comms.
var channelOf = map[string]func(kernel.ConnectionInfo) int{
	"execute_request":         shellPort,
	"is_complete_request":     shellPort,
	"complete_request":        shellPort,
	"inspect_request":         shellPort,
	"history_request":         shellPort,
	"comm_info_request":       shellPort,
	"comm_open":               shellPort,
	"comm_msg":                shellPort,
	"comm_close":              shellPort,
	"kernel_info_request":     shellPort,
	"shutdown_request":        controlPort,
	"interrupt_request":       controlPort,
	"create_subshell_request": controlPort,
	"delete_subshell_request": controlPort,
	"list_subshell_request":   controlPort,
}

func shellPort(c kernel.ConnectionInfo) int   { return c.ShellPort }
func controlPort(c kernel.ConnectionInfo) int { return c.ControlPort }

// fields are those that any content has, so that each can be missing or of a wrong type.
var fields = []string{
	"code", "silent", "store_history", "allow_stdin", "stop_on_error", "user_expressions", "cursor_pos", "detail_level",
	"output", "hist_access_type", "session", "start", "stop", "n", "pattern", "unique", "comm_id", "target_name", "data",
	"restart", "subshell_id",
}

func TestContentOfWrongTypes(t *testing.T) {
	k := startKernel(t)
	for msgType, channel := range channelOf {
		raw := dialRaw(t, k.conn, channel(k.conn))
		for _, value := range []any{
			nil, 7, -1, 1e300, true, "text",
			[]any{},
			[]any{1},
			map[string]any{},
			map[string]any{"a": 1},
			json.RawMessage(strings.Repeat("[", 500) + strings.Repeat("]", 500)),
		} {
			all := map[string]any{}
			for _, f := range fields {
				all[f] = value
			}
			contents := []map[string]any{all}
			for _, f := range fields {
				contents = append(contents, map[string]any{f: value})
			}
			for _, content := range contents {
				if msgType == "shutdown_request" && (content["restart"] == nil || reflect.TypeOf(content["restart"]).Kind() == reflect.Bool) {
					continue // is a good one
				}
				raw.request(msgType, content)
				if strings.HasPrefix(msgType, "comm_") && msgType != "comm_info_request" {
					raw.request("kernel_info_request", map[string]any{}) // its answer comes after
					raw.replies(1)
					continue
				}
				want := strings.TrimSuffix(msgType, "_request") + "_reply "
				if got := raw.replies(1)[0]; !strings.HasPrefix(got, want) || got == want {
					t.Fatalf("%s %v: reply %q, want %q with a status", msgType, content, got, want)
				}
			}
		}
	}
	k.mustRun("out alive")
}

func TestHugeCell(t *testing.T) {
	k := startKernel(t)
	text := strings.Repeat("x", 4<<20)
	if got := joinSplit(k.mustRun("out " + text)); len(got) != 1 || got[0] != "stream:stdout "+text {
		t.Errorf("%d outputs", len(got))
	}
	k.Close() // under the race detector a second reader of what follows takes half a minute
	raw := dialRaw(t, k.conn, k.conn.ShellPort)
	raw.execute("# small", true) // shows that it knows the key
	if got := raw.replies(1); !slices.Equal(got, []string{"execute_reply ok"}) {
		t.Errorf("replies %q", got)
	}
	raw.execute("# "+strings.Repeat("x", 64<<20), true)
	raw.execute("# small", true)
	if got := raw.replies(2); !slices.Equal(got, []string{"execute_reply ok", "execute_reply ok"}) {
		t.Errorf("replies %q", got)
	}
}

func TestManyMessagesAtOnce(t *testing.T) {
	const n = 10_000
	k := startKernel(t)
	raw := dialRaw(t, k.conn, k.conn.ShellPort)
	var want []string
	for i := range n { // none is read before all are sent
		switch i % 4 {
		case 0:
			raw.execute("#", false)
			want = append(want, "execute_reply ok")
		case 1:
			raw.execute("fail a b", false)
			want = append(want, "execute_reply error")
		case 2:
			raw.request("kernel_info_request", map[string]any{})
			want = append(want, "kernel_info_reply ok")
		case 3:
			raw.send([][]byte{[]byte("garbage")})
		}
	}
	if got := raw.replies(len(want)); !slices.Equal(got, want) {
		t.Error("replies are missing or out of order")
	}
	if reply, _ := k.run(kernel.ExecuteRequest{Code: "#"}); reply.Count != n/2+1 {
		t.Errorf("count %d, want %d", reply.Count, n/2+1)
	}
}

// TestStrangersDoNotStopTheKernel has what TestHandshake has come in at every socket.
func TestStrangersDoNotStopTheKernel(t *testing.T) {
	k := startKernel(t)
	hello := "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL" + strings.Repeat("\x00", 48)
	strangers := []string{
		"\x00", strings.Repeat("GET / HTTP/1.1\r\n", 8), hello + "\x06\x7f\xff\xff\xff\xff\xff\xff\xff", hello + "\x04\x00",
		hello + "\x04\x07\x05READY\x0b", hello + strings.Repeat("\x01\x00", 1<<16),
	}
	ports := []int{k.conn.ShellPort, k.conn.IOPubPort, k.conn.StdinPort, k.conn.ControlPort, k.conn.HeartbeatPort}
	for _, port := range ports {
		for _, wire := range strangers {
			c, err := net.Dial("unix", k.conn.IP+"-"+string(rune('0'+port)))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Write([]byte(wire)) // fails where the kernel hangs up early
			c.Close()
		}
	}
	k.log.waitFor(t.Context(), t, "connection refused", len(ports)*len(strangers))
	k.mustRun("out alive")
}

// quickEngine runs any cell at once, so that a fuzzer can't make it wait.
type quickEngine struct{ *kerneltest.Engine }

func (quickEngine) Execute(_ context.Context, cell kernel.Cell, _ kernel.Output) error {
	if len(cell.Code)%2 == 1 {
		return &kernel.CellError{Name: "Odd", Value: cell.Code}
	}
	return nil
}

// FuzzRequest sends a running kernel requests of any content. Each must have one answer.
func FuzzRequest(f *testing.F) {
	conn := testConnection(f)
	ended := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		ended <- kernel.Serve(ctx, conn, quickEngine{kerneltest.New()}, kernel.Config{Log: slog.New(slog.DiscardHandler)})
	}()
	f.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			f.Error(err)
		}
	})
	c, err := kernel.Dial(ctx, conn) // waits until it serves
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(c.Close)
	peers := map[int]*rawPeer{}
	for _, port := range []int{conn.ShellPort, conn.ControlPort} {
		peers[port] = dialRaw(f, conn, port)
	}
	types := slices.Sorted(maps.Keys(channelOf))
	for i := range types {
		f.Add(byte(i), []byte(`{}`))
		f.Add(byte(i), []byte(`{"code":"out?","cursor_pos":2,"user_expressions":{"a":"b"},"comm_id":"c","target_name":"echo","data":{}}`))
		f.Add(byte(i), []byte(`{"hist_access_type":"search","pattern":"*","n":-1,"unique":true,"session":-1,"start":0,"stop":-5}`))
		f.Add(byte(i), []byte(`{"code":7,"subshell_id":"x","restart":"no"}`))
	}
	f.Fuzz(func(t *testing.T, which byte, content []byte) {
		msgType := types[int(which)%len(types)]
		if msgType == "shutdown_request" || msgType == "create_subshell_request" || !json.Valid(content) {
			return // ends the kernel; fills its memory; can't be put into a message
		}
		peer := *peers[channelOf[msgType](conn)]
		peer.t = t
		peer.request(msgType, json.RawMessage(content))
		peer.request("kernel_info_request", map[string]any{}) // is answered after it
		var object map[string]json.RawMessage
		want := 1
		if json.Unmarshal(content, &object) != nil || object == nil || !strings.HasSuffix(msgType, "_request") {
			want = 0 // dropped, or of a type without a reply
		}
		reply := strings.TrimSuffix(msgType, "_request") + "_reply "
		for _, got := range peer.replies(want + 1)[:want] {
			if !strings.HasPrefix(got, reply) || got == reply {
				t.Errorf("%s %q: reply %q", msgType, content, got)
			}
		}
	})
}

// TestEndlessMessage sends a message that does not end to every socket, without the key. The kernel must hang up
// before it has taken much.
func TestEndlessMessage(t *testing.T) {
	k := startKernel(t)
	hello := "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL" + strings.Repeat("\x00", 48)
	for port, typ := range map[int]string{
		k.conn.ShellPort: "DEALER", k.conn.StdinPort: "DEALER", k.conn.ControlPort: "DEALER", k.conn.IOPubPort: "SUB", k.conn.HeartbeatPort: "REQ",
	} {
		for name, part := range map[string]string{
			"small parts": strings.Repeat("\x01\x00", 1<<10),
			"large parts": "\x03\x00\x00\x00\x00\x00\x01\x00\x00" + strings.Repeat("x", 1<<16),
			"one part":    "\x02\x00\x00\x00\x00\x3f\xff\xff\xff" + strings.Repeat("x", 1<<16),
		} {
			c, err := net.Dial("unix", k.conn.IP+"-"+strconv.Itoa(port))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			ready := "\x05READY\x0bSocket-Type\x00\x00\x00" + string(rune(len(typ))) + typ
			_, err = c.Write([]byte(hello + "\x04" + string(rune(len(ready))) + ready))
			total := 0
			for err == nil && total < 16<<20 {
				var n int
				n, err = c.Write([]byte(part))
				total += n
			}
			if err == nil {
				t.Errorf("port %d took %d bytes in %s", port, total, name)
			}
		}
	}
	k.mustRun("out alive")
}

// TestReplay sends a signed request once more, as somebody could who has seen it pass. A request that differs by its
// id alone is another one.
func TestReplay(t *testing.T) {
	k := startKernel(t)
	raw, other := dialRaw(t, k.conn, k.conn.ShellPort), dialRaw(t, k.conn, k.conn.ControlPort)
	message := func(id, msgType string) [][]byte {
		header, err := json.Marshal(map[string]string{"msg_id": id, "msg_type": msgType})
		if err != nil {
			t.Fatal(err)
		}
		return [][]byte{header, []byte("{}"), []byte("{}"), []byte(`{"code":"#"}`)}
	}
	for _, id := range []string{"1", "1", "2", "1", "2"} {
		raw.sendParts(k.conn, message(id, "execute_request"))
	}
	raw.execute("#", true)
	if got := raw.replies(3); !slices.Equal(got, slices.Repeat([]string{"execute_reply ok"}, 3)) {
		t.Errorf("replies %q", got)
	}
	other.sendParts(k.conn, message("1", "execute_request"))
	k.log.waitFor(t.Context(), t, "come before", 4)
	if reply, _ := k.run(kernel.ExecuteRequest{Code: "#"}); reply.Count != 4 {
		t.Errorf("count %d, want 4", reply.Count)
	}
}
