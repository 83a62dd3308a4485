package kernel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/gopherwarp/gopherwarp/kernel"
	"github.com/gopherwarp/gopherwarp/kernel/kerneltest"
)

// testKernel is a kernel that runs in this process, and a client of it.
type testKernel struct {
	*kernel.Client
	t      *testing.T
	eng    *kerneltest.Engine
	conn   kernel.ConnectionInfo
	log    *logBuffer
	ended  chan error
	cancel context.CancelFunc
	signal chan os.Signal
}

func startKernel(t *testing.T) *testKernel {
	t.Helper()
	return serveOn(t, testConnection(t))
}

func testConnection(t testing.TB) kernel.ConnectionInfo {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "gw") // t.TempDir is too long for a unix socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return kernel.NewIPCConnection(dir)
}

func serveOn(t *testing.T, conn kernel.ConnectionInfo) *testKernel {
	t.Helper()
	return serveWith(t, conn, kernel.Config{})
}

func serveWith(t *testing.T, conn kernel.ConnectionInfo, cfg kernel.Config) *testKernel {
	t.Helper()
	k, err := tryToServe(t, conn, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// tryToServe returns why the kernel ended if it did so before it was connected to.
func tryToServe(t *testing.T, conn kernel.ConnectionInfo, cfg kernel.Config) (*testKernel, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	k := &testKernel{
		t: t, eng: kerneltest.New(), conn: conn, log: new(logBuffer),
		ended: make(chan error, 1), cancel: cancel, signal: make(chan os.Signal),
	}
	cfg.Info = kernel.Info{Implementation: "test", Language: kernel.LanguageInfo{Name: "test"}}
	cfg.Log = slog.New(slog.NewTextHandler(k.log, nil))
	cfg.Interrupts = k.signal
	dialing, stop := context.WithCancelCause(ctx)
	go func() {
		err := kernel.Serve(ctx, conn, k.eng, cfg)
		stop(err)
		k.ended <- err
	}()
	var err error
	if k.Client, err = kernel.Dial(dialing, conn); err != nil {
		cancel()
		return nil, fmt.Errorf("%w\nlog: %s", err, k.log)
	}
	t.Cleanup(func() {
		k.cancel()
		if err := <-k.ended; err != nil {
			t.Errorf("Serve: %v", err)
		}
		k.Close()
	})
	return k, nil
}

// logBuffer keeps what the kernel logs.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// waitFor waits until the log holds text n times.
func (b *logBuffer) waitFor(ctx context.Context, t *testing.T, text string, n int) {
	t.Helper()
	for strings.Count(b.String(), text) < n {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("log lacks %d × %q: %s", n, text, b)
		}
	}
}

// shown collects the iopub messages of a cell, each as "type: what matters of the content".
type shown struct {
	mu   sync.Mutex
	list []string
	more chan struct{}
}

func newShown() *shown { return &shown{more: make(chan struct{}, 10_000)} }

func (s *shown) add(m *kernel.Message) {
	var c struct {
		Name, Text, EName, EValue string
		Code                      string
		State                     string `json:"execution_state"`
		Count                     int    `json:"execution_count"`
		Data                      map[string]any
		Transient                 map[string]any
		Wait                      bool
	}
	if err := m.DecodeContent(&c); err != nil {
		panic(err)
	}
	line := m.Header.Type + ":"
	switch m.Header.Type {
	case "status":
		line += c.State
	case "stream":
		line += c.Name + " " + c.Text
	case "execute_input":
		line += c.Code
	case "error":
		line += c.EName + " " + c.EValue
	default:
		data, _ := json.Marshal(c.Data)
		line += string(data)
		if id, ok := c.Transient["display_id"]; ok {
			line += " id " + id.(string)
		}
	}
	s.mu.Lock()
	s.list = append(s.list, line)
	s.mu.Unlock()
	s.more <- struct{}{}
}

// body returns what came between execute_input and the idle status.
func (s *shown) body() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b []string
	for _, line := range s.list {
		switch strings.SplitN(line, ":", 2)[0] {
		case "status", "execute_input":
		default:
			b = append(b, line)
		}
	}
	return b
}

func (k *testKernel) run(q kernel.ExecuteRequest) (kernel.ExecuteReply, *shown) {
	k.t.Helper()
	s := newShown()
	q.OnOutput = s.add
	reply, err := k.Execute(k.t.Context(), q)
	if err != nil {
		k.t.Fatalf("%v\nlog: %s", err, k.log)
	}
	return reply, s
}

