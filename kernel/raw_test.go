package kernel_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/go-zeromq/zmq4"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// rawPeer is a plain ZeroMQ socket that shares no code with the kernel, for messages that the
// client would never send.
type rawPeer struct {
	t    testing.TB
	conn kernel.ConnectionInfo
	sock zmq4.Socket
}

func dialRaw(t testing.TB, conn kernel.ConnectionInfo, port int, options ...zmq4.Option) *rawPeer {
	t.Helper()
	sock := zmq4.NewDealer(t.Context(), options...)
	if port == conn.IOPubPort {
		sock = zmq4.NewXSub(t.Context())
	}
	if err := sock.Dial("ipc://" + conn.IP + "-" + strconv.Itoa(port)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sock.Close() })
	return &rawPeer{t, conn, sock}
}

func (r *rawPeer) send(frames [][]byte) {
	r.t.Helper()
	if err := r.sock.SendMulti(zmq4.NewMsgFrom(frames...)); err != nil {
		r.t.Fatal(err)
	}
}

// subscribe takes everything that the kernel broadcasts from the moment it returns.
func (r *rawPeer) subscribe() {
	r.t.Helper()
	r.send([][]byte{{1}})
	if m := r.receive(); m.msgType != "iopub_welcome" {
		r.t.Fatalf("first message is %s", m.msgType)
	}
	if m := r.receive(); m.msgType != "status" {
		r.t.Fatalf("a new subscriber is not told the kernel's state, but %s", m.msgType)
	}
}

// rawMessage is the part of a message that tests look at.
type rawMessage struct {
	msgType, content, metadata string
	buffers                    [][]byte
}

func (r *rawPeer) receive() rawMessage {
	r.t.Helper()
	m, err := r.sock.Recv()
	if err != nil {
		r.t.Fatal(err)
	}
	var header struct {
		Type string `json:"msg_type"`
	}
	f := m.Frames
	if err := json.Unmarshal(f[3], &header); err != nil {
		r.t.Fatal(err)
	}
	return rawMessage{header.Type, string(f[6]), string(f[5]), f[7:]}
}

func (r *rawPeer) request(msgType string, content any) { r.sendSigned(r.conn, msgType, content) }

func (r *rawPeer) execute(code string, stopOnError bool) {
	r.request("execute_request", map[string]any{"code": code, "stop_on_error": stopOnError})
}

func (r *rawPeer) sendSigned(conn kernel.ConnectionInfo, msgType string, content any, buffers ...[]byte) {
	r.t.Helper()
	r.sendHeader(conn, map[string]any{"msg_type": msgType}, content, buffers...)
}

func (r *rawPeer) sendHeader(conn kernel.ConnectionInfo, head map[string]any, content any, buffers ...[]byte) {
	r.t.Helper()
	head["msg_id"] = rand.Text()
	header, err := json.Marshal(head)
	if err != nil {
		r.t.Fatal(err)
	}
	body, err := json.Marshal(content)
	if err != nil {
		r.t.Fatal(err)
	}
	r.sendParts(conn, [][]byte{header, []byte("{}"), []byte("{}"), body}, buffers...)
}

// sendParts signs and sends what a message consists of.
func (r *rawPeer) sendParts(conn kernel.ConnectionInfo, parts [][]byte, buffers ...[]byte) {
	r.t.Helper()
	mac := hmac.New(sha256.New, []byte(conn.Key))
	for _, p := range parts {
		mac.Write(p)
	}
	r.send(append([][]byte{[]byte("<IDS|MSG>"), []byte(hex.EncodeToString(mac.Sum(nil)))}, append(parts, buffers...)...))
}

// replies waits for n answers and returns the type and status of each.
func (r *rawPeer) replies(n int) []string {
	r.t.Helper()
	var got []string
	for range n {
		m, err := r.sock.Recv()
		if err != nil {
			r.t.Fatal(err)
		}
		var header struct {
			Type string `json:"msg_type"`
		}
		var content struct{ Status string }
		if err := json.Unmarshal(m.Frames[2], &header); err != nil {
			r.t.Fatal(err)
		}
		if err := json.Unmarshal(m.Frames[5], &content); err != nil {
			r.t.Fatal(err)
		}
		got = append(got, header.Type+" "+content.Status)
	}
	return got
}
