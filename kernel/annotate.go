package kernel

import "encoding/json"

// An Annotator is an Output that can add to the metadata of the cell's reply, which front ends pass to their extensions and do not save. The
// outputs that the kernel passes to an engine are Annotators.
type Annotator interface {
	// Annotate sets a value. Values that JSON cannot represent, and those that are set after the reply, are lost.
	Annotate(key string, value any)
}

// Annotate implements Annotator.
func (o *output) Annotate(key string, value any) {
	raw, err := json.Marshal(value)
	if err != nil {
		o.s.log.Warn("dropped metadata of a reply", "key", key, "err", err)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.notes == nil {
		o.notes = map[string]json.RawMessage{}
	}
	o.notes[key] = raw
}

// annotations returns the metadata of the cell's reply.
func (o *output) annotations() json.RawMessage {
	o.mu.Lock()
	defer o.mu.Unlock()
	raw, err := json.Marshal(o.notes)
	if err != nil || o.notes == nil {
		return nil
	}
	return raw
}