// start runs a cell in the background and returns once it runs.
func (k *testKernel) start(code string) (wait func() (kernel.ExecuteReply, *shown)) {
	k.t.Helper()
	s := newShown()
	type result struct {
		reply kernel.ExecuteReply
		err   error
	}
	done := make(chan result, 1)
	go func() {
		reply, err := k.Execute(k.t.Context(), kernel.ExecuteRequest{Code: code, OnOutput: s.add})
		done <- result{reply, err}
	}()
	for range 2 { // busy, execute_input
		<-s.more
	}
	return func() (kernel.ExecuteReply, *shown) {
		r := <-done
		if r.err != nil {
			k.t.Error(r.err)
		}
		return r.reply, s
	}
}

func (k *testKernel) mustRun(code string) []string {
	k.t.Helper()
	reply, s := k.run(kernel.ExecuteRequest{Code: code})
	if reply.Status != "ok" {
		k.t.Errorf("cell %q: %+v", code, reply)
	}
	return s.body()
}

func TestExecuteShows(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []string
		status     string
	}{
		{"nothing", "", nil, "ok"},
		{"small writes share a message", "out a\nout b\nout c", []string{"stream:stdout abc"}, "ok"},
		{"streams keep their order", "out a\nerr b\nout c", []string{"stream:stdout a", "stream:stderr b", "stream:stdout c"}, "ok"},
		{"text before a display is sent first", "out a\ndisplay - d\nout b\nresult r", []string{
			"stream:stdout a", `display_data:{"text/plain":"d"}`, "stream:stdout b", `execute_result:{"text/plain":"r"}`,
		}, "ok"},
		{"a code point in two writes", `out "\xc3"` + "\n" + `out "\xa9"`, []string{"stream:stdout é"}, "ok"},
		{"half a code point at the end", `out "x\xc3"`, []string{"stream:stdout x", "stream:stdout \uFFFD"}, "ok"},
		{"bytes that are no text", `out "a\xffb"`, []string{"stream:stdout a\uFFFDb"}, "ok"},
		{"update", "display d1 one\nupdate d1 two", []string{
			`display_data:{"text/plain":"one"} id d1`, `update_display_data:{"text/plain":"two"} id d1`,
		}, "ok"},
		{"clear", "clear-wait", []string{"clear_output:null"}, "ok"},
		{"failure", "out a\nfail E v w", []string{"stream:stdout a", "error:E v w"}, "error"},
		{"plain error", "error no luck", []string{"error:Error no luck"}, "error"},
		{"panic of the engine", "panic oh", []string{"error:Error internal error in the kernel: oh (the kernel's log has the details)"}, "error"},
		{"value that JSON can't hold", "unshowable", []string{
			"stream:stderr application/json can't be shown: json: unsupported type: chan int\n", `display_data:{"text/plain":"shown"}`,
		}, "ok"},
		{"input without a person", "ask name?", []string{
			"error:Error input: this front end can't ask for input (it runs cells without a person); give the value in the cell instead",
		}, "error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := startKernel(t)
			reply, s := k.run(kernel.ExecuteRequest{Code: tt.code})
			if reply.Status != tt.status || reply.Count != 1 {
				t.Errorf("reply = %+v, want status %s and count 1", reply, tt.status)
			}
			if got := joinSplit(s.body()); !reflect.DeepEqual(got, joinSplit(tt.want)) {
				t.Errorf("showed %q, want %q", got, tt.want)
			}
			if first, last := s.list[0], s.list[len(s.list)-1]; first != "status:busy" || last != "status:idle" {
				t.Errorf("not within busy and idle: %q", s.list)
			}
		})
	}
}

// joinSplit joins neighbours of one stream: on a slow machine a write may miss its company.
func joinSplit(lines []string) []string {
	var joined []string
	for _, line := range lines {
		if n := len(joined); n > 0 {
			for _, prefix := range []string{"stream:stdout ", "stream:stderr "} {
				if strings.HasPrefix(line, prefix) && strings.HasPrefix(joined[n-1], prefix) {
					joined[n-1] += strings.TrimPrefix(line, prefix)
					line = ""
				}
			}
		}
		if line != "" {
			joined = append(joined, line)
		}
	}
	return joined
}

