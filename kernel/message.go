package kernel

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// protocolVersion is the version of the Jupyter messaging protocol that is implemented here.
const protocolVersion = "5.5"

// delimiter separates the routing frames from the message proper.
var delimiter = []byte("<IDS|MSG>")

// A Header identifies a message and its type.
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"` // the subshell that it belongs to
}

// A Message is a Jupyter message.
type Message struct {
	// Route holds the frames before the delimiter: the peer's identity on a ROUTER socket,
	// the topic on iopub.
	Route  [][]byte
	Header Header
	// RawHeader is the header as it was received. Answers have it as their parent, including unknown fields.
	RawHeader json.RawMessage
	Parent    json.RawMessage // the header of the message that this one answers, or {}
	Metadata  json.RawMessage
	Content   json.RawMessage
	Buffers   [][]byte

	signature signature // of a message that was decoded with a key
}

// ParentHeader decodes the header of the message that this one answers. It is zero if there is none.
func (m *Message) ParentHeader() Header {
	var h Header
	_ = json.Unmarshal(m.Parent, &h) // Parent was checked to be an object when decoded
	return h
}

// DecodeContent decodes the content into v.
func (m *Message) DecodeContent(v any) error {
	if err := json.Unmarshal(m.Content, v); err != nil {
		return fmt.Errorf("decode content of %s: %w", m.Header.Type, err)
	}
	return nil
}

var (
	errSignature = errors.New("bad signature")
	errReplayed  = errors.New("the same message has come before")
)

// decodeMessage decodes the frames of a ZeroMQ message. With an empty key it accepts any signature.
func decodeMessage(frames [][]byte, key []byte) (*Message, error) {
	at := -1
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("no delimiter in a message of %d frames", len(frames))
	}
	body := frames[at+1:]
	if len(body) < 5 {
		return nil, fmt.Errorf("%d frames after the delimiter: want at least 5", len(body))
	}
	var sum signature
	if len(key) > 0 {
		got, err := hex.AppendDecode(nil, body[0])
		sum = sign(key, body[1:5])
		if err != nil || !hmac.Equal(got, sum[:]) {
			return nil, errSignature
		}
	}
	m := &Message{
		signature: sum,
		Route:     frames[:at],
		RawHeader: body[1],
		Parent:    body[2],
		Metadata:  body[3],
		Content:   body[4],
		Buffers:   body[5:],
	}
	for i, name := range []string{"header", "parent header", "metadata", "content"} {
		if !isObject(body[1+i]) {
			return nil, fmt.Errorf("%s is not a JSON object", name)
		}
	}
	if err := json.Unmarshal(m.RawHeader, &m.Header); err != nil {
		return nil, fmt.Errorf("decode header: %w", err)
	}
	if m.Header.Type == "" {
		return nil, errors.New("header has no msg_type")
	}
	return m, nil
}

// encodeMessage is the inverse of decodeMessage. With an empty key the signature is empty.
func encodeMessage(m *Message, key []byte) [][]byte {
	parts := [][]byte{m.RawHeader, orEmpty(m.Parent), orEmpty(m.Metadata), orEmpty(m.Content)}
	var sig []byte
	if len(key) > 0 {
		sum := sign(key, parts)
		sig = hex.AppendEncode(nil, sum[:])
	}
	frames := make([][]byte, 0, len(m.Route)+6+len(m.Buffers))
	frames = append(frames, m.Route...)
	frames = append(frames, delimiter, sig)
	frames = append(frames, parts...)
	return append(frames, m.Buffers...)
}

// newMessage returns a message with a new id that answers parent, a raw header or nil.
func newMessage(session, msgType string, parent json.RawMessage, body any) (*Message, error) {
	h := Header{
		ID:       newID(),
		Session:  session,
		Username: "gopherwarp",
		Date:     time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"),
		Type:     msgType,
		Version:  protocolVersion,
	}
	raw, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode header of %s: %w", msgType, err)
	}
	data, err := encodeContent(body)
	if err != nil {
		return nil, fmt.Errorf("encode content of %s: %w", msgType, err)
	}
	return &Message{Header: h, RawHeader: raw, Parent: parent, Content: data}, nil
}

func encodeContent(body any) (json.RawMessage, error) {
	if c, ok := body.(content); ok {
		return c.encode(), nil
	}
	return json.Marshal(body)
}

func sign(key []byte, parts [][]byte) signature {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		mac.Write(p)
	}
	return signature(mac.Sum(nil))
}

// isObject reports whether data is one JSON object.
func isObject(data []byte) bool {
	t := bytes.TrimLeft(data, " \t\r\n")
	return len(t) > 0 && t[0] == '{' && json.Valid(data)
}

func orEmpty(raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}
