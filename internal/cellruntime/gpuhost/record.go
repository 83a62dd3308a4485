package gpuhost

import (
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/gpuhooks"
)

// CallRecord is the name of the handler that makes launches of later cells be recorded for a debugger. It takes gpuhooks.Stops and returns a
// RecordReply.
const CallRecord = "gpu.record"

// A RecordReply has what was recorded in the cells since the last call.
type RecordReply struct {
	Recordings []gpuhooks.Recording
	Problem    string // why there may be fewer; "" if there are all
}

// recordings are the launches of a cell that were recorded for a debugger.
type recordings struct {
	mu   sync.Mutex
	last RecordReply
}

// cellEnd takes the recordings of a cell before its report of check mode.
func (r *recordings) cellEnd() {
	list, err := gpuhooks.Recorded()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last.Recordings = append(r.last.Recordings, list...)
	if err != nil {
		r.last.Problem = err.Error()
	}
}

func (r *reports) record(stops gpuhooks.Stops) (RecordReply, error) {
	gpuhooks.Record(stops)
	r.recordings.mu.Lock()
	defer r.recordings.mu.Unlock()
	reply := r.recordings.last
	r.recordings.last = RecordReply{}
	return reply, nil
}