func TestManyWritesMakeFewMessages(t *testing.T) {
	k := startKernel(t)
	body := k.mustRun(strings.Repeat("out line of text\n", 2000))
	if got := strings.Join(joinSplit(body), ""); got != "stream:stdout "+strings.Repeat("line of text", 2000) {
		t.Errorf("text is not whole: %d bytes", len(got))
	}
	if len(body) > 200 {
		t.Errorf("2000 writes made %d messages", len(body))
	}
}

// TestManyUpdatesMakeFewMessages has two displays that are updated by turns, with text between the updates: the last of each is sent, before
// the cell ends and before what is shown later, and few of those before.
func TestManyUpdatesMakeFewMessages(t *testing.T) {
	const rounds = 2000
	k := startKernel(t)
	code := "display a 0\ndisplay b 0\n"
	for i := range rounds {
		code += fmt.Sprintf("update a %d\nupdate b %d\nout .\n", i+1, i+1)
	}
	body := k.mustRun(code + "display - end\nupdate a last")
	if len(body) > 400 {
		t.Errorf("%d updates made %d messages", 2*rounds, len(body))
	}
	end := slices.Index(body, `display_data:{"text/plain":"end"}`)
	last := map[string]string{}
	text := ""
	for i, line := range body {
		if update, id, ok := strings.Cut(line, " id "); ok {
			last[id] = update
		}
		text += strings.TrimPrefix(line, "stream:stdout ")
		if want := fmt.Sprintf(`update_display_data:{"text/plain":"%d"}`, rounds); i == end && (last["a"] != want || last["b"] != want) {
			t.Errorf("the last updates before the display are %v", last)
		}
	}
	if n := strings.Count(text, "."); n != rounds {
		t.Errorf("%d of %d texts", n, rounds)
	}
	if end < 0 || last["a"] != `update_display_data:{"text/plain":"last"}` {
		t.Errorf("the last update is missing: %v", last)
	}
}

