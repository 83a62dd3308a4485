package magics

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/gpuhost"
	"github.com/gopherwarp/gopherwarp/internal/render"
	"github.com/gopherwarp/gopherwarp/kernel"
)

func gpuMagic() *Magic {
	return &Magic{
		Name: "gpu", Again: true, Line: true, Usage: "[auto|sim|cuda:N|mem]",
		Summary: "shows the device that kernels run on, or picks another; buffers and kernels stay on theirs; mem shows who holds its memory",
		Run:     runGPU,
	}
}

func runGPU(ctx context.Context, c *Call) error {
	if strings.TrimSpace(c.Args) == "mem" {
		return runGPUMemory(ctx, c)
	}
	if c.Args != "" {
		var device string
		if err := c.call(ctx, gpuhost.CallUse, c.Args, &device); err != nil {
			return err
		}
		c.mu.Lock()
		c.device = strings.TrimSpace(c.Args)
		c.mu.Unlock()
	}
	var s gpuhost.Status
	if err := c.call(ctx, gpuhost.CallStatus, struct{}{}, &s); err != nil {
		return err
	}
	var plain, page strings.Builder
	fmt.Fprintf(&plain, "%s on %s\n", s.Properties.Name, s.Device)
	fmt.Fprintf(&page, "<p><strong>%s</strong> on <code>%s</code></p>\n<table>\n<tbody>\n", html.EscapeString(s.Properties.Name), html.EscapeString(s.Device))
	for _, row := range statusRows(s) {
		fmt.Fprintf(&plain, "  %-24s %s\n", row[0], row[1])
		fmt.Fprintf(&page, "<tr><th scope=\"row\" style=\"text-align: left\">%s</th><td style=\"text-align: left\">%s</td></tr>\n", html.EscapeString(row[0]), html.EscapeString(row[1]))
	}
	page.WriteString("</tbody>\n</table>")
	c.Out.Display(kernel.MIMEBundle{"text/plain": plain.String(), "text/html": page.String()}, nil, "")
	return nil
}

func statusRows(s gpuhost.Status) [][2]string {
	p := s.Properties
	rows := [][2]string{
		{"compute capability", fmt.Sprintf("%d.%d", p.ComputeMajor, p.ComputeMinor)},
		{"multiprocessors", fmt.Sprint(p.MultiProcessorCount)},
		{"threads per block", fmt.Sprintf("at most %d", p.MaxThreadsPerBlock)},
		{"shared memory per block", fmt.Sprintf("%d KiB", p.SharedMemPerBlock>>10)},
		{"memory", fmt.Sprintf("%s free of %s", render.Bytes(s.Free), render.Bytes(s.Total))},
	}
	if p.DriverVersion > 0 {
		rows = append(rows, [2]string{"CUDA driver", fmt.Sprintf("%d.%d", p.DriverVersion/1000, p.DriverVersion%1000/10)})
	}
	for _, st := range s.States {
		if st.Current && st.Note != "" {
			rows = append(rows, [2]string{"chosen because", st.Note})
		}
		if st.Open {
			rows = append(rows, [2]string{"in use on " + st.Name, fmt.Sprintf("%s, %s", render.Count(st.Buffers, "buffer", "buffers"), render.Bytes(uint64(st.BufferBytes)))})
		}
	}
	return rows
}

// call calls a handler of the session process, with arguments and results in JSON.
func (c *Call) call(ctx context.Context, name string, in, out any) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	reply, err := c.session.Call(ctx, name, data, c.Out)
	if err != nil {
		return err
	}
	return json.Unmarshal(reply, out)
}
