package kernel

import (
	"encoding/json"
	"time"
)

// updates has the newest content of displays that were updated soon after an update was sent. A loop makes more updates than a person
// sees, a front end draws or JupyterLab's server takes, so those that another one follows within the time coalesce are not sent. Scripts are:
// GoNB's gonbui has an area for them, and expects that each runs.
type updates struct {
	pending []update // one for each display, in the order of their first update
	last    time.Time
	timer   *time.Timer
}

type update struct {
	id      string
	parent  json.RawMessage
	content any
}

// update broadcasts the new content of a display, at once or soon. Text that is written meanwhile may be sent before it, which makes no
// difference: an update changes an output where that is.
func (p *iopub) update(id string, parent json.RawMessage, content any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := &p.updates
	for i := range u.pending {
		if u.pending[i].id == id {
			u.pending[i].parent, u.pending[i].content = parent, content
			return
		}
	}
	u.pending = append(u.pending, update{id, parent, content})
	if len(u.pending) > 1 {
		return // the timer runs
	}
	if wait := coalesce - time.Since(u.last); wait > 0 {
		u.timer.Reset(wait)
		return
	}
	p.flushLocked()
	p.flushUpdatesLocked()
}

// flushUpdates sends the updates that are pending.
func (p *iopub) flushUpdates() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushUpdatesLocked()
}

func (p *iopub) flushUpdatesLocked() {
	u := &p.updates
	if len(u.pending) == 0 {
		return
	}
	u.timer.Stop()
	for _, one := range u.pending {
		p.sendLocked("update_display_data", one.parent, one.content)
	}
	u.pending, u.last = nil, time.Now()
}