// TestUpdatesThatRun has updates of one display that are scripts. All are sent, in order, before and after others.
func TestUpdatesThatRun(t *testing.T) {
	k := startKernel(t)
	code := "display a 0\nupdate a 1\nupdate a 2\n"
	var want []string
	for i := range 20 {
		script := fmt.Sprintf("<script>f(%d)</script>", i)
		code += fmt.Sprintf("update-html a %q\n", script)
		encoded, _ := json.Marshal(map[string]string{"text/html": script})
		want = append(want, fmt.Sprintf("update_display_data:%s id a", encoded))
	}
	body := k.mustRun(code + "update a 3\nupdate a 4")
	var got []string
	for _, line := range body {
		if strings.Contains(line, "text/html") {
			got = append(got, line)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("scripts were sent as %q, want %q", got, want)
	}
	before, last := `update_display_data:{"text/plain":"2"} id a`, `update_display_data:{"text/plain":"4"} id a`
	if i := slices.Index(body, before); i < 0 || i > slices.Index(body, want[0]) || body[len(body)-1] != last {
		t.Errorf("the updates before and after the scripts are not in order: %q", body)
	}
}

func TestExecutionCount(t *testing.T) {
	k := startKernel(t)
	for _, tt := range []struct {
		name  string
		q     kernel.ExecuteRequest
		count int
		input bool
	}{
		{"first", kernel.ExecuteRequest{Code: "# 1"}, 1, true},
		{"not stored", kernel.ExecuteRequest{Code: "# 2", NoHistory: true}, 2, true},
		{"stored", kernel.ExecuteRequest{Code: "# 3"}, 2, true},
		{"silent", kernel.ExecuteRequest{Code: "out x\nresult y", Silent: true}, 3, false},
		{"failing", kernel.ExecuteRequest{Code: "fail a b"}, 3, true},
		{"last", kernel.ExecuteRequest{Code: "result ok"}, 4, true},
	} {
		reply, s := k.run(tt.q)
		if reply.Count != tt.count {
			t.Errorf("%s: count %d, want %d", tt.name, reply.Count, tt.count)
		}
		if got := len(s.list) > 2; got != tt.input {
			t.Errorf("%s: showed %q", tt.name, s.list)
		}
	}
	var reply struct{ History [][3]any }
	err := k.Request(t.Context(), "history_request", map[string]any{"hist_access_type": "tail", "n": 2, "output": true}, &reply)
	want := [][3]any{{1., 3., []any{"fail a b", nil}}, {1., 4., []any{"result ok", "ok"}}}
	if err != nil || !reflect.DeepEqual(reply.History, want) {
		t.Errorf("history = %v, %v; want %v", reply.History, err, want)
	}
}

// TestFlagsOfExecute goes through what a request can say of how its cell is run.
func TestFlagsOfExecute(t *testing.T) {
	k := startKernel(t)
	count := 0
	for i := range 16 {
		silent, unstored, keepGoing, fails := i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0
		q := kernel.ExecuteRequest{Code: "out x", Silent: silent, NoHistory: unstored, KeepGoing: keepGoing}
		status := "ok"
		if fails {
			q.Code, status = "out x\nfail a b", "error"
		}
		reply, s := k.run(q)
		want := []string{"status:busy", "execute_input:" + q.Code, "stream:stdout x", "error:a b", "status:idle"}
		if !fails {
			want = slices.Delete(want, 3, 4)
		}
		if silent {
			want = []string{"status:busy", "status:idle"}
		}
		if reply.Status != status || reply.Count != count+1 || !slices.Equal(s.list, want) {
			t.Errorf("silent %v, store_history %v, stop_on_error %v, fails %v: %s, count %d, want %d; shown %q, want %q",
				silent, !unstored, !keepGoing, fails, reply.Status, reply.Count, count+1, s.list, want)
		}
		if !silent && !unstored {
			count++
		}
		var history struct{ History [][3]any }
		if err := k.Request(t.Context(), "history_request", map[string]any{"hist_access_type": "tail", "n": 100}, &history); err != nil || len(history.History) != count {
			t.Errorf("%d cells are in the history, want %d (%v)", len(history.History), count, err)
		}
	}
}

func TestHistoryOutlivesTheKernel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.sqlite")
	for session, want := range []string{
		`[[1,1,"out 0"]]`,
		`[[1,1,"out 0"],[2,1,"out 1"]]`,
	} {
		k := serveWith(t, testConnection(t), kernel.Config{History: file})
		k.mustRun("out " + string(rune('0'+session)))
		var reply struct{ History json.RawMessage }
		if err := k.Request(t.Context(), "history_request", map[string]any{"hist_access_type": "tail", "n": 5}, &reply); err != nil {
			t.Fatal(err)
		}
		if string(reply.History) != want {
			t.Errorf("session %d: history = %s, want %s", session+1, reply.History, want)
		}
		if err := k.Shutdown(t.Context(), false); err != nil {
			t.Fatal(err)
		}
		k.ended <- <-k.ended // has it all on disk
	}
}

