// Package proto is what the kernel process and the session process say to each other.
//
// Requests and events are JSON values, each after its length, on a unix socket that the
// session process finds as descriptor FD. Standard output and standard error travel
// apart from it, on pipes, because user code writes to them directly; a Marker in both
// pipes, counted by the same number as the event that follows, keeps the order.
package proto
