package magics

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
	"github.com/gopherwarp/gopherwarp/internal/gpuload"
	"github.com/gopherwarp/gopherwarp/internal/top"
	"github.com/gopherwarp/gopherwarp/kernel"
)

// labTarget is the target of the comm through which JupyterLab's extension asks the kernel, also while a cell runs.
const labTarget = "gopherwarp.lab"

// A labRequest is a question of the extension.
type labRequest struct {
	ID   int    `json:"id"` // above 0; repeated in the answer
	Op   string `json:"op"` // "status", "format", "marks" or opGonb
	Text string `json:"text"`
	gonbValue
}

// A labReply is an answer to the extension.
type labReply struct {
	ID      int         `json:"id"`              // of the request, or 0
	Text    string      `json:"text,omitempty"`  // formatted
	Error   string      `json:"error,omitempty"` // why the text was not formatted
	Devices []labDevice `json:"devices,omitempty"`
	Choices []string    `json:"choices,omitempty"` // arguments of %gpu
	Marks   []execution `json:"marks,omitempty"`   // of the cells that ran
	Gonb    *gonbValue  `json:"gonb,omitempty"`
}

// opGonb is the operation of a value for a widget of package gonbui.
const opGonb = "gonb"

// A gonbValue is a value for an address of gonbui's comms, or a request for one. A front end without a value answers null.
type gonbValue struct {
	Address string `json:"address"`
	Value   any    `json:"value"`
	Request bool   `json:"request"`
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
	ended  chan struct{} // closed with the comm
	end    func()        // closes ended
}

// maxLabs is the maximum number of comms that are told the state of devices. Pages that were reloaded leave theirs open.
const maxLabs = 8

// newLab returns the kernel's end of a comm and tells it, while cells run, the state of the devices.
func (e *Engine) newLab(comm *kernel.Comm) *lab {
	l := &lab{engine: e, comm: comm, ended: make(chan struct{})}
	l.end = sync.OnceFunc(func() { close(l.ended) })
	e.mu.Lock()
	e.labs = append(e.labs, l)
	if len(e.labs) > maxLabs {
		e.labs[0].end()
		e.labs = e.labs[1:]
	}
	e.mu.Unlock()
	go l.watch()
	return l
}

// labPeriod is how often the extension is told the state of devices.
const labPeriod = 1500 * time.Millisecond

// watch sends the state of the devices when it has changed, while cells run and once after each. It sends nothing in an idle session, which
// servers end by the time of its last message.
func (l *lab) watch() {
	tick := time.NewTicker(labPeriod)
	defer tick.Stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var sent []byte
	for cells := 0; ; {
		select {
		case <-l.ended:
			return
		case <-tick.C:
		}
		running, ran := l.engine.activity()
		if !running && ran == cells {
			continue
		}
		if !running {
			cells = ran
		}
		data, err := json.Marshal(l.answer(ctx, labRequest{Op: "status"}))
		if err != nil || bytes.Equal(data, sent) {
			continue
		}
		if l.comm.Send(kernel.CommMessage{Data: data}) != nil {
			return
		}
		sent = data
	}
}

// hasLab reports whether JupyterLab's extension is connected.
func (e *Engine) hasLab() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.labs) > 0
}

// postGonb sends a value for a widget of package gonbui to all pages. It reports whether there is one.
func (e *Engine) postGonb(address string, value any, request bool) bool {
	data, err := json.Marshal(labReply{Gonb: &gonbValue{address, value, request}})
	if err != nil {
		return false
	}
	e.mu.Lock()
	labs := slices.Clone(e.labs)
	e.mu.Unlock()
	for _, l := range labs {
		_ = l.comm.Send(kernel.CommMessage{Data: data}) // fails if the page has just closed it
	}
	return len(labs) > 0
}

// activity reports whether a cell runs, and returns how many have run.
func (e *Engine) activity() (running bool, ran int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.began > e.ended, e.ended
}

// Message implements kernel.CommListener.
func (l *lab) Message(ctx context.Context, m kernel.CommMessage) {
	var q labRequest
	if json.Unmarshal(m.Data, &q) != nil {
		return
	}
	if q.Op == opGonb {
		l.engine.deliverGonb(q.Address, q.Value)
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
func (l *lab) Closed(context.Context, kernel.CommMessage) {
	l.end()
	l.engine.mu.Lock()
	defer l.engine.mu.Unlock()
	l.engine.labs = slices.DeleteFunc(l.engine.labs, func(other *lab) bool { return other == l })
}

func (l *lab) answer(ctx context.Context, q labRequest) labReply {
	r := labReply{ID: q.ID}
	switch q.Op {
	case "status":
		gpus := l.engine.load.GPUs(ctx)
		r.Devices = l.engine.devices(gpus)
		r.Choices = deviceChoices(r.Devices, gpus)
	case "format":
		text, err := l.engine.format(ctx, q.Text, "")
		if err != nil {
			r.Error = err.Error()
		}
		r.Text = text
	case "marks":
		r.Marks = l.engine.executions()
	default:
		r.Error = fmt.Sprintf("this kernel cannot %q", q.Op)
	}
	return r
}

// devices returns the devices that the session uses, the current one first, without waiting for the running cell. It is empty before the
// session has a device. gpus are those of the machine.
func (e *Engine) devices(gpus map[int]gpuload.Load) (list []labDevice) {
	for _, p := range children.Of(os.Getpid()) {
		for _, d := range top.DevicesOf(p.PID) {
			made := labDevice{Name: d.Name, Product: d.Product, Current: d.Current, Used: d.Reserved, Total: d.Total, Own: d.Reserved}
			if ordinal, ok := gpuOrdinal(d.Name); ok {
				made.Percent = -1
				if load, known := gpus[ordinal]; known {
					made.Percent, made.Used, made.Total = load.Percent, max(load.Used, made.Used), max(load.Total, made.Total)
				}
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

// deviceChoices returns devices that %gpu may pick: the GPUs of the machine, simulated ones, and those in use.
func deviceChoices(used []labDevice, gpus map[int]gpuload.Load) []string {
	choices := []string{"auto"}
	for i := range len(gpus) {
		choices = append(choices, fmt.Sprintf("cuda:%d", i))
	}
	choices = append(choices, "sim", "sim:t4", "sim:h200")
	for _, d := range used {
		if !slices.Contains(choices, d.Name) {
			choices = append(choices, d.Name)
		}
	}
	return choices
}
