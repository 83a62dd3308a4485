package kernel

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

var testKey = []byte("a key")

// testFrames is a well-formed message as it comes from a socket, signed with testKey.
func testFrames(t testing.TB) [][]byte {
	t.Helper()
	m, err := newMessage("session", "execute_request", nil, map[string]any{"code": "1"})
	if err != nil {
		t.Fatal(err)
	}
	m.Route = [][]byte{[]byte("peer"), {}}
	m.Metadata = json.RawMessage(`{"cellId":"c"}`)
	m.Buffers = [][]byte{{0, 1, 2}, {}}
	return encodeMessage(m, testKey)
}

func TestMessageRoundTrip(t *testing.T) {
	frames := testFrames(t)
	m, err := decodeMessage(frames, testKey)
	if err != nil {
		t.Fatal(err)
	}
	if m.Header.Type != "execute_request" || m.Header.Session != "session" || m.Header.Version != "5.5" {
		t.Errorf("header = %+v", m.Header)
	}
	if !reflect.DeepEqual(m.Buffers, [][]byte{{0, 1, 2}, {}}) {
		t.Errorf("buffers = %v", m.Buffers)
	}
	if again := encodeMessage(m, testKey); !reflect.DeepEqual(again, frames) {
		t.Errorf("encoded again = %q, want %q", again, frames)
	}
}

func TestDecodeMessageRejects(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f [][]byte) [][]byte
		want   string
	}{
		{"no frames", func([][]byte) [][]byte { return nil }, "no delimiter"},
		{"no delimiter", func(f [][]byte) [][]byte { return f[3:] }, "no delimiter"},
		{"too short", func(f [][]byte) [][]byte { return f[:7] }, "4 frames"},
		{"no signature", func(f [][]byte) [][]byte { f[3] = nil; return f }, "bad signature"},
		{"signature is no hex", func(f [][]byte) [][]byte { f[3] = []byte("zz"); return f }, "bad signature"},
		{"changed content", func(f [][]byte) [][]byte { f[7] = []byte(`{"code":"2"}`); return f }, "bad signature"},
		{"header is no object", func(f [][]byte) [][]byte { f[4] = []byte(`[]`); return resign(f) }, "header is not a JSON object"},
		{"header has wrong types", func(f [][]byte) [][]byte { f[4] = []byte(`{"msg_id":1}`); return resign(f) }, "decode header"},
		{"header without type", func(f [][]byte) [][]byte { f[4] = []byte(`{}`); return resign(f) }, "no msg_type"},
		{"content is no JSON", func(f [][]byte) [][]byte { f[7] = []byte(`{`); return resign(f) }, "content is not a JSON object"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := decodeMessage(tt.change(testFrames(t)), testKey)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

func resign(f [][]byte) [][]byte {
	f[3] = []byte(hex.EncodeToString(signed(f[4:8])))
	return f
}

func TestEmptyKeyNeedsNoSignature(t *testing.T) {
	frames := testFrames(t)
	frames[3] = []byte("anything")
	if _, err := decodeMessage(frames, nil); err != nil {
		t.Error(err)
	}
}

// wire is a message as it is sent.
func wire(frames [][]byte) []byte { return bytes.Join(encodeFrames(frames).parts, nil) }

func TestFramesRoundTrip(t *testing.T) {
	want := [][]byte{{}, []byte("short"), bytes.Repeat([]byte{7}, 255), bytes.Repeat([]byte{8}, 256), bytes.Repeat([]byte{9}, 100_000)}
	wire := wire(want)
	got, command, err := readFrames(bufio.NewReader(bytes.NewReader(wire)), maxMessageBytes)
	if err != nil || command || !reflect.DeepEqual(got, want) {
		t.Errorf("%d frames, command %v, error %v", len(got), command, err)
	}
	for _, n := range []int{1, 2, 5, 270, len(wire) - 1} {
		if _, _, err := readFrames(bufio.NewReader(bytes.NewReader(wire[:n])), maxMessageBytes); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut after %d bytes: error = %v", n, err)
		}
	}
}

func TestReadFramesRefusesAbsurdLengths(t *testing.T) {
	wire := []byte{flagLong, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	if _, _, err := readFrames(bufio.NewReader(bytes.NewReader(wire)), maxMessageBytes); !errors.Is(err, errTooLarge) {
		t.Errorf("error = %v", err)
	}
}

func TestAnswerCommand(t *testing.T) {
	for _, tt := range []struct{ command, want string }{
		{"\x04PING\x00\x0actx", "\x04\x08\x04PONGctx"},
		{"\x04PING\x00", ""},
		{"\x04PING\x00\x0a" + strings.Repeat("x", 17), ""},
		{"\x04PONG", ""},
		{"", ""},
	} {
		if got := answerCommand([]byte(tt.command)); string(got) != tt.want {
			t.Errorf("answerCommand(%q) = %q, want %q", tt.command, got, tt.want)
		}
	}
}

// FuzzDecode feeds raw bytes through the framing and the decoder, as a peer could.
func FuzzDecode(f *testing.F) {
	good := testFrames(f)
	f.Add(wire(good))
	f.Add(wire(good[2:]))
	f.Add(wire(good[:5]))
	f.Add(wire([][]byte{delimiter, {}, []byte("{}"), []byte("{}"), []byte("{}"), []byte("{}")}))
	f.Add([]byte{flagCommand, 5, 4, 'P', 'I', 'N', 'G'})
	f.Add([]byte{flagLong | flagMore, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		frames, command, err := readFrames(bufio.NewReader(bytes.NewReader(wire)), maxMessageBytes)
		if err != nil {
			return
		}
		if command {
			answerCommand(frames[0])
			return
		}
		m, err := decodeMessage(frames, nil)
		if err != nil {
			return
		}
		again, err := decodeMessage(encodeMessage(m, testKey), testKey)
		if err != nil {
			t.Fatalf("own encoding of %q: %v", frames, err)
		}
		again.ParentHeader()
		if again.Header != m.Header || !bytes.Equal(again.Content, m.Content) || len(again.Buffers) != len(m.Buffers) {
			t.Fatalf("round trip changed %+v to %+v", m, again)
		}
	})
}

func TestWholePrefix(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"abc", 3},
		{"é", 2},
		{"a\xc3", 1},
		{"a\xf0\x9f\x98", 1},
		{"a\xf0\x9f\x98\x80", 5},
		{"\x80\x80\x80\x80\x80", 5}, // no start in sight: not a cut, just wrong
		{"a\xff", 2},
	} {
		if got := wholePrefix(tt.text); got != tt.want {
			t.Errorf("wholePrefix(%q) = %d, want %d", tt.text, got, tt.want)
		}
	}
}

func signed(parts [][]byte) []byte {
	sum := sign(testKey, parts)
	return sum[:]
}
