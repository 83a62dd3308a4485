package session

import (
	"log/slog"
	"path/filepath"
	"time"
)

// setLogs has loggers that are nil discard what they are told.
func (c *Config) setLogs() {
	for _, log := range []**slog.Logger{&c.Log, &c.CellLog} {
		if *log == nil {
			*log = slog.New(slog.DiscardHandler)
		}
	}
}

// logCommand logs a command that has ended.
func logCommand(log *slog.Logger, began time.Time, program string, args []string) {
	log.Info("command", "program", filepath.Base(program), "args", args, "took", time.Since(began))
}

// logEnd waits for the end of a session process and logs it.
func (s *Session) logEnd(p *process) {
	<-p.exited
	s.config.Log.Info("a session process ended", "child", p.cmd.Process.Pid, "how", p.how)
}
