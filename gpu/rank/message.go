package rank

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
)

// protocol is what a store says first. It ends with the version: processes of a job have the same one.
const protocol = "gopherwarp-rank/1"

// The limits of what is read from a connection.
const (
	maxHeader = 8 << 10
	maxKey    = 512
	maxText   = 2 << 10 // of an error
	maxData   = 32 << 20
)

// A message is a request, its answer, or an event, which has the number 0.
type message struct {
	Op    op     `json:"op,omitempty"`
	ID    uint64 `json:"id,omitempty"` // of the request
	Error string `json:"error,omitempty"`
	Key   string `json:"-"`
	Bytes []byte `json:"key,omitempty"` // of Key, which may be no text
	Found bool   `json:"found,omitempty"`
	Rank  int    `json:"rank,omitempty"`
	Size  int    `json:"size,omitempty"`
	Call  *call  `json:"call,omitempty"`
	data  []byte
	parts [][]byte // in place of data, to be sent one after the other
	sent  func()   // is called when it was sent, or cannot be; or nil
}

func (m *message) wasSent() {
	if m.sent != nil {
		m.sent()
	}
}

// An op is what a message is about.
type op string

const (
	opHello   op = "hello" // the first message of a process, with its proof that it knows the job's name
	opSet     op = "set"
	opGet     op = "get" // waits for the key
	opLookup  op = "lookup"
	opDelete  op = "delete"
	opCancel  op = "cancel" // the request with the number is waited for no more
	opCall    op = "call"   // a contribution to a round
	opMissing op = "missing"
	opLeave   op = "leave"
	opEnded   op = "ended" // an event: the group cannot go on
)

// write sends a message.
func (m *message) write(w io.Writer) error {
	if len(m.Error) > maxText {
		m.Error = m.Error[:maxText] + "…"
	}
	m.Bytes = []byte(m.Key)
	header, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	parts := m.parts
	if parts == nil {
		parts = [][]byte{m.data}
	}
	total := 0
	for _, p := range parts {
		total += len(p)
	}
	if len(header) > maxHeader || total > maxData {
		return fmt.Errorf("writing a message: its %d and %d bytes are more than %d and %d", len(header), total, maxHeader, maxData)
	}
	begin := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	begin = binary.LittleEndian.AppendUint32(begin, uint32(total))
	all := net.Buffers{append(begin, header...)}
	for _, p := range parts {
		if len(p) > 0 {
			all = append(all, p)
		}
	}
	_, err = all.WriteTo(w)
	return err
}

// readMessage reads a message with that many bytes of data at most.
func readMessage(r io.Reader, most int) (*message, error) {
	var begin [8]byte
	if _, err := io.ReadFull(r, begin[:]); err != nil {
		return nil, err
	}
	header, data := binary.LittleEndian.Uint32(begin[:]), binary.LittleEndian.Uint32(begin[4:])
	if header > maxHeader || data > uint32(most) {
		return nil, fmt.Errorf("a message of %d and %d bytes, of %d and %d at most", header, data, maxHeader, most)
	}
	text := make([]byte, header)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	m := &message{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	m.Key = string(m.Bytes)
	m.data = make([]byte, data)
	if _, err := io.ReadFull(r, m.data); err != nil {
		return nil, fmt.Errorf("reading a message: %w", err)
	}
	return m, nil
}
