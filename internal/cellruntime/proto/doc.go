// Package proto is the protocol between the kernel process and the session process.
//
// Requests and events are JSON values, each preceded by its length, on a unix socket that is
// descriptor FD of the session process. Standard output and standard error are separate pipes,
// because user code writes to them directly; a Marker in both pipes, with the same number as the
// event that follows, defines their order.
package proto
