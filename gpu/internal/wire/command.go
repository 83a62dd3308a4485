package wire

import "unsafe"

// Version is the version of everything in this package.
const Version = 6

// Op is what a command does.
type Op uint16

// The commands. "Slot" marks those whose result the session waits for; an error of any
// other is reported by the next one with a slot.
const (
	OpMessage        Op = iota + 1 // read one request from the socket and answer it there
	OpLaunch                       // Func, Grid, Block, Shared, Stream, Arg (see backend.Launch.Shuffle); the data are the arguments; see SetCluster, SetCooperative
	OpGraphLaunch                  // graph Arg on Stream
	OpGraphDestroy                 // graph Arg
	OpWrite                        // the data go to device address Dst
	OpRead                         // Slot: N bytes from device address Src into the slot's data
	OpUpload                       // N bytes from offset Src of host area Arg to device address Dst; Event is recorded after
	OpDownload                     // N bytes from device address Src to offset Dst of host area Arg; Event is recorded after
	OpCopy                         // N bytes from device address Src to device address Dst
	OpUnpin                        // host area Arg
	OpFill                         // N bytes at Dst; the data are the pattern
	OpReleaseChunk                 // the chunk at Dst
	OpUnload                       // module Arg
	OpStreamCreate                 // Stream, Arg is the priority
	OpStreamDestroy                // Stream
	OpStreamSync                   // Slot: Stream
	OpStreamQuery                  // Slot: 1 if Stream has nothing to do
	OpStreamWait                   // Stream waits for Event
	OpEventCreate                  // Event; Arg is not 0 if it takes no time
	OpEventDestroy                 // Event
	OpEventRecord                  // Event on Stream
	OpEventSync                    // Slot: Event
	OpEventQuery                   // Slot: 1 if the work before Event has ended
	OpEventElapsed                 // Slot: waits for Event; nanoseconds from Arg (an event) to it
	OpSync                         // Slot: everything
	OpAllocated                    // N bytes at Dst are a buffer; Arg is not 0 if it has no values yet
	OpFreed                        // the buffer at Dst is none any more
	OpViews                        // the data say what the next launch works on, see MarshalViews; Arg is not 0 if the simulator is to check it
	OpJoined                       // Slot: waits until the members of group Arg have found each other
	OpCollective                   // part of a collective of group Arg on Stream; the data are a routine.Collective
	OpLeave                        // group Arg
	OpCall                         // the routine Func on Stream; the data are its arguments, as package routine has them
	OpRangeStart                   // range Arg begins; the data are its name
	OpRangeEnd                     // range Arg ends
	OpTextureDestroy               // texture Arg
	OpEnd                          // the number after the last one
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

// A launch has no other use for Dst, Src and N.

// SetCluster makes a launch one with clusters of that many blocks.
func (c *Command) SetCluster(size [3]uint32) {
	c.Dst, c.Src = uint64(size[0])|uint64(size[1])<<32, uint64(size[2])
}

// Cluster returns what SetCluster set, or zeros.
func (c *Command) Cluster() [3]uint32 {
	return [3]uint32{uint32(c.Dst), uint32(c.Dst >> 32), uint32(c.Src)}
}

// SetCooperative makes a launch a cooperative one.
func (c *Command) SetCooperative() { c.N = 1 }

// Cooperative reports whether SetCooperative was called.
func (c *Command) Cooperative() bool { return c.N != 0 }

// AppendRecord adds a command and its data to a list of them.
func AppendRecord(list []byte, c *Command, data []byte) []byte {
	c.DataLen = uint32(len(data))
	list = append(list, unsafe.Slice((*byte)(unsafe.Pointer(c)), CommandSize)...)
	list = append(list, data...)
	for len(list)%8 != 0 {
		list = append(list, 0)
	}
	return list
}

// Records calls f for each command of a list, until f fails. A list that ends within a command
// is damaged.
func Records(list []byte, f func(c *Command, data []byte) error) error {
	for len(list) > 0 {
		c := &Command{}
		if len(list) < CommandSize {
			return ErrShort
		}
		copy(unsafe.Slice((*byte)(unsafe.Pointer(c)), CommandSize), list)
		size := CommandSize + (int(c.DataLen)+7)&^7
		if len(list) < size {
			return ErrShort
		}
		if err := f(c, list[CommandSize:CommandSize+int(c.DataLen)]); err != nil {
			return err
		}
		list = list[size:]
	}
	return nil
}

// Staging is the number of the host area through which ordinary memory is copied.
const Staging = 0

// NoSlot is the Slot of a command that nobody waits for.
const NoSlot = ^uint16(0)

// A Command is the fixed part of a record in the ring; data may follow it. Most fields
// mean something to some operations only. What launches and waits need comes first: it shares a
// cache line with the record's head.
type Command struct {
	Seq          uint64 // counts all commands of a session
	Op           Op
	Slot         uint16
	Stream       uint32
	DataLen      uint32
	Arg          uint32
	Func, Shared uint32
	Grid, Block  [3]uint32

	Dst, Src, N uint64
	Event       uint32
	_           uint32
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
