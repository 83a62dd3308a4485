package kernel

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// coalesce is the maximum time that a small write to a stream waits for more: front ends render each message, and a loop of prints
	// makes thousands per second.
	coalesce = 20 * time.Millisecond
	// promptWait is how much longer the unfinished last line of standard output waits. It may be the prompt of a program that is about to
	// read its standard input, which the session detects with a delay.
	promptWait = 60 * time.Millisecond
	// maxChunk is the number of bytes of stream text that is sent without waiting for more.
	maxChunk = 64 << 10
	// The subscriptions of one subscriber are limited. Front ends subscribe once,
	// to everything.
	maxTopics     = 100
	maxTopicBytes = 256
)

// iopub broadcasts to all subscribers. All messages are sent under its one lock, so the order of calls is the order of messages,
// including stream text.
type iopub struct {
	socket  *endpoint
	session string
	key     []byte
	log     *slog.Logger
	wire    *slog.Logger // logs each message

	mu      sync.Mutex
	pending stream
	held    bool // whether only an unfinished line is pending
	timer   *time.Timer
	updates updates
	pacer   pacer
}

// stream is text that is pending.
type stream struct {
	parent json.RawMessage
	name   string
	text   strings.Builder
}

func newIOPub(socket *endpoint, session string, key []byte, log, wire *slog.Logger) *iopub {
	p := &iopub{socket: socket, session: session, key: key, log: log, wire: wire}
	p.timer = time.AfterFunc(time.Hour, p.expire)
	p.timer.Stop()
	p.updates.timer = time.AfterFunc(time.Hour, p.flushUpdates)
	p.updates.timer.Stop()
	return p
}

// handle handles a subscription. It welcomes a new subscriber, so that it knows that it will receive all later messages, and tells it the
// kernel's state, which it could otherwise only learn from the next request.
func (p *iopub) handle(from *peer, frames [][]byte, state string) {
	if len(frames) != 1 || len(frames[0]) == 0 || frames[0][0] > 1 {
		p.log.Warn("dropped a message to iopub: it takes only subscriptions")
		return
	}
	topic := string(frames[0][1:])
	p.mu.Lock()
	defer p.mu.Unlock()
	if frames[0][0] == 0 {
		delete(from.topics, topic)
		return
	}
	if len(topic) > maxTopicBytes || len(from.topics) >= maxTopics {
		p.log.Warn("dropped a subscription: too many or too long", "bytes", len(topic), "subscriptions", len(from.topics))
		return
	}
	p.flushLocked() // was written before the subscription
	from.topics[topic] = true
	if !utf8.ValidString(topic) {
		return
	}
	p.tellLocked(from, topic, "iopub_welcome", map[string]any{"subscription": topic})
	if status := p.topic("status"); strings.HasPrefix(status, topic) {
		p.tellLocked(from, status, "status", map[string]any{"execution_state": state})
	}
}

// tellLocked sends a message to one subscriber.
func (p *iopub) tellLocked(to *peer, topic, msgType string, content any) {
	m, err := newMessage(p.session, msgType, nil, content)
	if err != nil {
		p.log.Error("message not sent", "type", msgType, "err", err)
		return
	}
	m.Route = [][]byte{[]byte(topic)}
	if err := to.send(encodeMessage(m, p.key)); err != nil {
		p.log.Warn("message not sent", "type", msgType, "err", err)
	}
}

// topic returns the topic of messages of a type.
func (p *iopub) topic(msgType string) string { return "kernel." + p.session + "." + msgType }

// makeRoom waits for subscribers with too much in their queue, and drops those that do not read. It also waits while cells have sent more
// messages than JupyterLab's server takes. It is called before output of cells. Other messages are small and must not wait.
func (p *iopub) makeRoom() {
	for {
		p.mu.Lock()
		wait := p.pacer.wait(time.Now())
		p.mu.Unlock()
		if wait == 0 {
			break
		}
		time.Sleep(wait)
	}
	for _, to := range p.socket.peers() {
		to.makeRoom(p.log)
	}
}

