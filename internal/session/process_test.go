package session

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"testing"
)

// TestEnds lets requests fail at a process that exits soon after, and at one
// that continues.
func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		name, seconds string
		err           error
		want          bool
	}{
		{"closed its socket first", "0.3", fmt.Errorf("write: %w", syscall.EPIPE), true},
		{"closed its socket while we wrote", "0.3", fmt.Errorf("write: %w", syscall.ECONNRESET), true},
		{"another error", "60", errors.New("too long"), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &process{cmd: exec.Command("sleep", tt.seconds), exited: make(chan struct{})}
			if err := p.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go func() {
				_ = p.cmd.Wait()
				close(p.exited)
			}()
			t.Cleanup(func() {
				_ = p.cmd.Process.Kill()
				<-p.exited
			})
			if got := p.ends(tt.err); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			select {
			case <-p.exited:
			default:
				if tt.want {
					t.Error("the process has not ended yet")
				}
			}
		})
	}
}
