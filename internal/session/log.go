package session

import (
	"log/slog"
	"os/exec"
	"path/filepath"
	"time"
)

// setLogs replaces loggers that are nil by ones that discard everything.
func (c *Config) setLogs() {
	for _, log := range []**slog.Logger{&c.Log, &c.CellLog} {
		if *log == nil {
			*log = slog.New(slog.DiscardHandler)
		}
	}
}

// logCommand logs a command that has exited.
func logCommand(log *slog.Logger, began time.Time, cmd *exec.Cmd) {
	processor := time.Duration(0)
	if ended := cmd.ProcessState; ended != nil {
		processor = ended.UserTime() + ended.SystemTime()
	}
	log.Info("command", "program", filepath.Base(cmd.Path), "args", cmd.Args[1:], "took", time.Since(began), "processor", processor)
}

// logEnd waits until a session process has exited and logs it.
func (s *Session) logEnd(p *process) {
	<-p.exited
	s.config.Log.Info("session process exited", "child", p.cmd.Process.Pid, "how", p.how)
}
