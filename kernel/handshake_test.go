package kernel

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
)

// handshakes are what strangers may say, with what is wrong about it.
func handshakes() map[string]struct{ wire, want string } {
	hello := string(greeting())
	ready := func(body string) string { return hello + string(appendFrame(nil, flagCommand, []byte(body))) }
	return map[string]struct{ wire, want string }{
		"good":                   {hello + string(readyCommand(dealerSocket, "me")), ""},
		"long identity":          {hello + string(readyCommand(dealerSocket, strings.Repeat("i", 300))), ""},
		"other spelling":         {ready("\x05READY\x0bSOCKET-TYPE\x00\x00\x00\x06DEALER\x05other\x00\x00\x00\x01x"), ""},
		"nothing":                {"", "EOF"},
		"half a greeting":        {hello[:20], "unexpected EOF"},
		"web browser":            {strings.Repeat("GET / HTTP/1.1\r\n", 8), "does not speak ZeroMQ"},
		"version 2":              {hello[:10] + "\x02" + hello[11:], "speaks version 2"},
		"encryption":             {hello[:12] + "CURVE" + hello[17:], `wants security "CURVE"`},
		"absurd length":          {hello + "\x06\x7f\xff\xff\xff\xff\xff\xff\xff", "too large"},
		"length that overflows":  {hello + "\x06\xff\xff\xff\xff\xff\xff\xff\xff", "too large"},
		"endless empty frames":   {hello + strings.Repeat("\x01\x00", maxReadyBytes), "too large"},
		"message":                {hello + "\x00\x01x", "before it was ready"},
		"empty command":          {ready(""), `said "" instead`},
		"other command":          {ready("\x05ERROR\x02no"), `said "\x05ERROR\x02no" instead`},
		"no properties":          {ready("\x05READY"), `a "" socket cannot talk`},
		"name cut off":           {ready("\x05READY\x0bSocket"), "cut off"},
		"value's length cut off": {ready("\x05READY\x0bSocket-Type\x00\x00"), "cut off"},
		"value cut off":          {ready("\x05READY\x0bSocket-Type\xff\xff\xff\xffDEALER"), "cut off"},
		"socket that does not fit": {
			hello + string(readyCommand(subSocket, "")), `a "SUB" socket cannot talk to a "ROUTER" socket`,
		},
	}
}

func TestHandshake(t *testing.T) {
	for name, tt := range handshakes() {
		t.Run(name, func(t *testing.T) {
			_, err := shakeHands(io.Discard, bufio.NewReader(strings.NewReader(tt.wire)), routerSocket, "")
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// FuzzHandshake has strangers say anything before they are known.
func FuzzHandshake(f *testing.F) {
	for _, h := range handshakes() {
		f.Add([]byte(h.wire))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		id, err := shakeHands(io.Discard, bufio.NewReader(bytes.NewReader(wire)), routerSocket, "")
		if err == nil && !bytes.Contains(wire, []byte(id)) {
			t.Errorf("identity %q came from nowhere", id)
		}
	})
}
