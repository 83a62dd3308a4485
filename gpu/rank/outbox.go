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
	closed bool
}

func (o *outbox) init() { o.more = sync.NewCond(&o.mu) }

// put appends a message.
func (o *outbox) put(m *message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.closed {
		o.list = append(o.list, m)
		o.more.Signal()
	}
}

// close lets send return after what was put.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.more.Broadcast()
}

// send sends the messages until the outbox is closed, or the connection fails.
func (o *outbox) send(c net.Conn) {
	for {
		o.mu.Lock()
		for len(o.list) == 0 && !o.closed {
			o.more.Wait()
		}
		list := o.list
		o.list = nil
		o.mu.Unlock()
		if len(list) == 0 {
			return
		}
		for _, m := range list {
			if err := m.write(c); err != nil {
				c.Close() // which ends the reading, too
				o.close()
				return
			}
		}
	}
}
