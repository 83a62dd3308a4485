package magics

import (
	"context"
	"fmt"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
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
		rows = append(rows, []string{strings.Join(h.Variables, ", "), byteSize(int64(h.Bytes)), h.Elem, h.Site})
	}
	below := fmt.Sprintf("%s: %s free of %s; %s %s of %s reserved, %s at most so far.\n",
		m.Device, byteSize(int64(m.Free)), byteSize(int64(m.Total)), counted(len(m.Holders), "buffer holds", "buffers hold"),
		byteSize(int64(held)), byteSize(int64(m.Pool.Reserved)), byteSize(int64(m.Pool.PeakUsed)))
	if m.Pool.Waiting > 0 {
		below += byteSize(int64(m.Pool.Waiting)) + " were freed and wait for streams.\n"
	}
	if len(rows) == 0 {
		c.Out.Stream("stdout", below)
		return nil
	}
	showTable(c.Out, []string{"variables", "size", "of", "made at"}, rows, below)
	return nil
}
