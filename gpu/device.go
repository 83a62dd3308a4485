package gpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
	"github.com/gopherwarp/gopherwarp/gpu/internal/pointer"
)

// A Device is a GPU or the simulator.
type Device struct {
	link     *client.Link
	watchers watchers
	late     pointer.Atomic // *func() error: executes work that has been put off
	unusable error          // of the environment, or nil
}

// registry holds the devices of this process. It is global because a device process belongs to the process that started it, and the
// current device is the process's, as in CUDA.
var registry struct {
	mu      sync.Mutex
	devices []*Device
	current *Device
	named   bool // whether the user chose the current device, instead of "auto"
	// profiles counts the running profiles, which need ranges.
	profiles atomic.Int32
}

// deviceEnv is the environment variable with the name of the device that is current at first.
const deviceEnv = "GOPHERWARP_DEVICE"

// lookup returns the device of that name and adds it to the registry if it is new.
func lookup(name string) *Device {
	for _, d := range registry.devices {
		if d.link.IsNamed(name) {
			return d
		}
	}
	d := &Device{link: client.NewLink(name)}
	d.unusable = limited(d.link)
	registry.devices = append(registry.devices, d)
	return d
}

// known returns the devices that this process has used or listed.
func known() []*Device {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return slices.Clone(registry.devices)
}

// links returns the links of those devices.
func links() []*client.Link {
	var list []*client.Link
	for _, d := range known() {
		list = append(list, d.link)
	}
	return list
}

// deviceOf returns the device of a link.
func deviceOf(l *client.Link) *Device {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	for _, d := range registry.devices {
		if d.link == l {
			return d
		}
	}
	return &Device{link: l}
}

// chosen returns the current device, which may not be open yet.
func chosen() (*Device, error) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.current == nil {
		name := os.Getenv(deviceEnv)
		if name == "" {
			name = "auto"
		}
		name, err := canonical(name)
		if err != nil {
			return nil, misuse("choosing a device from "+deviceEnv, "%v", err)
		}
		registry.current, registry.named = lookup(name), name != "auto"
		registry.current.link.SetCurrent(true)
	}
	return registry.current, nil
}

// canonical checks a device's name and returns its full form: "cuda" is "cuda:0".
func canonical(name string) (string, error) {
	kind, ordinal, numbered := strings.Cut(name, ":")
	if kind == "cuda" && !numbered {
		return "cuda:0", nil
	}
	if kind == "sim" {
		// The rest is a model, an order and a number, which the simulator parses.
		if strings.Trim(ordinal, "abcdefghijklmnopqrstuvwxyz0123456789,=:") != "" {
			return "", fmt.Errorf("device %q: after sim: stands the GPU to imitate, as in sim:t4, sim:h200x2 or sim:t4,reverse", name)
		}
		return strings.TrimSuffix(strings.TrimSuffix(name, ":0"), ":"), nil
	}
	if numbered {
		if ordinal == "" || len(ordinal) > 4 || strings.Trim(ordinal, "0123456789") != "" {
			return "", fmt.Errorf("device %q: what follows the colon must be a number, as in cuda:0", name)
		}
	} else if kind == "" || strings.ContainsAny(kind, " \t/") {
		return "", fmt.Errorf("device %q: the choices are auto, sim and cuda:N", name)
	}
	return name, nil
}

// Current returns the current device, which buffers are allocated on and programs are compiled for, and opens it if necessary.
func Current() (*Device, error) {
	d, err := chosen()
	if err != nil {
		return nil, err
	}
	if err := d.open(); err != nil {
		return nil, err
	}
	return d, nil
}

// chosenOf opens and returns the first of the devices, or the current one if there is none.
func chosenOf(on []*Device) (*Device, error) {
	if len(on) == 0 || on[0] == nil {
		return Current()
	}
	return on[0], on[0].open()
}

// Use makes another device current: "auto", "sim" or "cuda:N". The simulator imitates a GPU's limits as "sim:t4", has several devices as
// "sim:h200x2" (the second is "sim:h200x2:1"), and runs threads in another order as "sim:reverse" or "sim:random=7". If the device cannot
// be opened, Use returns an error and the current device does not change. Buffers and kernels remain on the device they were made on.
func Use(name string) error {
	name, err := canonical(name)
	if err != nil {
		return misuse("choosing a device", "%v", err)
	}
	registry.mu.Lock()
	d := lookup(name)
	registry.mu.Unlock()
	if err := d.open(); err != nil {
		return err
	}
	registry.mu.Lock()
	old := registry.current
	registry.current, registry.named = d, name != "auto"
	registry.mu.Unlock()
	if old != nil {
		old.link.SetCurrent(false)
	}
	d.link.SetCurrent(true)
	return nil
}

// warm implements gpuhooks.Warm.
func warm() {
	go func() { _, _ = Current() }()
}

// Devices returns the devices of this machine without opening them, GPUs first and the simulator last.
func Devices() ([]*Device, error) {
	d, err := chosen()
	if err != nil {
		return list(nil)
	}
	return list(d)
}

// list returns the devices of this machine; if one of a simulator is given, the simulator's are those of its model.
func list(of *Device) ([]*Device, error) {
	const op = "listing devices"
	program, err := client.Program()
	if err != nil {
		return nil, client.Unavailable(op, err)
	}
	args := []string{"device", "--list"}
	if of != nil {
		if kind, model, _ := client.NameParts(of.Name()); kind == "sim" {
			args = append(args, "--model", model)
		}
	}
	names, err := output(program, args...)
	if err != nil {
		return nil, client.Unavailable(op, err)
	}
	registry.mu.Lock()
	defer registry.mu.Unlock()
	var list []*Device
	for _, name := range strings.Fields(names) {
		list = append(list, lookup(name))
	}
	return list, nil
}

