package framing_test

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/gopherwarp/gopherwarp/internal/framing"
)

func TestMessages(t *testing.T) {
	var stream bytes.Buffer
	want := []string{"", "one", strings.Repeat("é", 5000)}
	for _, text := range want {
		if err := framing.Write(&stream, map[string]string{"text": text}); err != nil {
			t.Fatal(err)
		}
	}
	in := bufio.NewReader(&stream)
	for _, text := range want {
		var got struct{ Text string }
		if err := framing.Read(in, &got); err != nil || got.Text != text {
			t.Errorf("got %d bytes and %v, want %d", len(got.Text), err, len(text))
		}
	}
	if err := framing.Read(in, new(any)); err == nil {
		t.Error("there was one more message")
	}
}

func TestBadMessages(t *testing.T) {
	for name, text := range map[string]string{
		"no length":       "Content-Type: x\r\n\r\n{}",
		"negative length": "Content-Length: -1\r\n\r\n{}",
		"endless length":  "Content-Length: 99999999999\r\n\r\n{}",
		"cut off":         "Content-Length: 10\r\n\r\n{}",
		"not JSON":        "Content-Length: 2\r\n\r\n{x",
		"no header":       "{}",
	} {
		if err := framing.Read(bufio.NewReader(strings.NewReader(text)), new(any)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
