package kernel

import "time"

// JupyterLab's server drops the output of a kernel that sends more than 3000 messages within 3 seconds: iopub_msg_rate_limit and
// rate_limit_window of jupyter_server. Messages of state are not counted, and the count begins anew when a request, such as a cell, ends. A cell may send
// paceBurst messages at once and pacePerSecond later, which are at most 2900 within 3 seconds.
const (
	paceBurst     = 1400
	pacePerSecond = 500
)

// A pacer limits how fast output of cells is sent: a token bucket. The zero value has had no output.
type pacer struct {
	spent int       // tokens that the burst lacks
	last  time.Time // of the last refill
}

// take counts a message.
func (p *pacer) take() { p.spent++ }

// reset forgets all messages.
func (p *pacer) reset() { p.spent = 0 }

// wait returns how long the next message has to wait.
func (p *pacer) wait(now time.Time) time.Duration {
	const each = time.Second / pacePerSecond
	refill := int(now.Sub(p.last) / each)
	if p.spent <= refill {
		p.spent, p.last = 0, now
	} else {
		p.spent -= refill
		p.last = p.last.Add(time.Duration(refill) * each)
	}
	if p.spent < paceBurst {
		return 0
	}
	return time.Duration(p.spent-paceBurst+1)*each - now.Sub(p.last)
}
