package client

import "github.com/gopherwarp/gopherwarp/internal/memory"

// QuotaEnv is the environment variable with the device memory that a session may reserve on each device.
const QuotaEnv = "GOPHERWARP_GPU_MEMORY"

// A quota is a limit of the device memory that was set from outside the session.
type quota struct {
	limit memory.Limit
	bytes uint64 // of the device at hand; 0 means no limit
}

// SetQuota limits the memory that may be reserved: to a number of bytes, or to a part of the device's. It must be called before the
// device is opened.
func (l *Link) SetQuota(limit memory.Limit) { l.mem.quota.limit = limit }

// apply computes the limit for a device with that much memory.
func (q *quota) apply(total uint64) {
	if q.limit != (memory.Limit{}) {
		q.bytes = uint64(q.limit.Of(0, int64(total)))
	}
}

// bound returns the limit of the heap's size, and by what it was set, or 0 for none. The lock is held.
func (m *allocator) bound() (bytes uint64, by string) {
	if q := m.quota.bytes; q > 0 && (m.limit == 0 || q < m.limit) {
		return q, QuotaEnv
	}
	return m.limit, "Limit"
}

// withinQuota returns how much of a device's free and total memory the session may use. The lock is held.
func (m *allocator) withinQuota(free, total uint64) (uint64, uint64) {
	q := m.quota.bytes
	if q == 0 {
		return free, total
	}
	_, used := m.heap.Used()
	return min(free, q-min(q, used)), min(total, q)
}
