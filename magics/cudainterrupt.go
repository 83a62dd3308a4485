package magics

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/waiting"
)

const (
	// compilerLimit is how long an interrupted compilation may take to end: one by NVRTC, which has no separate process, is abandoned.
	compilerLimit = 2 * time.Second
	// compilerRound is the interval at which compiler processes are searched for meanwhile: after one was killed, another may be started.
	compilerRound = 20 * time.Millisecond
)

// compile compiles a program on the device. An interrupt kills its compiler processes, for which the next cell would have to wait.
func (c *Call) compile(ctx context.Context, request gpuhost.CompileRequest, reply *gpuhost.CompileReply) error {
	end := waiting.Begin("Compiling "+request.Name, func(data map[string]any, id string, update bool) {
		if update {
			c.Out.UpdateDisplay(data, nil, id)
		} else {
			c.Out.Display(data, nil, id)
		}
	})
	defer func() {
		if end() && c.Magic != nil && c.Magic.Name == "cuda" {
			c.Out.ClearOutput(false) // there is no other output before that of the first line
		}
	}()
	session := c.session.Process()
	if session == 0 {
		return c.call(ctx, gpuhost.CallCompile, request, reply)
	}
	asking, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	done := make(chan error, 1)
	var answer gpuhost.CompileReply
	go func() { done <- c.call(asking, gpuhost.CallCompile, request, &answer) }()
	select {
	case err := <-done:
		*reply = answer
		return err
	case <-ctx.Done():
	}
	late := time.After(compilerLimit)
	for {
		endCompilers(session)
		select {
		case <-done:
			return ctx.Err()
		case <-late:
			return ctx.Err()
		case <-time.After(compilerRound):
		}
	}
}

// endCompilers kills the child processes of a session's device processes, except those that belong to the device.
func endCompilers(session int) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	isDevice := func(p children.Process) bool {
		program, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.PID))
		return err == nil && program == self
	}
	for _, p := range children.Of(session) {
		if !isDevice(p) {
			continue
		}
		for _, compiler := range children.Of(p.PID) {
			if !isDevice(compiler) {
				_ = syscall.Kill(compiler.PID, syscall.SIGKILL) // it may have exited
			}
		}
	}
}
