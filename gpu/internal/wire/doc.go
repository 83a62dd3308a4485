// Package wire defines what a session and its device process send each other: commands in the ring,
// and messages, with file descriptors where needed, on a socket beside it.
//
// Commands are the hot path: launches, copies, events. A command is the memory of a struct, and so
// are the data behind it (Rows, routine.Collective, the arguments of routines and kernels, all but
// OpViews): to send a launch is to copy it and its arguments into the ring, and nothing is decoded
// at the other end. For that, Command has one set of fields for all operations, whose meaning
// stands beside each Op.
//
// Messages are for what is rare and may be long, such as source code and images. Each request is a
// struct of its own, with its answer, and everything in messages goes through one codec, coder.
// An OpMessage command in the ring marks the place of each, so that everything has one order.
//
// Both ends are the same version of the same program on one machine, so values have
// the machine's own byte order and there is no negotiation beyond one version number.
package wire
