package gonb

import (
	"encoding/gob"
	"os"
)

// backlog is the maximum number of pending messages to a program, as in GoNB. More are
// dropped: a program that does not read must not block its own output.
const backlog = 128

// A receiver handles the messages of one program.
type receiver struct {
	Handler
	back    *os.File
	answers chan commValue
	done    chan struct{}

	shown      map[string]bool // IDs of displays that can be updated
	values     map[string]any  // the last value of each address
	subscribed map[string]int
	told       bool // whether the message about widgets was printed
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
	close(r.answers)
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
		r.answer(commValue{Address: addressSyncAck, Value: v.Value})
	case v.Address == addressStart:
		if out := r.Output(); out != nil && !r.told {
			r.told = true
			out.Stream("stdout", "gonbui's widgets are shown but don't answer: this kernel has no channel to them. Programs can ask by gonbui.RequestInput, or by reading standard input.\n")
		}
	case v.Request:
		// The front end can't set it, so the value is the program's own. It is only sent
		// if the program has subscribed to it: otherwise gonbui would deadlock.
		if known, ok := r.values[v.Address]; ok && r.subscribed[v.Address] > 0 {
			r.answer(commValue{Address: v.Address, Value: known})
		}
	default:
		r.values[v.Address] = v.Value
	}
}

func (r *receiver) subscribe(s commSubscription) {
	if s.Unsubscribe {
		r.subscribed[s.Address]--
	} else {
		r.subscribed[s.Address]++
	}
}

func (r *receiver) answer(v commValue) {
	select {
	case r.answers <- v:
	default:
	}
}
