package client

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// state is what a new device process is given to have all objects of the previous one, apart from memory. The connection's lock guards
// it.
type state struct {
	last     uint32  // handle returned
	streams  handles // their priorities, int32
	events   handles // bool: whether they have no clock
	modules  handles // *LoadedModule
	textures handles // *TextureState
	graphs   handles // *Recording
}

func newState(l *Link) state {
	c := &l.conn
	return state{
		streams: newHandles(c, func(p *Process, h uint32, priority int32) error {
			return c.note(p, &wire.Command{Op: wire.OpStreamCreate, Stream: h, Arg: uint32(priority)}, nil)
		}, func(h uint32) wire.Command { return wire.Command{Op: wire.OpStreamDestroy, Stream: h} }),

		events: newHandles(c, func(p *Process, h uint32, noClock bool) error {
			return c.note(p, &wire.Command{Op: wire.OpEventCreate, Event: h, Arg: Flag(noClock)}, nil)
		}, func(h uint32) wire.Command { return wire.Command{Op: wire.OpEventDestroy, Event: h} }),

		modules: newHandles(c, func(p *Process, h uint32, m *LoadedModule) error { return m.restore(c, p, h) },
			func(h uint32) wire.Command { return wire.Command{Op: wire.OpUnload, Arg: h} }),

		textures: newHandles(c, func(p *Process, h uint32, t *TextureState) error {
			t.Broken = t.send(c, p, h)
			return onlyGone(t.Broken)
		}, func(h uint32) wire.Command { return wire.Command{Op: wire.OpTextureDestroy, Arg: h} }),

		graphs: newHandles(c, func(p *Process, h uint32, r *Recording) error {
			r.broken = l.sendGraph(p, h, r)
			return onlyGone(r.broken)
		}, func(h uint32) wire.Command { return wire.Command{Op: wire.OpGraphDestroy, Arg: h} }),
	}
}

// onlyGone returns err if it means that the process has exited, otherwise nil. Other errors concern one object that could not be
// restored, and its users.
func onlyGone(err error) error {
	if errors.Is(err, errGone) {
		return err
	}
	return nil
}

// handle returns a number that was not used before. The lock is held.
func (s *state) handle() uint32 {
	s.last++
	return s.last
}

// handles has the objects of a device process, by the handles that commands use for them. They have one type in each handles. It is no
// generic type for the reason that package pointer has.
type handles struct {
	conn    *connection
	entries map[uint32]any
	create  func(p *Process, handle uint32, v any) error
	destroy func(handle uint32) wire.Command
}

func newHandles[T any](c *connection, create func(*Process, uint32, T) error, destroy func(uint32) wire.Command) handles {
	return handles{c, map[uint32]any{}, func(p *Process, handle uint32, v any) error { return create(p, handle, v.(T)) }, destroy}
}

// entry returns an object, or its type's zero value. The lock is held.
func entry[T any](t *handles, handle uint32) T {
	v, _ := t.entries[handle].(T)
	return v
}

// add creates an object in the process and keeps it for the next ones. The lock is held.
func (t *handles) add(p *Process, handle uint32, v any) error {
	if err := t.create(p, handle, v); err != nil {
		return err
	}
	t.entries[handle] = v
	return nil
}

// keep keeps an object that the process has already. The lock is held.
func (t *handles) keep(handle uint32, v any) { t.entries[handle] = v }

// restore creates all objects in a new process. The lock is held.
func (t *handles) restore(p *Process) error {
	for h, v := range t.entries {
		if err := t.create(p, h, v); err != nil {
			return err
		}
	}
	return nil
}

// substitute creates objects for those handles that do not exist, and returns the commands that destroy them. The lock is held.
func (t *handles) substitute(p *Process, handles map[uint32]bool, v any) (undo []wire.Command, err error) {
	for h := range handles {
		if _, ok := t.entries[h]; ok {
			continue
		}
		if err := t.create(p, h, v); err != nil {
			return nil, err
		}
		undo = append(undo, t.destroy(h))
	}
	return undo, nil
}

// drop destroys an object and reports whether it existed.
func (t *handles) drop(handle uint32) bool {
	t.conn.mu.Lock()
	defer t.conn.mu.Unlock()
	if _, ok := t.entries[handle]; !ok {
		return false
	}
	delete(t.entries, handle)
	cmd := t.destroy(handle)
	t.conn.tell(&cmd)
	return true
}

func Flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// A LoadedModule has what is needed to load a module again into a new device process.
type LoadedModule struct {
	Name    string
	Image   backend.Image
	Kernels []wire.Kernel
	// globals are the values that the host has given variables.
	globals map[string][]byte
	// source is the program, for devices that compile it again to check it; it is empty if it is not to be checked.
	source backend.Program
}

// load loads the module under a handle and returns its kernels. The lock is held.
func (m *LoadedModule) load(c *connection, p *Process, handle uint32) ([]wire.Kernel, error) {
	req := &wire.Load{Module: handle, Image: m.Image, Kernels: m.Kernels, Program: m.source}
	err := c.request(p, req, -1)
	return req.Kernels, err
}

// restore loads the module into a new process. The lock is held.
func (m *LoadedModule) restore(c *connection, p *Process, handle uint32) error {
	if _, err := m.load(c, p, handle); err != nil {
		return fmt.Errorf("loading %s again: %w", m.Name, err)
	}
	return m.restoreGlobals(c, p, handle)
}

// restoreGlobals sets the module's variables. The lock is held.
func (m *LoadedModule) restoreGlobals(c *connection, p *Process, handle uint32) error {
	for name, data := range m.globals {
		if err := c.request(p, &wire.WriteGlobal{Module: handle, Name: name, Data: data}, -1); err != nil {
			return fmt.Errorf("setting variable %s of %s again: %w", name, m.Name, err)
		}
	}
	return nil
}

// SetGlobal records that the host has set a variable. The lock is held.
func (m *LoadedModule) SetGlobal(name string, data []byte) {
	if m.globals == nil {
		m.globals = map[string][]byte{}
	}
	m.globals[name] = data
}

// compiled returns the image and the kernels of a program; if image is not nil, it is that one. The lock is held.
func (l *Link) compiled(p *Process, program backend.Program, image *backend.Image) (backend.Image, []wire.Kernel, error) {
	if image != nil {
		req := &wire.Signatures{Program: program}
		err := l.conn.request(p, req, -1)
		return *image, req.Kernels, err
	}
	req := &wire.Compile{Program: program}
	err := l.conn.request(p, req, -1)
	return req.Image, req.Kernels, err
}

// build loads the result of compiled. The lock is held.
func (l *Link) build(p *Process, program backend.Program, from *backend.Image) (handle uint32, _ *LoadedModule, err error) {
	image, kernels, err := l.compiled(p, program, from)
	if err != nil {
		return 0, nil, err
	}
	handle = l.state.handle()
	for i := range kernels {
		kernels[i].Func = l.state.handle()
	}
	m := &LoadedModule{Name: program.Name, Image: image, Kernels: kernels}
	if program.Check {
		m.source = program
	}
	if m.Kernels, err = m.load(&l.conn, p, handle); err != nil {
		return 0, nil, err
	}
	l.state.modules.keep(handle, m)
	return handle, m, nil
}

// A TextureState has what is needed to make a texture again in a new process.
type TextureState struct {
	backend.Texture
	Broken error // why that has failed
}

// send makes the texture in a process, or updates it from its memory. The lock is held.
func (s *TextureState) send(c *connection, p *Process, handle uint32) error {
	return c.request(p, &wire.Texture{Handle: handle, Texture: s.Texture}, -1)
}
