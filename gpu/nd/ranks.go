package nd

import (
	"github.com/gopherwarp/gopherwarp/gpu"
)

// AllReduce returns the element-wise reduction of the arrays that the ranks of a communicator give, one each and all of the same shape and
// dtype. Every rank has the result, on the communicator's device of this process, of which there must be one. All ranks must call it. Package rank
// makes such communicators; for several devices of one process there is Shard. AllReduce has no gradient: reduce gradients, or losses that
// have been computed.
func AllReduce[T Number](c *gpu.Communicator, how gpu.Reduction, a *Array[T]) *Array[T] {
	const op = "AllReduce"
	out := forRanks(op, c, nodeOf(a).check(op)).copied()
	reduceAll(op, c, how, []*node{out})
	return as[T](out)
}

// BroadcastFrom returns the array of a rank, counted by the members of the communicator, on every rank. All ranks must call it, with arrays of the
// same shape and dtype. The communicator is as for AllReduce.
func BroadcastFrom[T Elem](c *gpu.Communicator, root int, a *Array[T]) *Array[T] {
	const op = "BroadcastFrom"
	out := forRanks(op, c, nodeOf(a).check(op)).copied()
	if err := gpu.Broadcast(c, root, bufferOf(out.buffer())); err != nil {
		panic(err)
	}
	return as[T](out)
}

// AllGather returns the arrays that the ranks give, one each and all of the same shape and dtype, one after the other along a new first
// axis, on every rank. All ranks must call it. The communicator is as for AllReduce.
func AllGather[T Elem](c *gpu.Communicator, a *Array[T]) *Array[T] {
	const op = "AllGather"
	src := forRanks(op, c, nodeOf(a).check(op)).packed()
	_, size := c.Members()
	out := newNode(src.eng, src.dt, contiguous(op, append([]int{size}, src.lay.shape...)))
	if err := gpu.AllGather(c, []*gpu.Buffer[byte]{bufferOf(out.buffer())}, []*gpu.Buffer[byte]{bufferOf(src.buffer())}); err != nil {
		panic(err)
	}
	return as[T](out)
}

// forRanks returns the array as one of the device that a communicator has in this process.
func forRanks(op string, c *gpu.Communicator, n *node) *node {
	if c == nil {
		fail(op, "the communicator is nil: make one with rank.Group.Communicator")
	}
	devices := c.Devices()
	if len(devices) != 1 {
		fail(op, "the communicator has %d devices of this process, and an array is on one: make a communicator of one device of each rank; Shard is for several devices of one", len(devices))
	}
	n.withoutGradient()
	return n.whole().on(devices[0])
}
