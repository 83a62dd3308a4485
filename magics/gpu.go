package magics

import (
	"context"
	"encoding/json"
	"fmt"
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
	}
	var s gpuhost.Status
	if err := c.call(ctx, gpuhost.CallStatus, struct{}{}, &s); err != nil {
		return err
	}
	rows := statusRows(s)
	var plain, md strings.Builder
	fmt.Fprintf(&md, "**%s** on `%s`\n\n| | |\n|---|---|\n", s.Properties.Name, s.Device)
	fmt.Fprintf(&plain, "%s on %s\n", s.Properties.Name, s.Device)
	for _, row := range rows {
		fmt.Fprintf(&md, "| %s | %s |\n", row[0], row[1])
		fmt.Fprintf(&plain, "  %-24s %s\n", row[0], row[1])
	}
	c.Out.Display(kernel.MIMEBundle{"text/plain": plain.String(), "text/markdown": md.String()}, nil, "")
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
		note := ""
		if st.Current && st.Note != "" {
			note = " (" + st.Note + ")"
		}
		if st.Open {
			rows = append(rows, [2]string{"in use on " + st.Name, fmt.Sprintf("%s, %s%s", render.Count(st.Buffers, "buffer", "buffers"), render.Bytes(uint64(st.BufferBytes)), note)})
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
