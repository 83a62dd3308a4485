package magics

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/top"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// labTarget is the target of the comm through which JupyterLab's extension asks the kernel, also while a cell runs.
const labTarget = "gopherwarp.lab"

// A labRequest is a question of the extension.
type labRequest struct {
	ID   json.RawMessage `json:"id"` // repeated in the answer
	Op   string          `json:"op"` // "status" or "format"
	Text string          `json:"text"`
}

// A labReply is an answer to the extension.
type labReply struct {
	ID      json.RawMessage `json:"id"`
	Text    string          `json:"text,omitempty"`  // formatted
	Error   string          `json:"error,omitempty"` // why the text was not formatted
	Devices []labDevice     `json:"devices,omitempty"`
	Choices []string        `json:"choices,omitempty"` // arguments of %gpu
}

// A labDevice is a device that the session uses.
type labDevice struct {
	Name    string `json:"name"`
	Product string `json:"product"`
	Current bool   `json:"current"`
	Used    uint64 `json:"used"`    // bytes of its memory, in all processes if that is known
	Total   uint64 `json:"total"`   // 0 if unknown
	Own     uint64 `json:"own"`     // bytes that this session has reserved
	Percent int    `json:"percent"` // how busy it is; -1 if unknown
}

// lab is the kernel's end of the extension's comm.
type lab struct {
	engine *Engine
	comm   *kernel.Comm
}

// Message implements kernel.CommListener.
func (l lab) Message(ctx context.Context, m kernel.CommMessage) {
	var q labRequest
	if json.Unmarshal(m.Data, &q) != nil {
		return
	}
	// clang-format and nvidia-smi may take a second, in which widgets must work.
	go func() {
		data, err := json.Marshal(l.answer(ctx, q))
		if err == nil {
			_ = l.comm.Send(kernel.CommMessage{Parent: m.Parent, Data: data}) // fails if the front end has just closed it
		}
	}()
}

// Closed implements kernel.CommListener.
func (lab) Closed(context.Context, kernel.CommMessage) {}

func (l lab) answer(ctx context.Context, q labRequest) labReply {
	r := labReply{ID: q.ID}
	switch q.Op {
	case "status":
		r.Devices = l.engine.devices(ctx)
		r.Choices = deviceChoices(r.Devices)
	case "format":
		text, err := l.engine.format(ctx, q.Text, "")
		if err != nil {
			r.Error = err.Error()
		}
		r.Text = text
	default:
		r.Error = fmt.Sprintf("this kernel cannot %q", q.Op)
	}
	return r
}

// devices returns the devices that the session uses, the current one first, without waiting for the running cell. It is empty before the
// session has a device.
func (e *Engine) devices(ctx context.Context) (list []labDevice) {
	for _, p := range children.Of(os.Getpid()) {
		for _, d := range top.DevicesOf(p.PID) {
			made := labDevice{Name: d.Name, Product: d.Product, Current: d.Current, Used: d.Reserved, Total: d.Total, Own: d.Reserved}
			if ordinal, ok := gpuOrdinal(d.Name); ok {
				load := e.load.GPU(ctx, ordinal)
				made.Percent, made.Used, made.Total = load.Percent, max(load.Used, made.Used), max(load.Total, made.Total)
			} else {
				made.Percent = e.load.Processors(d.PID, time.Now()).Percent
			}
			if made.Current {
				list = append([]labDevice{made}, list...)
			} else {
				list = append(list, made)
			}
		}
	}
	return list
}

// gpuOrdinal returns the number among the machine's GPUs of the device with a name such as "cuda:1".
func gpuOrdinal(name string) (int, bool) {
	number, ok := strings.CutPrefix(name, "cuda:")
	ordinal, err := strconv.Atoi(number)
	if !ok || err != nil {
		return 0, false
	}
	if visible := os.Getenv("CUDA_VISIBLE_DEVICES"); visible != "" {
		entries := strings.Split(visible, ",")
		if ordinal < len(entries) {
			if n, err := strconv.Atoi(strings.TrimSpace(entries[ordinal])); err == nil {
				return n, true
			}
		}
	}
	return ordinal, true
}

// deviceChoices returns devices that %gpu may pick: those in use, and what is there on any machine.
func deviceChoices(used []labDevice) []string {
	choices := []string{"auto", "sim", "sim:t4", "sim:h200"}
	for _, d := range used {
		known := false
		for _, c := range choices {
			known = known || c == d.Name
		}
		if !known {
			choices = append(choices, d.Name)
		}
	}
	return choices
}
