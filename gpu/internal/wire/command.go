package wire

import "unsafe"

// Version is the version of the protocol in this package.
const Version = 8

// Op is the operation of a command.
type Op uint16

// The operations. "Slot" marks those whose result the session waits for. An error of any other one is reported by the next
// command with a slot.
const (
	OpMessage        Op = iota + 1 // receive one request from the socket and send its answer there
	OpLaunch                       // Func, Grid, Block, Shared, Stream, Arg (see backend.Launch.Shuffle); the data are the arguments; see SetCluster, SetCooperative
	OpGraphLaunch                  // graph Arg on Stream
	OpGraphDestroy                 // graph Arg
	OpWrite                        // write the data to device address Dst
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
	OpStreamQuery                  // Slot: 1 if all work of Stream has completed
	OpStreamWait                   // Stream waits for Event
	OpEventCreate                  // Event; Arg is not 0 for one without timing
	OpEventDestroy                 // Event
	OpEventRecord                  // Event on Stream
	OpEventSync                    // Slot: Event
	OpEventQuery                   // Slot: 1 if the work before Event has completed
	OpEventElapsed                 // Slot: waits for Event; nanoseconds from Arg (an event) to it
	OpSync                         // Slot: wait for all work
	OpAllocated                    // N bytes at Dst are a buffer; Arg is not 0 if its contents are uninitialized
	OpFreed                        // the buffer at Dst was freed
	OpViews                        // the data are the memory that the next launch may use, see MarshalViews; Arg is a sum of the Views constants, and N blocks from block Dst are recorded
	OpJoined                       // Slot: wait until all members of group Arg have joined
	OpCollective                   // part of a collective operation of group Arg on Stream; the data are a routine.Collective
	OpLeave                        // group Arg
	OpCall                         // the routine Func on Stream; the data are its arguments, see package routine
	OpRangeStart                   // range Arg begins; the data are its name
	OpRangeEnd                     // range Arg ends
	OpTextureDestroy               // texture Arg
	OpEnd                          // the number of operations, plus 1
)

// Rows is the data of an OpUpload, OpDownload or OpCopy of several rows of N bytes each.
type Rows struct {
	DstPitch, SrcPitch uint64 // bytes between the starts of consecutive rows
	Count              uint64
}

// Bytes returns the memory of r, as the data of a command.
func (r *Rows) Bytes() []byte { return unsafe.Slice((*byte)(unsafe.Pointer(r)), unsafe.Sizeof(*r)) }

// RowsOf is the inverse of Bytes. It returns nil if the data have the wrong size.
func RowsOf(data []byte) *Rows {
	if uintptr(len(data)) != unsafe.Sizeof(Rows{}) {
		return nil
	}
	r := &Rows{}
	copy(r.Bytes(), data)
	return r
}

// The methods below store more properties of a launch in Dst, Src and N, which it does not use otherwise.

// SetCluster sets the size of a launch's thread block clusters.
func (c *Command) SetCluster(size [3]uint32) {
	c.Dst, c.Src = uint64(size[0])|uint64(size[1])<<32, uint64(size[2])
}

// Cluster returns the size set by SetCluster, or zeros.
func (c *Command) Cluster() [3]uint32 {
	return [3]uint32{uint32(c.Dst), uint32(c.Dst >> 32), uint32(c.Src)}
}

// SetCooperative makes a launch cooperative.
func (c *Command) SetCooperative() { c.N = 1 }

// Cooperative reports whether SetCooperative was called.
func (c *Command) Cooperative() bool { return c.N != 0 }

// AppendRecord appends a command and its data to a list of commands.
func AppendRecord(list []byte, c *Command, data []byte) []byte {
	c.DataLen = uint32(len(data))
	list = append(list, unsafe.Slice((*byte)(unsafe.Pointer(c)), CommandSize)...)
	list = append(list, data...)
	for len(list)%8 != 0 {
		list = append(list, 0)
	}
	return list
}

// Records calls f for each command of a list, until f fails. It returns an error if the list ends within a command.
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

// Staging is the number of the host area through which pageable memory is copied.
const Staging = 0

// NoSlot is the Slot of a command without a slot.
const NoSlot = ^uint16(0)

// A Command is the fixed part of a record in the ring; data may follow it. Most fields have a meaning only for some operations.
// The fields of launches and waits come first, in the same cache line as the record's head.
type Command struct {
	Seq          uint64 // number of the command in its session
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

// CommandSize is the size of a record's fixed part, in bytes.
const CommandSize = int(unsafe.Sizeof(Command{}))

// At returns the command in a record, without copying it, and its data. It returns nil if the record is too short.
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
