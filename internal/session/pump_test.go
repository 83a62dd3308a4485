package session

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// TestPumps writes to both pipes as a session process does.
func TestPumps(t *testing.T) {
	const nonce = "nonce"
	var text, out strings.Builder // of both as it is passed on, and of the first alone
	sinks := [2]func(string){
		func(s string) { text.WriteString(s); out.WriteString(s) },
		func(s string) { text.WriteString(s) },
	}
	var pumps [2]*pump
	var writers [2]*os.File
	for i := range pumps {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		pumps[i], writers[i] = newPump(nonce, r, sinks[i], func() {}), w
	}
	pumps[1].after(pumps[0])
	for _, p := range pumps {
		go p.run()
	}
	const lines = 2000
	for i := range lines {
		fmt.Fprintf(writers[0], "out %d\n", i)
		fmt.Fprintf(writers[1], "err %d\n", i)
	}
	fmt.Fprint(writers[0], "zero \x00 byte, cut character \xe2\x82")
	for i, w := range writers {
		fmt.Fprint(w, proto.Marker(nonce, 1))
		pumps[i].wait(1, time.Minute)
		w.Close()
		pumps[i].wait(2, time.Minute) // the end
	}
	got := text.String()
	for i := range lines {
		out, err := strings.Index(got, fmt.Sprintf("out %d\n", i)), strings.Index(got, fmt.Sprintf("err %d\n", i))
		if out < 0 || err < out {
			t.Fatalf("line %d of standard output is at %d, that of standard error, printed later, at %d", i, out, err)
		}
	}
	// The incomplete character is held back, so standard error may come before it.
	if out := out.String(); !strings.HasSuffix(out, "zero \x00 byte, cut character \xe2\x82") {
		t.Errorf("standard output ends with %q", out[max(0, len(out)-100):])
	}
	if strings.Contains(got, nonce) {
		t.Errorf("a marker was passed on in %q", got[max(0, len(got)-100):])
	}
}
