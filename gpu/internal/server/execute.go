package server

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// An action executes the commands of one operation without a result. The command and its data are memory of the ring: they are
// valid until it returns.
type action func(s *server, cmd *wire.Command, data []byte) error

// A question executes the commands of one operation whose result the session waits for.
type question func(s *server, cmd *wire.Command, data []byte) (result, error)

// operations are the actions and questions, by their operations. They are fields of the server, since a variable of the package
// would be an initialization cycle: graphs execute commands, too. There are two lists because a launch by a function with a
// result takes 10 ns longer, half of its usual time.
type operations struct {
	actions   [wire.OpEnd]action
	questions [wire.OpEnd]question
}

func newOperations() operations {
	return operations{
		actions: [wire.OpEnd]action{
			wire.OpMessage: func(s *server, _ *wire.Command, _ []byte) error { return s.answer() },

			wire.OpLaunch:       (*server).launchKernel,
			wire.OpGraphLaunch:  (*server).launchGraph,
			wire.OpGraphDestroy: func(s *server, c *wire.Command, _ []byte) error { return s.graphs.destroy(c.Arg) },
			wire.OpCall:         (*server).call,

			wire.OpWrite: (*server).write,
			wire.OpCopy:  (*server).copy,
			wire.OpFill:  (*server).fill,

			wire.OpReleaseChunk:   func(s *server, c *wire.Command, _ []byte) error { return s.dev.ReleaseChunk(c.Dst) },
			wire.OpUnpin:          func(s *server, c *wire.Command, _ []byte) error { return s.unpin(c.Arg) },
			wire.OpUnload:         func(s *server, c *wire.Command, _ []byte) error { return s.dev.Unload(c.Arg) },
			wire.OpTextureDestroy: (*server).textureDestroy,

			wire.OpStreamCreate:  (*server).streamCreate,
			wire.OpStreamDestroy: (*server).streamDestroy,
			wire.OpStreamWait:    (*server).streamWait,
			wire.OpEventCreate:   (*server).eventCreate,
			wire.OpEventDestroy:  (*server).eventDestroy,
			wire.OpEventRecord:   (*server).eventRecord,

			wire.OpAllocated: (*server).allocated,
			wire.OpFreed:     (*server).freed,
			wire.OpViews:     (*server).views,

			wire.OpCollective: func(s *server, c *wire.Command, data []byte) error { return s.groups.collect(c, data) },
			wire.OpLeave:      func(s *server, c *wire.Command, _ []byte) error { return s.groups.leave(c.Arg) },

			wire.OpRangeStart: (*server).rangeStart,
			wire.OpRangeEnd:   (*server).rangeEnd,
		},
		questions: [wire.OpEnd]question{
			wire.OpRead:         (*server).read,
			wire.OpUpload:       (*server).upload,
			wire.OpDownload:     (*server).download,
			wire.OpStreamSync:   (*server).streamSync,
			wire.OpStreamQuery:  (*server).streamQuery,
			wire.OpEventSync:    (*server).eventSync,
			wire.OpEventQuery:   (*server).eventQuery,
			wire.OpEventElapsed: (*server).eventElapsed,
			wire.OpSync:         (*server).sync,
			wire.OpJoined:       (*server).joined,
		},
	}
}

// execute executes one command.
func (s *server) execute(cmd *wire.Command, data []byte) (r result, err error) {
	s.heed(cmd)
	switch {
	case cmd.Op >= wire.OpEnd:
		err = outOfRange("command", uint64(cmd.Op))
	case s.actions[cmd.Op] != nil:
		err = s.actions[cmd.Op](s, cmd, data)
	case s.questions[cmd.Op] != nil:
		r, err = s.questions[cmd.Op](s, cmd, data)
	default:
		err = outOfRange("command", uint64(cmd.Op))
	}
	if cmd.Slot != wire.NoSlot {
		err = errors.Join(err, s.waits.settle())
	}
	return r, err
}

func (s *server) launchKernel(cmd *wire.Command, data []byte) error {
	l := &s.launch
	l.Func, l.Grid, l.Block = cmd.Func, cmd.Grid, cmd.Block
	l.SharedBytes, l.Stream, l.Args = cmd.Shared, cmd.Stream, data
	l.Cooperative, l.Cluster, l.Shuffle = cmd.Cooperative(), cmd.Cluster(), cmd.Arg
	if wanted, err := s.wanted(l); err != nil || !wanted {
		return err
	}
	s.progress.before(cmd)
	err := s.dev.Launch(l)
	if err == nil {
		s.progress.after(cmd)
	}
	return err
}

func (s *server) launchGraph(cmd *wire.Command, _ []byte) error {
	s.progress.before(cmd)
	err := s.runGraph(cmd.Arg, cmd.Stream)
	if err == nil {
		s.progress.after(cmd)
	}
	return err
}

// outOfRange returns the error of a command that a correct session does not send.
func outOfRange(what string, v uint64) error {
	return &backend.Error{
		Code: 1, Name: "CUDA_ERROR_INVALID_VALUE",
		Message: fmt.Sprintf("invalid command to the device process: %s %d", what, v),
	}
}
