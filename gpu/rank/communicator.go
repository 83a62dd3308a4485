package rank

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/internal/hook"
)

// Use makes the GPU with the number of the local rank current, and returns it: each process of a machine has one of its own. If only one GPU is
// visible, as where Slurm gives each task its own, if there is none, or if GOPHERWARP_DEVICE names a device, that is the one.
func (w World) Use() (*gpu.Device, error) {
	if name := os.Getenv("GOPHERWARP_DEVICE"); name != "" && name != "auto" {
		return gpu.Current()
	}
	all, err := gpu.Devices()
	if err != nil {
		return nil, err
	}
	var gpus []*gpu.Device
	for _, d := range all {
		if strings.HasPrefix(d.Name(), "cuda:") {
			gpus = append(gpus, d)
		}
	}
	at := w.LocalRank
	if len(gpus) == 1 {
		at = 0
	}
	switch {
	case len(gpus) == 0:
		return gpu.Current()
	case at >= len(gpus):
		return nil, fmt.Errorf("choosing a GPU for local rank %d: this machine shows %d: start as many processes on a machine, or set CUDA_VISIBLE_DEVICES for each", w.LocalRank, len(gpus))
	}
	if err := gpu.Use(gpus[at].Name()); err != nil {
		return nil, err
	}
	return gpu.Current()
}

// Communicator returns a communicator of the devices of all ranks: of this one those given, by default the current device, see World.Use. All ranks
// must call it, and make communicators in the same order. Members are numbered by rank, and in a rank in the order given.
//
// The functions of package gpu for collectives take the buffers of this rank's devices only; roots and parts are numbers of members. All
// ranks must call them in the same order. If all devices are GPUs NCCL connects them. Otherwise, as with the simulator, data go over the host
// and rank 0's store, a collective returns when it is complete, and reductions are computed in the order of members: they have the same bits
// each time.
//
// If a rank ends, collectives of the others end with an error. If the device process of a rank is replaced, as after a fault of a kernel, a
// communicator of GPUs can be used no more.
func (g *Group) Communicator(ctx context.Context, devices ...*gpu.Device) (*gpu.Communicator, error) {
	var list []any
	for _, d := range devices {
		list = append(list, d)
	}
	c, err := hook.Connect(func(count int, gpus bool) (hook.Peers, error) { return g.meet(ctx, count, gpus) }, list...)
	if err != nil {
		return nil, wrap(err, "rank %d of %d", g.world.Rank, g.world.Size)
	}
	made := c.(*gpu.Communicator)
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range made.Devices() {
		if !slices.Contains(g.devices, d) {
			g.devices = append(g.devices, d)
		}
	}
	return made, nil
}

// meet exchanges which devices the ranks have.
func (g *Group) meet(ctx context.Context, count int, gpus bool) (hook.Peers, error) {
	const each = 8
	mine := binary.LittleEndian.AppendUint32(nil, uint32(count))
	kind := uint32(0)
	if gpus {
		kind = 1
	}
	const what = "making a communicator"
	turn := g.turn(what) // an attempt that ctx ends counts, too, as it does for the others
	all, err := g.exchange(ctx, what, turn, binary.LittleEndian.AppendUint32(mine, kind))
	if err != nil {
		return nil, err
	}
	if len(all) != each*g.world.Size {
		return nil, errors.New("the store's answer has another length than that of all ranks' devices")
	}
	p := &peers{group: g, name: fmt.Sprintf("communicator %d", turn), direct: true}
	for rank := range g.world.Size {
		its := all[each*rank:]
		if rank == g.world.Rank {
			p.first = p.size
		}
		p.size += int(binary.LittleEndian.Uint32(its))
		p.direct = p.direct && binary.LittleEndian.Uint32(its[4:]) == 1
	}
	if p.size > maxMembers {
		return nil, fmt.Errorf("there are %d devices, and may be %d", p.size, maxMembers)
	}
	p.turns = make([]int, count)
	return p, nil
}
