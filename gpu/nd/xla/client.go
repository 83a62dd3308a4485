package xla

import (
	"errors"
	"fmt"
	"os"

	"github.com/gopherwarp/gopherwarp/gpu"
	"github.com/gopherwarp/gopherwarp/gpu/nd/internal/pjrt"
)

// A Client is XLA on one device.
type Client struct {
	device *gpu.Device
	plugin *pjrt.Plugin
	client *pjrt.Client
	// byHost means that arguments and results are copied through the host.
	byHost bool
}

// Open opens the plugin that Find returns, for the current device.
func Open() (*Client, error) {
	d, err := gpu.Current()
	if err != nil {
		return nil, fmt.Errorf("opening XLA: %w", err)
	}
	path, err := Find(!d.Properties().Simulated)
	if err != nil {
		return nil, err
	}
	return open(path, d)
}

// OpenPlugin opens a plugin for the current device: one for NVIDIA GPUs on a GPU, one for CPUs on the simulator.
func OpenPlugin(path string) (*Client, error) {
	d, err := gpu.Current()
	if err != nil {
		return nil, fmt.Errorf("opening XLA: %w", err)
	}
	return open(path, d)
}

func open(path string, d *gpu.Device) (*Client, error) {
	path, err := checked(path)
	if err != nil {
		return nil, err
	}
	defer settings(path)()
	plugin, err := pjrt.Load(path)
	if err != nil {
		return nil, fmt.Errorf("opening the XLA plugin %s: %w", path, err)
	}
	var options []pjrt.Option
	props := d.Properties()
	if !props.Simulated {
		// Arrays need the memory that XLA would otherwise allocate in advance.
		options = []pjrt.Option{pjrt.Bool("preallocate", false), pjrt.Ints("visible_devices", int64(props.Ordinal))}
	}
	client, err := plugin.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("starting XLA on %s by %s: %w", d.Name(), path, err)
	}
	c := &Client{device: d, plugin: plugin, client: client}
	platform, err := client.Platform()
	if err == nil && (platform == "cpu") != props.Simulated {
		err = fmt.Errorf("the plugin %s is for platform %q, but the current device is %s: choose the device by gpu.Use, or another plugin", path, platform, d.Name())
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// String returns the name of the plugin and of the device.
func (c *Client) String() string { return c.plugin.String() + " on " + c.device.Name() }

// Close releases the resources of XLA. Programs of the client cannot run afterwards.
func (c *Client) Close() error { return c.client.Close() }

// Load compiles the program in a file, as Compile does.
func (c *Client) Load(path string, types ...string) (*Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading a program: %w", err)
	}
	p, err := c.Compile(text, types...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Compile compiles a StableHLO module, as text or in MLIR's binary form, whose function main is run. For a program in binary form the
// types of arguments are unknown here, and XLA compares only their number and their sizes in bytes: it would take a float32 for an int32.
// So prefer text (in JAX f.lower(…).as_text()), or give the types as the text would have them: "(%x: tensor<4xf32>, %n: tensor<i32>)".
func (c *Client) Compile(program []byte, types ...string) (*Program, error) {
	if len(program) == 0 {
		return nil, errors.New("compiling a program of XLA: it is empty")
	}
	if len(types) > 1 {
		return nil, fmt.Errorf("compiling a program of XLA: %d texts of types, one has those of all arguments", len(types))
	}
	p := &Program{client: c}
	var err error
	p.in, p.out, p.known, err = signature(program)
	if err == nil && !p.known && len(types) == 1 {
		p.in, p.out, p.known, err = signature([]byte("func.func @main" + types[0]))
	}
	if err != nil {
		return nil, fmt.Errorf("compiling a program of XLA: %w", err)
	}
	if p.exec, err = c.client.Compile(program); err != nil {
		return nil, fmt.Errorf("compiling a program of XLA: %w", err)
	}
	return p, nil
}
