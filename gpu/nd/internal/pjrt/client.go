package pjrt

import (
	"encoding/binary"
	"errors"
	"runtime"
	"unsafe"
)

// A Client is a plugin with its devices, of which the first is used.
type Client struct {
	plugin *Plugin
	handle uintptr
	device uintptr
}

// An Option is an option of a plugin.
type Option struct {
	name  string
	ints  []int64 // or nil
	value bool
}

// Bool returns an option that is true or false.
func Bool(name string, value bool) Option { return Option{name: name, value: value} }

// Ints returns an option with a list of integers, at least one.
func Ints(name string, values ...int64) Option { return Option{name: name, ints: values} }

// NewClient starts the plugin.
func (p *Plugin) NewClient(options ...Option) (*Client, error) {
	var pinned runtime.Pinner
	defer pinned.Unpin()
	values := make([]namedValue, len(options))
	for i, o := range options {
		v := &values[i]
		v.size, v.name, v.nameSize = unsafe.Sizeof(*v), unsafe.StringData(o.name), uintptr(len(o.name))
		if o.ints != nil {
			pinned.Pin(&o.ints[0])
			v.kind, v.value, v.length = valueInts, uintptr(unsafe.Pointer(unsafe.SliceData(o.ints))), uintptr(len(o.ints))
			continue
		}
		v.kind, v.length = valueBool, 1
		*(*bool)(unsafe.Pointer(&v.value)) = o.value
	}
	create := &clientCreateArgs{options: unsafe.SliceData(values), numOptions: uintptr(len(values))}
	if err := call(p, clientCreate, create); err != nil {
		return nil, err
	}
	c := &Client{plugin: p, handle: create.client}
	devices := &devicesArgs{client: c.handle}
	err := call(p, clientAddressableDevices, devices)
	if err == nil && devices.number == 0 {
		err = errors.New("it has no device")
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.device = *devices.devices
	return c, nil
}

// Platform returns the kind of devices, such as "cpu" and "cuda".
func (c *Client) Platform() (string, error) {
	args := &platformNameArgs{client: c.handle}
	if err := call(c.plugin, clientPlatformName, args); err != nil {
		return "", err
	}
	return text(args.name, args.size), nil
}

// Close ends the use of the plugin's devices.
func (c *Client) Close() error { return c.plugin.destroy(clientDestroy, &c.handle) }

// An Executable is a compiled program.
type Executable struct {
	client  *Client
	handle  uintptr
	results int
}

// Compile compiles a program, which is MLIR as text or in binary form, for one device.
func (c *Client) Compile(code []byte) (*Executable, error) {
	const format = "mlir"
	options := compileOptions()
	args := &compileArgs{
		client: c.handle,
		program: &program{
			header: header{size: unsafe.Sizeof(program{})},
			code:   unsafe.SliceData(code), codeSize: uintptr(len(code)),
			format: unsafe.StringData(format), formatSize: uintptr(len(format)),
		},
		options: unsafe.SliceData(options), optionsSize: uintptr(len(options)),
	}
	if err := call(c.plugin, clientCompile, args); err != nil {
		return nil, err
	}
	e := &Executable{client: c, handle: args.executable}
	described := &objectResultArgs{object: e.handle}
	err := call(c.plugin, loadedGetExecutable, described)
	if err == nil {
		outputs := &objectResultArgs{object: described.result}
		err = errors.Join(call(c.plugin, executableNumOutputs, outputs), c.plugin.destroy(executableDestroy, &described.result))
		e.results = int(outputs.result)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// compileOptions returns a CompileOptionsProto (xla/pjrt/proto/compile_options.proto): one replica of one partition on any device.
func compileOptions() []byte {
	const varint, bytes = 0, 2 // types of protobuf's fields
	var build []byte           // ExecutableBuildOptionsProto
	for _, f := range []struct{ number, value uint64 }{
		{1, 1<<64 - 1}, // device_ordinal: -1, no certain one
		{4, 1},         // num_replicas
		{5, 1},         // num_partitions
	} {
		build = binary.AppendUvarint(append(build, byte(f.number<<3|varint)), f.value)
	}
	options := append([]byte{3<<3 | bytes, byte(len(build))}, build...) // executable_build_options
	return append(options, 4<<3|varint, 1)                              // compile_portable_executable
}

// Close gives the compiled code back.
func (e *Executable) Close() error {
	return e.client.plugin.destroy(loadedExecutableDestroy, &e.handle)
}

// Run starts the program. Results may not have been computed when it returns: see Buffer.Await and Buffer.AwaitOn. A program without results
// has ended.
func (e *Executable) Run(arguments []*Buffer) ([]*Buffer, error) {
	handles := make([]uintptr, len(arguments)+1+e.results) // the first address is needed even of no arguments
	kept := make([]int64, len(arguments)+1)
	for i, a := range arguments {
		handles[i], kept[i] = a.handle, int64(i)
	}
	in, out := &handles[0], handles[len(handles)-e.results:]
	results := unsafe.SliceData(out)
	args := &executeArgs{
		executable: e.handle,
		options: &executeOptions{
			header:       header{size: unsafe.Sizeof(executeOptions{})},
			nonDonatable: &kept[0], numNonDonatable: uintptr(len(arguments)),
		},
		arguments: &in, numDevices: 1, numArgs: uintptr(len(arguments)),
		results: &results, device: e.client.device,
	}
	var ended uintptr
	if e.results == 0 {
		args.events = &ended
	}
	err := call(e.client.plugin, loadedExecutableExecute, args)
	if err == nil {
		err = e.client.plugin.await(ended)
	}
	if err != nil {
		return nil, err
	}
	list := make([]*Buffer, e.results)
	for i, h := range out {
		list[i] = &Buffer{e.client, h}
	}
	return list, nil
}