// request content and the part of the reply that matters
func TestRequests(t *testing.T) {
	k := startKernel(t)
	for _, tt := range []struct {
		msgType string
		content any
		want    string
	}{
		{"kernel_info_request", map[string]any{}, `"protocol_version":"5.5"`},
		{"kernel_info_request", map[string]any{}, `"help_links":[]`},
		{"is_complete_request", map[string]any{"code": `out \`}, `"indent":"\t","status":"incomplete"`},
		{"is_complete_request", map[string]any{"code": `out x`}, `{"status":"complete"}`},
		{"is_complete_request", map[string]any{"code": `)(`}, `{"status":"invalid"}`},
		{"complete_request", map[string]any{"code": "err", "cursor_pos": 2}, `"matches":["err","error"]`},
		{"complete_request", map[string]any{"code": "zzz", "cursor_pos": 3}, `"matches":[]`},
		{"complete_request", map[string]any{"code": "é", "cursor_pos": 99}, `"cursor_end":1`},
		{"complete_request", map[string]any{"code": 7}, `"status":"error"`},
		{"inspect_request", map[string]any{"code": "out", "cursor_pos": 1}, `"found":true`},
		{"inspect_request", map[string]any{"code": "zzz", "cursor_pos": 1}, `"found":false`},
		{"comm_info_request", map[string]any{}, `"comms":{}`},
		{"kernel_info_request", map[string]any{}, `"supported_features":["kernel subshells"]`},
		{"execute_request", map[string]any{"code": "#", "user_expressions": map[string]any{"a": "x", "b": "fail y"}}, `"user_expressions":{"a":{"data":{"text/plain":"x"},"metadata":{},"status":"ok"},"b":{"ename":"Error","evalue":"fail y","status":"error","traceback":["Error: fail y"]}}`},
		{"execute_request", map[string]any{"code": "#", "user_expressions": nil}, `"user_expressions":{}`},
		{"execute_request", map[string]any{"code": []int{1}}, `"execution_count":2`},
		{"execute_request", map[string]any{"code": "# no other field"}, `"user_expressions":{}`},
		{"execute_request", map[string]any{"code": "out x"}, `"payload":[]`},
		{"execute_request", map[string]any{"code": "out?"}, `"payload":[{"data":{"text/plain":"out TEXT prints"},"source":"page","start":0}]`},
		{"execute_request", map[string]any{"code": "zzz?"}, `"evalue":"nothing is known of zzz: `},
		{"execute_request", map[string]any{"code": "page one\npage two"}, `{"text/plain":"two"},"source":"page"`},
		{"is_complete_request", map[string]any{"code": "out?"}, `"status":"complete"`},
	} {
		var reply json.RawMessage
		if err := k.Request(t.Context(), tt.msgType, tt.content, &reply); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(reply), tt.want) {
			t.Errorf("%s %v: reply %s, want %s", tt.msgType, tt.content, reply, tt.want)
		}
	}
}

func TestControlAnswersWhileACellRuns(t *testing.T) {
	k := startKernel(t)
	wait := k.start("gate")
	info, err := k.KernelInfoNow(t.Context())
	if err != nil || info.Implementation != "test" {
		t.Errorf("kernel_info on control = %+v, %v", info, err)
	}
	k.eng.Open()
	if reply, _ := wait(); reply.Status != "ok" {
		t.Errorf("cell ended with %+v", reply)
	}
}

func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		name string
		stop func(k *testKernel) error
	}{
		{"by message", func(k *testKernel) error { return k.Interrupt(k.t.Context()) }},
		{"by signal", func(k *testKernel) error { k.signal <- os.Interrupt; return nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := startKernel(t)
			wait := k.start("sleep")
			if err := tt.stop(k); err != nil {
				t.Fatal(err)
			}
			reply, s := wait()
			if reply.Name != "Interrupted" || !reflect.DeepEqual(s.body(), []string{"error:Interrupted the cell was interrupted"}) {
				t.Errorf("reply %+v, showed %q", reply, s.body())
			}
			k.mustRun("out still here")
		})
	}
}

func TestShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		k := startKernel(t)
		wait := k.start("sleep") // must not hold it up
		if err := k.Shutdown(t.Context(), restart); err != nil {
			t.Fatal(err)
		}
		err := <-k.ended
		k.ended <- err
		if err != nil {
			t.Errorf("Serve: %v", err)
		}
		if closed, r := k.eng.Closed(); !closed || r != restart {
			t.Errorf("engine closed %v, restart %v; want true, %v", closed, r, restart)
		}
		wait()
	}
}

func TestStopOnError(t *testing.T) {
	for _, tt := range []struct {
		name      string
		keepGoing bool
		want      string
	}{
		{"aborts what is queued", false, "aborted"},
		{"goes on when told to", true, "ok"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := startKernel(t)
			raw := dialRaw(t, k.conn, k.conn.ShellPort)
			raw.execute("gate\nfail a b", !tt.keepGoing)
			raw.execute("out second", true)
			raw.request("kernel_info_request", map[string]any{})
			raw.execute("out third", true)
			// The kernel reads a connection in order, so once it complains of this all is queued.
			raw.send([][]byte{[]byte("garbage")})
			k.log.waitFor(t.Context(), t, "no delimiter", 1)
			k.eng.Open()
			want := []string{"execute_reply error", "execute_reply " + tt.want, "kernel_info_reply ok", "execute_reply " + tt.want}
			if !tt.keepGoing {
				want[0] = "execute_reply error"
			}
			if got := raw.replies(4); !reflect.DeepEqual(got, want) {
				t.Errorf("replies %q, want %q", got, want)
			}
			k.mustRun("out runs again")
		})
	}
}

