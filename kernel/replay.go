package kernel

import "sync"

// rememberedSignatures is the number of messages that are recognized when they are repeated: as many as in ipykernel
// (Session.digest_history_size).
const rememberedSignatures = 1 << 16

// replays recognizes signatures that were received before, so that a recorded message cannot be sent again to run it twice. Clients give
// each message a unique id.
type replays struct {
	mu   sync.Mutex
	seen map[signature]bool
	all  []signature // a ring buffer
	next int         // index of the oldest one once the ring is full
}

// signature is an HMAC by SHA-256.
type signature [32]byte

// add records a signature and reports whether it is new.
func (r *replays) add(s signature) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen[s] {
		return false
	}
	if r.seen == nil {
		r.seen = make(map[signature]bool)
	}
	r.seen[s] = true
	if len(r.all) < rememberedSignatures {
		r.all = append(r.all, s)
		return true
	}
	delete(r.seen, r.all[r.next])
	r.all[r.next] = s
	r.next = (r.next + 1) % len(r.all)
	return true
}
