package session

import (
	"errors"
	"sync"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/cell"
	"github.com/gopherwarp/gopherwarp/internal/cellruntime/proto"
)

// CommMessage is a message on a comm between the session process and the front end.
type CommMessage = proto.Comm

// CommKind is the kind of a CommMessage.
type CommKind = cell.CommKind

// The kinds of a CommMessage.
const (
	CommOpen  = cell.CommOpen
	CommData  = cell.CommData
	CommClose = cell.CommClose
)

// Comms receives the messages of session processes. Its methods are called in order. process distinguishes the processes of a session.
type Comms interface {
	Comm(process int, m CommMessage)
	// Ended is called when a process has exited, which ends its comms.
	Ended(process int)
}

// errNoProcess is the error of sending a message to a session process that has not started or has exited.
var errNoProcess = errors.New("there is no session process")

// talk passes messages of comms between the session process and a Comms.
type talk struct {
	mu   sync.Mutex
	to   Comms    // may be nil
	last *process // the process that started last; nil before
}

// SetComms sets the receiver of the session process's messages on comms. It is called before the first cell.
func (s *Session) SetComms(to Comms) {
	s.talk.mu.Lock()
	defer s.talk.mu.Unlock()
	s.talk.to = to
}

// SendComm sends the front end's message on a comm to the session process, also while a cell runs. It returns the process that receives it,
// and an error if there is none.
func (s *Session) SendComm(m CommMessage) (process int, err error) {
	s.talk.mu.Lock()
	p := s.talk.last
	s.talk.mu.Unlock()
	if p == nil {
		return 0, errNoProcess
	}
	select {
	case <-p.exited:
		return 0, errNoProcess
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.number(), p.write(proto.Request{Op: proto.OpComm, Comm: &m})
}

// started makes p the process that messages are sent to.
func (t *talk) started(p *process) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = p
	go func() {
		<-p.exited
		if to := t.receiver(); to != nil {
			to.Ended(p.number())
		}
	}()
}

func (t *talk) receiver() Comms {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.to
}

func (t *talk) receive(p *process, m *proto.Comm) {
	if to := t.receiver(); to != nil && m != nil {
		to.Comm(p.number(), *m)
	}
}

// interrupt stops what messages have started, such as the functions of widgets.
func (t *talk) interrupt() {
	t.mu.Lock()
	p := t.last
	t.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.write(proto.Request{Op: proto.OpComm, Comm: &proto.Comm{Kind: cell.CommInterrupt}}) // fails if the process has exited
}

// number distinguishes a process from others of the session.
func (p *process) number() int { return p.cmd.Process.Pid }