func TestGarbageDoesNotStopTheKernel(t *testing.T) {
	k := startKernel(t)
	for _, port := range []int{k.conn.ShellPort, k.conn.ControlPort, k.conn.StdinPort} {
		raw := dialRaw(t, k.conn, port)
		raw.send([][]byte{[]byte("garbage")})
		raw.send([][]byte{{}})
		bad := raw.conn
		bad.Key = "another key"
		raw.sendSigned(bad, "execute_request", map[string]any{"code": "out intruder"})
		raw.request("dance_request", map[string]any{})
	}
	pub := dialRaw(t, k.conn, k.conn.IOPubPort)
	pub.send([][]byte{[]byte("not a subscription")})
	for _, port := range []int{k.conn.ShellPort, k.conn.IOPubPort, k.conn.HeartbeatPort} {
		c, err := net.Dial("unix", k.conn.IP+"-"+string(rune('0'+port)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 8)); err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	for _, w := range []struct {
		text string
		n    int
	}{
		{"bad signature", 3}, {"no delimiter", 6}, {"unknown message type", 2}, {"takes only subscriptions", 1}, {"connection refused", 3},
	} {
		k.log.waitFor(t.Context(), t, w.text, w.n)
	}
	if body := k.mustRun("out alive"); !reflect.DeepEqual(body, []string{"stream:stdout alive"}) {
		t.Errorf("showed %q", body)
	}
}

func TestLateOutputGoesToItsOwnCell(t *testing.T) {
	k := startKernel(t)
	_, first := k.run(kernel.ExecuteRequest{Code: "later from the first cell"})
	for len(first.more) > 0 {
		<-first.more
	}
	_, second := k.run(kernel.ExecuteRequest{Code: "out second"})
	k.eng.Open()
	<-first.more
	if got := first.body(); !reflect.DeepEqual(got, []string{"stream:stdout from the first cell"}) {
		t.Errorf("first cell showed %q", got)
	}
	if got := second.body(); !reflect.DeepEqual(got, []string{"stream:stdout second"}) {
		t.Errorf("second cell showed %q", got)
	}
}

func TestInput(t *testing.T) {
	k := startKernel(t)
	reply, s := k.run(kernel.ExecuteRequest{Code: "out before\nask name?", OnInput: func(prompt string, password bool) string {
		return "answer to " + prompt
	}})
	if got := joinSplit(s.body()); reply.Status != "ok" || !reflect.DeepEqual(got, []string{"stream:stdout beforeanswer to name?"}) {
		t.Errorf("reply %+v, showed %q", reply, got)
	}
}

// TestInputWaitsForStdin has a front end whose stdin connection completes after its cell has begun to ask.
func TestInputWaitsForStdin(t *testing.T) {
	k := startKernel(t)
	iopub := dialRaw(t, k.conn, k.conn.IOPubPort)
	iopub.subscribe()
	id := zmq4.WithID(zmq4.SocketIdentity("late"))
	shell := dialRaw(t, k.conn, k.conn.ShellPort, id)
	shell.request("execute_request", map[string]any{"code": "out before\nask name?", "allow_stdin": true})
	for iopub.receive().msgType != "stream" {
	}
	stdin := dialRaw(t, k.conn, k.conn.StdinPort, id)
	if got := stdin.replies(1); got[0] != "input_request " {
		t.Errorf("on stdin came %q", got)
	}
	stdin.request("input_reply", map[string]any{"value": "x"})
	if got := shell.replies(1); got[0] != "execute_reply ok" {
		t.Errorf("reply %q", got)
	}
}

func TestInterruptEndsInput(t *testing.T) {
	k := startKernel(t)
	reply, _ := k.run(kernel.ExecuteRequest{Code: "ask name?", OnInput: func(string, bool) string {
		if err := k.Interrupt(t.Context()); err != nil {
			t.Error(err)
		}
		return "too late"
	}})
	if reply.Value != "input interrupted" {
		t.Errorf("reply %+v", reply)
	}
}

// freePort returns a port that nobody listened on a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func TestServeOverTCP(t *testing.T) {
	conn := kernel.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "k"}
	var k *testKernel
	err := error(syscall.EADDRINUSE)
	for errors.Is(err, syscall.EADDRINUSE) { // another program took one of the ports before the kernel did
		for _, port := range []*int{&conn.ShellPort, &conn.IOPubPort, &conn.StdinPort, &conn.ControlPort, &conn.HeartbeatPort} {
			*port = freePort(t)
		}
		k, err = tryToServe(t, conn, kernel.Config{})
	}
	if err != nil {
		t.Fatal(err)
	}
	k.mustRun("out x")

	// A second kernel on the same ports must say which one is taken.
	err = kernel.Serve(t.Context(), conn, kerneltest.New(), kernel.Config{})
	if err == nil || !strings.Contains(err.Error(), "heartbeat: listen on 127.0.0.1:") {
		t.Errorf("second kernel: %v", err)
	}
}

