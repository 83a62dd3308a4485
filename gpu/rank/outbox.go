package rank

import (
	"net"
	"sync"
)

// An outbox has the messages that wait to be sent to a process, so that one that reads slowly holds up no other.
type outbox struct {
	mu     sync.Mutex
	more   *sync.Cond
	list   []*message
	gate   <-chan struct{} // until it is closed nothing is sent; or nil
	closed bool
}

func (o *outbox) init() { o.more = sync.NewCond(&o.mu) }

// put appends a message.
func (o *outbox) put(m *message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		m.wasSent()
		return
	}
	o.list = append(o.list, m)
	o.more.Signal()
}

// hold makes what is put from now on wait until the gate is closed.
func (o *outbox) hold(gate <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gate = gate
}

// close lets send return after what was put.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.more.Broadcast()
}

// take waits for messages and returns them with the gate, or none if the outbox is closed.
func (o *outbox) take() ([]*message, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.list) == 0 && !o.closed {
		o.more.Wait()
	}
	list := o.list
	o.list = nil
	return list, o.gate
}

// send sends the messages until the outbox is closed, or the connection fails.
func (o *outbox) send(c net.Conn) {
	var failed error
	for {
		list, gate := o.take()
		if len(list) == 0 {
			return
		}
		if gate != nil {
			<-gate
		}
		for _, m := range list {
			if failed == nil {
				failed = m.write(c)
			}
			m.wasSent()
		}
		if failed != nil {
			c.Close() // which ends the reading, too
			o.close()
		}
	}
}
