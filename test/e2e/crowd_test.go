package e2e

import (
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/kernel"
)

// TestCrowd runs twenty notebooks at once, and one whose output goes to a subscriber that reads nothing, and one that
// exceeds its memory limit. The twenty must not be disturbed.
func TestCrowd(t *testing.T) {
	const books = 20
	muted := open(t)
	conn := connectionOf(t, muted)
	guest, err := net.Dial("unix", fmt.Sprintf("%s-%d", conn.IP, conn.IOPubPort))
	if err != nil {
		t.Fatal(err)
	}
	defer guest.Close()
	const ready = "\x05READY\x0bSocket-Type\x00\x00\x00\x03SUB"
	if _, err := fmt.Fprintf(guest, "\xff\x00\x00\x00\x00\x00\x00\x00\x00\x7f\x03\x00NULL%s\x04%c%s\x00\x01\x01", strings.Repeat("\x00", 48), len(ready), ready); err != nil {
		t.Fatal(err)
	}
	hog := open(t, "GOPHERWARP_MEMORY=300MB")

	var all, others sync.WaitGroup
	stop := make(chan struct{})
	others.Go(func() {
		for {
			n := 1_000_000
			if o := muted.cell(fmt.Sprintf("for i := range %d { fmt.Println(i, `a line that fills what waits`) }", n)); strings.Count(o.stdout, "\n") != n {
				t.Errorf("beside the mute subscriber: %d lines, %s", strings.Count(o.stdout, "\n"), o.reply.Value)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	others.Go(func() {
		for {
			if o := hog.cell("var all [][]byte\nfor { b := make([]byte, 8<<20); for i := range b { b[i] = 1 }; all = append(all, b) }"); !strings.Contains(o.reply.Value, "GOPHERWARP_MEMORY") {
				t.Errorf("the hog ended by %s", o.reply.Value)
			}
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	var mu sync.Mutex
	var slowest time.Duration
	for i := range books {
		all.Go(func() {
			n := start(t)
			for j, cell := range []string{fmt.Sprintf("x := %d", i), "x += 1", "%%cuda\n__global__ void twice(int *a) { a[0] *= 2; }", "b := gpu.ToDevice([]int32{int32(x)})\ntwice.Launch(gpu.For(1, 1), b)", "b.ToHost()"} {
				began := time.Now()
				o := n.cell(cell)
				if o.reply.Status != "ok" {
					t.Errorf("notebook %d: %s\n%s", i, cell, o.reply.Value)
				}
				if want := fmt.Sprintf("[%d]", 2*(i+1)); j == 4 && o.result != want {
					t.Errorf("notebook %d: %s, want %s", i, o.result, want)
				}
				mu.Lock()
				slowest = max(slowest, time.Since(began))
				mu.Unlock()
			}
		})
	}
	all.Wait()
	close(stop)
	others.Wait()
	t.Logf("the slowest cell took %.1f s", slowest.Seconds())
}

// connectionOf returns the connection of a kernel from its command line.
func connectionOf(t *testing.T, n *notebook) kernel.ConnectionInfo {
	t.Helper()
	conn, err := kernel.ReadConnectionFile(strings.TrimSpace(n.run(connectionFile).stdout))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// connectionFile is a cell that prints the path with which the kernel was started.
const connectionFile = `command := strings.Split(string(must(os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", os.Getppid())))), "\x00")
fmt.Println(command[3])`