func TestReadConnectionFile(t *testing.T) {
	good := `{"transport":"tcp","ip":"127.0.0.1","shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5,"key":"k","signature_scheme":"hmac-sha256"}`
	for _, tt := range []struct{ name, text, want string }{
		{"good", good, ""},
		{"no signature", strings.NewReplacer(`"k"`, `""`, `"hmac-sha256"`, `""`).Replace(good), ""},
		{"empty", "", "is damaged"},
		{"cut off", good[:40], "is damaged"},
		{"wrong type", strings.Replace(good, ":1,", `:"one",`, 1), "is damaged"},
		{"port missing", strings.Replace(good, `"hb_port":5,`, "", 1), "hb_port is 0: want a port"},
		{"port out of range", strings.Replace(good, ":3,", ":70000,", 1), "stdin_port is 70000"},
		{"no ip", strings.Replace(good, "127.0.0.1", "", 1), "ip is missing"},
		{"unknown transport", strings.Replace(good, "tcp", "pigeon", 1), `transport is "pigeon"`},
		{"encryption", strings.Replace(good, `"key"`, `"curve_publickey":"p","curve_secretkey":"s","key"`, 1), "encrypted connections (CurveZMQ)"},
		{"unknown scheme", strings.Replace(good, "sha256", "md5", 1), "only hmac-sha256"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "c.json")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := kernel.ReadConnectionFile(file)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := kernel.ReadConnectionFile("/nowhere/c.json"); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing file: %v", err)
	}
}

func TestRisks(t *testing.T) {
	for _, tt := range []struct {
		name string
		conn kernel.ConnectionInfo
		want []string
	}{
		{"usual", kernel.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", Key: "k"}, nil},
		{"unix sockets", kernel.ConnectionInfo{Transport: "ipc", IP: "/run/user/1/kernel-1-ipc", Key: "k"}, nil},
		{"no key", kernel.ConnectionInfo{Transport: "tcp", IP: "127.0.0.1"}, []string{"not signed"}},
		{"all interfaces", kernel.ConnectionInfo{Transport: "tcp", IP: "0.0.0.0", Key: "k"}, []string{"listens on 0.0.0.0"}},
		{"both", kernel.ConnectionInfo{IP: "::"}, []string{"not signed", "listens on ::"}},
		{"any", kernel.ConnectionInfo{IP: "*", Key: "k"}, []string{"listens on *"}},
	} {
		got := tt.conn.Risks()
		if len(got) != len(tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			continue
		}
		for i, want := range tt.want {
			if !strings.Contains(got[i].String(), want) {
				t.Errorf("%s: %q, want %q", tt.name, got[i], want)
			}
		}
	}
	conn := testConnection(t)
	conn.Key = ""
	serveOn(t, conn).log.waitFor(t.Context(), t, "not signed", 1)
}

// TestStaleSockets leaves sockets behind as a kernel does that is killed, and a file that is none.
func TestStaleSockets(t *testing.T) {
	conn := testConnection(t)
	for port := conn.ShellPort; port <= conn.HeartbeatPort; port++ {
		l, err := net.ListenUnix("unix", &net.UnixAddr{Name: fmt.Sprintf("%s-%d", conn.IP, port)})
		if err != nil {
			t.Fatal(err)
		}
		l.SetUnlinkOnClose(false)
		l.Close()
	}
	k := serveOn(t, conn)
	k.mustRun("out x")
	second := kerneltest.New()
	if err := kernel.Serve(t.Context(), conn, second, kernel.Config{}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("second kernel: %v", err)
	}
	if closed, _ := second.Closed(); !closed {
		t.Error("the engine of the second kernel was not closed")
	}
	k.mustRun("out y")

	other := testConnection(t)
	file := fmt.Sprintf("%s-%d", other.IP, other.HeartbeatPort)
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := kernel.Serve(t.Context(), other, kerneltest.New(), kernel.Config{}); err == nil {
		t.Error("a file took part as a socket")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "text" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