// Alike returns the devices of the same kind as d in order, d included: all GPUs, of whatever model, or all devices of a simulator such as
// sim:x4.
func (d *Device) Alike() ([]*Device, error) {
	all, err := list(d)
	if err != nil {
		return nil, err
	}
	kind, model, _ := client.NameParts(d.Name())
	return slices.DeleteFunc(all, func(other *Device) bool {
		k, m, _ := client.NameParts(other.Name())
		return k != kind || m != model
	}), nil
}

// output runs a program and returns its standard output.
func output(program client.Executable, args ...string) (string, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	p, err := os.StartProcess(program.Path, append([]string{program.Path}, args...), &os.ProcAttr{Env: program.Environ(), Files: []*os.File{null, w, null}})
	w.Close()
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(r)
	st, werr := p.Wait()
	if err == nil {
		err = werr
	}
	if err == nil && !st.Success() {
		err = fmt.Errorf("%s device --list: %v", program.Path, st)
	}
	return b.String(), err
}

// open opens the device if it is not open.
func (d *Device) open() error {
	if d.unusable != nil {
		return misuse("opening device "+d.link.Name(), "%v", d.unusable)
	}
	err := d.link.Open()
	if err == nil { // usually: the text below is made for each call
		return nil
	}
	return wrap("opening device "+d.link.Name(), err)
}

// Name returns the name that Use takes: "sim" or "cuda:0", or "auto" until it has been resolved.
func (d *Device) Name() string { return d.link.Name() }

// String returns the device's product name and its name.
func (d *Device) String() string {
	if p := d.link.Properties(); p != nil {
		return p.Name + " (" + d.Name() + ")"
	}
	return d.Name()
}

// Properties returns the properties of the device, which it opens if necessary. It panics with an *Error if the device cannot be opened.
func (d *Device) Properties() Properties {
	if err := d.open(); err != nil {
		panic(err)
	}
	return Properties(*d.link.Properties())
}

// MemInfo returns the free and the total memory of the device in bytes.
func (d *Device) MemInfo() (free, total uint64, err error) {
	free, total, err = d.link.MemInfo()
	return free, total, wrap("asking for the device's memory", err)
}

// Sync waits for all work on the device and copies managed memory back. Its error is the first one of the work since the last wait.
func (d *Device) Sync() error {
	err := errors.Join(d.settle(), d.link.CopyBackManaged())
	return wrap("waiting for the device", errors.Join(err, d.link.Sync()))
}

// Sync is like Device.Sync for the current device. It does not start a device that was never used.
func Sync() error {
	d, err := chosen()
	if err != nil {
		return err
	}
	return d.finish()
}

// finish waits for the work whose completion, or error, is not known yet. It does not ask the device if there is none.
func (d *Device) finish() error {
	err := wrap("waiting for the device", d.settle())
	if d.link.Outstanding() {
		err = errors.Join(err, d.Sync())
	}
	return err
}

// cellEnd implements gpuhooks.CellEnd.
func cellEnd(ctx context.Context) error {
	devices := known()
	var errs []error
	for _, d := range devices {
		stop := context.AfterFunc(ctx, d.link.Stop)
		errs = append(errs, d.finish())
		stop()
	}
	return errors.Join(errs...)
}

// interrupt implements gpuhooks.Interrupt.
func interrupt() {
	devices := known()
	for _, d := range devices {
		d.link.Stop()
	}
}

// A State is the state of a device: its process and its memory.
type State struct {
	Name    string // e.g. "cuda:0"
	Product string // e.g. "NVIDIA H200"; "" if it is not open
	Backend string // "cuda" or "sim"
	Note    string // why the device was chosen, or ""
	Current bool
	Open    bool
	Pid     int // of the device process
	Starts  int // device processes started so far; more than 1 if one was replaced

	Buffers       int    // that exist
	BufferBytes   uint64 // their size in bytes, rounded up by the allocator
	ReservedBytes uint64 // device memory that the allocator has reserved

	SuspendedBytes uint64 // of the buffers, if they are in host memory since the device was suspended
}

// Status returns the states of the devices that this process has used, the current one first. It starts nothing and does not wait.
func Status() []State {
	cur, _ := chosen()
	registry.mu.Lock()
	named := registry.named
	registry.mu.Unlock()
	devices := known()
	var list []State
	for _, d := range devices {
		st := d.state()
		switch {
		case d == cur:
			st.Current = true
			if named {
				st.Note = "" // it is the reason of "auto"
			}
			list = append([]State{st}, list...)
		case st.Starts > 0:
			list = append(list, st)
		}
	}
	return list
}

func (d *Device) state() State {
	s := d.link.Status()
	st := State{
		Name: d.Name(), Open: s.Open, Pid: s.Pid, Starts: s.Starts,
		Buffers: s.Buffers, BufferBytes: s.Memory.Used - s.Memory.Waiting, ReservedBytes: s.Memory.Reserved, SuspendedBytes: s.Saved,
	}
	if h := s.Hello; h != nil {
		st.Product, st.Backend, st.Note = h.Properties.Name, h.Backend, h.Note
	}
	return st
}
