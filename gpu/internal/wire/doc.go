// Package wire defines the protocol between a session and its device process: commands in the ring, and messages, with file
// descriptors where needed, on a socket.
//
// Commands are for frequent operations: launches, copies, events. A command is the memory of a struct, and so are its data (Rows,
// routine.Collective, the arguments of routines and kernels, all except those of OpViews): sending a launch copies it and its
// arguments into the ring, and nothing is decoded by the device process. For this reason, Command has one set of fields for all
// operations; the comment of each Op says what they mean.
//
// Messages are for operations that are rare and may be large, such as source code and images. Each request is a struct of its
// own, which includes its answer, and everything in messages is encoded by coder. An OpMessage command in the ring marks the
// position of each request, so that commands and requests have one order.
//
// Both ends are the same version of the same program on one machine, so values have the machine's byte order, and nothing is
// negotiated except one version number.
package wire
