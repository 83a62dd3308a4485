package wire

import "unsafe"

// Version is the version of everything in this package.
const Version = 2

// Op says what a command does.
type Op uint16

// The commands. "Slot" marks those whose result the session waits for; an error of any
// other is reported by the next one with a slot.
const (
	OpMessage       Op = iota + 1 // read one request from the socket and answer it there
	OpLaunch                      // Func, Grid, Block, Shared, Stream; the data are the arguments
	OpWrite                       // the data go to device address Dst
	OpRead                        // Slot: N bytes from device address Src into the slot's data
	OpUpload                      // N bytes from offset Src of host area Arg to device address Dst; Event is recorded after
	OpDownload                    // N bytes from device address Src to offset Dst of host area Arg; Event is recorded after
	OpCopy                        // N bytes from device address Src to device address Dst
	OpUnpin                       // host area Arg
	OpFill                        // N bytes at Dst; the data are the pattern
	OpReleaseChunk                // the chunk at Dst
	OpUnload                      // module Arg
	OpStreamCreate                // Stream, Arg is the priority
	OpStreamDestroy               // Stream
	OpStreamSync                  // Slot: Stream
	OpStreamQuery                 // Slot: 1 if Stream has nothing to do
	OpStreamWait                  // Stream waits for Event
	OpEventCreate                 // Event; Arg is not 0 if it takes no time
	OpEventDestroy                // Event
	OpEventRecord                 // Event on Stream
	OpEventSync                   // Slot: Event
	OpEventQuery                  // Slot: 1 if the work before Event has ended
	OpEventElapsed                // Slot: waits for Event; nanoseconds from Arg (an event) to it
	OpSync                        // Slot: everything
)

// Rows is the data of an OpUpload, OpDownload or OpCopy of several rows of N bytes each.
type Rows struct {
	DstPitch, SrcPitch uint64 // bytes from one row to the next
	Count              uint64
}

// Bytes is the data that stand for the rows.
func (r *Rows) Bytes() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(r)), unsafe.Sizeof(*r)) }

// RowsOf is the inverse of Bytes; it is nil if the data are no rows.
func RowsOf(data []byte) *Rows {
	if uintptr(len(data)) != unsafe.Sizeof(Rows{}) {
		return nil
	}
	r := &Rows{}
	copy(r.Bytes(), data)
	return r
}

// Staging is the number of the host area through which ordinary memory is copied.
const Staging = 0

// NoSlot is the Slot of a command that nobody waits for.
const NoSlot = ^uint16(0)

// A Command is the fixed part of a record in the ring; data may follow it. Most fields
// mean something to some operations only.
type Command struct {
	Seq          uint64 // counts all commands of a session
	Dst, Src, N  uint64
	Op           Op
	Slot         uint16
	Stream       uint32
	Event, Arg   uint32
	Func, Shared uint32
	Grid, Block  [3]uint32
	DataLen      uint32
	_            uint32
}

// CommandSize is the length of a record's fixed part, in bytes.
const CommandSize = int(unsafe.Sizeof(Command{}))

// At lays a command over the start of a record and returns it with the data behind it. It
// returns nil if the record is too short for what it says.
func At(record []byte) (*Command, []byte) {
	if len(record) < CommandSize {
		return nil, nil
	}
	c := (*Command)(unsafe.Pointer(&record[0]))
	data := record[CommandSize:]
	if uint64(c.DataLen) > uint64(len(data)) {
		return nil, nil
	}
	return c, data[:c.DataLen]
}
