// Package wire is the language that a session and its device process speak: commands that
// travel in the ring, and messages, with file descriptors if need be, on a socket beside it.
//
// Commands are the hot path (launches, copies, events). Messages are for what is rare and
// may be long, such as source code and images; an OpMessage command in the ring marks the
// place of each, so that everything has one order.
//
// Both ends are the same version of the same program on one machine, so values travel in
// the machine's own byte order and there is no negotiation beyond one version number.
package wire
