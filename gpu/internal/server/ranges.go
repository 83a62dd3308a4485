package server

import (
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu/internal/nvtx"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// ranges are the open ranges of time that the session has named.
type ranges struct {
	tool *nvtx.Tool // nil without a profiler
	open []namedRange
}

type namedRange struct {
	id   uint32
	name string
	mark uint64 // the range's number in the tool
}

// init loads the profiler's library, if there is a profiler.
func (r *ranges) init() {
	tool, err := nvtx.Load()
	if err != nil {
		// The user of the profiler must know this, but it is no error of the device.
		fmt.Fprintln(os.Stderr, "gopherwarp:", err)
	}
	r.tool = tool
}

func (r *ranges) names() []namedRange { return r.open }

// rangeStart and rangeEnd inform the profiler and the recorder, if there are any.
func (s *server) rangeStart(cmd *wire.Command, data []byte) error {
	n := namedRange{id: cmd.Arg, name: string(data)}
	if s.ranges.tool != nil {
		n.mark = s.ranges.tool.Start(n.name)
	}
	s.ranges.open = append(s.ranges.open, n)
	if s.recorder != nil {
		s.recorder.enter(n.id, n.name)
	}
	return nil
}

func (s *server) rangeEnd(cmd *wire.Command, _ []byte) error {
	r := &s.ranges
	for i, n := range r.open {
		if n.id != cmd.Arg {
			continue // of an earlier device process
		}
		if r.tool != nil {
			r.tool.End(n.mark)
		}
		r.open = append(r.open[:i], r.open[i+1:]...)
		break
	}
	if s.recorder != nil {
		s.recorder.leave(cmd.Arg)
	}
	return nil
}
