package server

import (
	"log/slog"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// logged is like serve, and logs the command. Its work may complete later.
func (s *server) logged(cmd *wire.Command, data []byte) error {
	began := time.Now()
	attrs := []any{"op", cmd.Op, "seq", cmd.Seq}
	switch cmd.Op {
	case wire.OpLaunch:
		attrs = append(attrs, "func", cmd.Func, "grid", cmd.Grid, "block", cmd.Block, "shared", cmd.Shared, "stream", cmd.Stream)
	case wire.OpWrite, wire.OpRead, wire.OpUpload, wire.OpDownload, wire.OpCopy, wire.OpFill, wire.OpAllocated:
		attrs = append(attrs, "bytes", max(cmd.N, uint64(len(data))))
	}
	err := s.serve(cmd, data)
	attrs = append(attrs, slog.Duration("took", time.Since(began)))
	if err != nil {
		attrs = append(attrs, "err", err)
	}
	s.log.Info("command", attrs...)
	return err
}
