package gonb

import (
	"encoding/gob"
	"os"
	"sync"
)

// backlog is the maximum number of pending messages to a program. Of more the oldest are dropped: a program that does not read must not
// block its own output, and of a slider the last value counts.
const backlog = 4096

// A receiver handles the messages of one program.
type receiver struct {
	Handler
	back    *os.File
	answers chan commValue
	done    chan struct{}

	shown map[string]bool // IDs of displays that can be updated
	told  bool            // whether the message about widgets was printed

	mu         sync.Mutex
	values     map[string]any // the last value of each address
	subscribed map[string]int
	closed     bool
}

func newReceiver(h Handler, back *os.File) *receiver {
	r := &receiver{
		Handler: h, back: back, answers: make(chan commValue, backlog), done: make(chan struct{}),
		shown: map[string]bool{}, values: map[string]any{}, subscribed: map[string]int{},
	}
	go func() {
		defer close(r.done)
		to := gob.NewEncoder(back)
		for a := range r.answers {
			if to.Encode(a) != nil {
				return // the pipe is closed
			}
		}
	}()
	return r
}

func (r *receiver) close() {
	r.mu.Lock()
	r.closed = true
	close(r.answers)
	r.mu.Unlock()
	r.back.Close()
	<-r.done
}

func (r *receiver) take(m displayData) {
	bundle := map[string]any{}
	for key, v := range m.Data {
		switch key {
		case keyInput:
			if q, ok := v.(inputRequest); ok && r.Input != nil {
				r.Input(q.Prompt, q.Password)
			}
		case keyValue:
			if q, ok := v.(commValue); ok {
				r.value(q)
			}
		case keySubscribe:
			if q, ok := v.(commSubscription); ok {
				r.subscribe(q)
			}
		default:
			bundle[key] = v
		}
	}
	out := r.Output()
	if len(bundle) == 0 || out == nil {
		return
	}
	if m.DisplayID != "" && r.shown[m.DisplayID] {
		out.UpdateDisplay(bundle, m.Metadata, m.DisplayID)
		return
	}
	r.shown[m.DisplayID] = true
	out.Display(bundle, m.Metadata, m.DisplayID)
}

// value handles a value for an address, or a request for one.
func (r *receiver) value(v commValue) {
	switch {
	case v.Address == addressSync:
		r.mu.Lock()
		defer r.mu.Unlock()
		r.answer(commValue{Address: addressSyncAck, Value: v.Value})
	case v.Address == addressStart:
		if out := r.Output(); out != nil && !r.told && !r.post(v) {
			r.told = true
			out.Stream("stdout", "gonbui's widgets are shown but don't answer: they do in JupyterLab with gopherwarp's extension, which `gopherwarp install` brings. Programs can ask by gonbui.RequestInput, or by reading standard input.\n")
		}
	case v.Request:
		if !r.post(v) {
			r.deliver(v.Address, nil)
		}
	default:
		r.mu.Lock()
		r.values[v.Address] = v.Value
		r.mu.Unlock()
		r.post(v)
	}
}

// post passes a message to front ends. It reports whether there is one.
func (r *receiver) post(v commValue) bool {
	return r.Post != nil && r.Post(v.Address, v.Value, v.Request)
}

// deliver sends a value to the program, or its own if it is nil. It is only sent if the program has subscribed to it: otherwise gonbui would
// deadlock.
func (r *receiver) deliver(address string, value any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if value == nil {
		value = r.values[address]
	} else {
		r.values[address] = value
	}
	if value != nil && r.subscribed[address] > 0 {
		r.answer(commValue{Address: address, Value: value})
	}
}

func (r *receiver) subscribe(s commSubscription) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Unsubscribe {
		r.subscribed[s.Address]--
	} else {
		r.subscribed[s.Address]++
	}
}

// answer sends a message to the program. The lock is held.
func (r *receiver) answer(v commValue) {
	for !r.closed {
		select {
		case r.answers <- v:
			return
		default:
		}
		select {
		case <-r.answers:
		default:
		}
	}
}