// send broadcasts a message after all stream text that was written, and all displays that were updated, before it.
func (p *iopub) send(msgType string, parent json.RawMessage, content any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushLocked()
	p.flushUpdatesLocked()
	p.sendLocked(msgType, parent, content)
}

// sendMessage broadcasts a message on a comm after all stream text that was written before it.
func (p *iopub) sendMessage(m *Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushLocked()
	p.broadcastLocked(m)
}

// resetPace lets output be sent at once: a request has ended, and JupyterLab's server counts anew.
func (p *iopub) resetPace() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pacer.reset()
}

// write adds to a stream. Text that soon follows text of the same cell and stream is sent in the same message.
func (p *iopub) write(parent json.RawMessage, name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.text.Len() > 0 && (p.pending.name != name || !bytes.Equal(p.pending.parent, parent)) {
		p.flushLocked()
	}
	if p.pending.text.Len() == 0 {
		p.pending.parent, p.pending.name, p.held = parent, name, false
		p.timer.Reset(coalesce)
	}
	if p.held && strings.Contains(text, "\n") {
		p.held = false
		p.timer.Reset(coalesce)
	}
	p.pending.text.WriteString(text)
	if p.pending.text.Len() >= maxChunk {
		p.flushLocked()
	}
}

// expire sends text that has waited long enough.
func (p *iopub) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held || p.pending.name != "stdout" {
		p.flushLocked()
	} else if line := p.splitLocked(); line != "" {
		p.pending.text.WriteString(line)
		p.held = true
		p.timer.Reset(promptWait)
	}
}

// takeLine sends all pending text except the unfinished last line of a cell's standard output, which it returns.
func (p *iopub) takeLine(parent json.RawMessage) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.name != "stdout" || !bytes.Equal(p.pending.parent, parent) {
		p.flushLocked()
		return ""
	}
	return p.splitLocked()
}

// splitLocked sends the complete lines that are pending and returns the rest.
func (p *iopub) splitLocked() string {
	text := p.pending.text.String()
	end := strings.LastIndexByte(text, '\n') + 1
	p.pending.text.Reset()
	p.pending.text.WriteString(text[:end])
	p.flushLocked()
	return text[end:]
}

// flush sends pending stream text and updates.
func (p *iopub) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushLocked()
	p.flushUpdatesLocked()
}

func (p *iopub) flushLocked() {
	if p.pending.text.Len() == 0 {
		return
	}
	p.timer.Stop()
	p.held = false
	text := p.pending.text.String()
	p.pending.text.Reset()
	p.sendLocked("stream", p.pending.parent, map[string]any{"name": p.pending.name, "text": text})
}

func (p *iopub) sendLocked(msgType string, parent json.RawMessage, content any) {
	m, err := newMessage(p.session, msgType, parent, content)
	if err != nil {
		p.log.Error("message not sent", "type", msgType, "err", err)
		return
	}
	p.broadcastLocked(m)
}

func (p *iopub) broadcastLocked(m *Message) {
	topic := p.topic(m.Header.Type)
	if m.Header.Type != "status" {
		p.pacer.take()
	}
	m.Route = [][]byte{[]byte(topic)}
	p.wire.Info("out", "channel", "iopub", "type", m.Header.Type, "content", len(m.Content))
	wire := encodeFrames(encodeMessage(m, p.key))
	for _, to := range p.socket.peers() {
		if !to.subscribed(topic) {
			continue
		}
		if err := to.post(wire); err != nil {
			p.log.Warn("subscriber dropped", "err", err)
		}
	}
}

// subscribed reports whether the peer has subscribed to a topic.
func (p *peer) subscribed(topic string) bool {
	for prefix := range p.topics {
		if strings.HasPrefix(topic, prefix) {
			return true
		}
	}
	return false
}
