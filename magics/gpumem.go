package magics

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/render"
)

// runGPUMemory shows the buffers of the current device, the largest first, with the variables
// that refer to them and the lines that made them.
func runGPUMemory(ctx context.Context, c *Call) error {
	variables, _ := sorted(c.session.Declared())
	var m gpuhost.Memory
	if err := c.call(ctx, gpuhost.CallMemory, storage(variables), &m); err != nil {
		return err
	}
	var rows [][]string
	var held uint64
	for _, h := range m.Holders {
		held += h.Bytes
		rows = append(rows, []string{strings.Join(h.Variables, ", "), render.Bytes(h.Bytes), h.Elem, h.Site})
	}
	below := fmt.Sprintf("%s: %s free of %s; %s %s of %s reserved, %s at most so far.\n",
		m.Device, render.Bytes(m.Free), render.Bytes(m.Total), render.Count(len(m.Holders), "buffer holds", "buffers hold"),
		render.Bytes(held), render.Bytes(m.Pool.Reserved), render.Bytes(m.Pool.PeakUsed))
	if m.Pool.Waiting > 0 {
		below += render.Bytes(m.Pool.Waiting) + " were freed and wait for streams.\n"
	}
	if len(rows) == 0 {
		c.Out.Stream("stdout", below)
		return nil
	}
	showTable(c.Out, []string{"variables", "size", "of", "made at"}, rows, below)
	return nil
}
