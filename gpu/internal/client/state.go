package client

import (
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// state is what a new device process is given so that it has all that the one before it had, apart from memory. The
// connection's lock guards it.
type state struct {
	last     uint32         // handle given out
	streams  handles[int32] // priorities
	events   handles[bool]  // whether they have no clock
	modules  handles[*LoadedModule]
	textures handles[*TextureState]
	graphs   handles[*Recording]
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

// onlyGone returns an error if it says that the process has exited. Other errors concern the one thing that could not be restored, and
// whoever uses it.
func onlyGone(err error) error {
	if errors.Is(err, errGone) {
		return err
	}
	return nil
}

// handle returns a number that was not given out before. The lock is held.
func (s *state) handle() uint32 {
	s.last++
	return s.last
}

// handles holds things that a device process has, by the handles that commands name them by.
type handles[T any] struct {
	conn    *connection
	entries map[uint32]T
	create  func(p *Process, handle uint32, v T) error
	destroy func(handle uint32) wire.Command
}

func newHandles[T any](c *connection, create func(*Process, uint32, T) error, destroy func(uint32) wire.Command) handles[T] {
	return handles[T]{c, map[uint32]T{}, create, destroy}
}

// add creates a thing in the process and keeps it for the next ones. The lock is held.
func (t *handles[T]) add(p *Process, handle uint32, v T) error {
	if err := t.create(p, handle, v); err != nil {
		return err
	}
	t.entries[handle] = v
	return nil
}

// keep keeps a thing that the process has already. The lock is held.
func (t *handles[T]) keep(handle uint32, v T) { t.entries[handle] = v }

// restore creates all things in a new process. The lock is held.
func (t *handles[T]) restore(p *Process) error {
	for h, v := range t.entries {
		if err := t.create(p, h, v); err != nil {
			return err
		}
	}
	return nil
}

// substitute creates things for those handles that are not there, and returns the commands that destroy them again. The lock is held.
func (t *handles[T]) substitute(p *Process, handles map[uint32]bool, v T) (undo []wire.Command, err error) {
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

// drop destroys a thing and reports whether it was there.
func (t *handles[T]) drop(handle uint32) bool {
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

// LoadedModule is what is kept of a module to load it again into a new device process.
type LoadedModule struct {
	Name    string
	Image   backend.Image
	Kernels []wire.Kernel
	// globals are the variables that the host has set, as it has set them.
	globals map[string][]byte
	// source is the program, for devices that compile it once more to check it; it is empty if
	// it is not to be checked.
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

// SetGlobal notes that the host has set a variable. The lock is held.
func (m *LoadedModule) SetGlobal(name string, data []byte) {
	if m.globals == nil {
		m.globals = map[string][]byte{}
	}
	m.globals[name] = data
}

// compiled returns the image and the kernels of a program; if image is not nil, that one. The lock is held.
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

// build loads what compiled returns. The lock is held.
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

// TextureState is what is kept of a texture to make it again in a new process.
type TextureState struct {
	backend.Texture
	Broken error // why that failed
}

// send makes the texture in a process, or has it take over what is in its memory. The lock is held.
func (s *TextureState) send(c *connection, p *Process, handle uint32) error {
	return c.request(p, &wire.Texture{Handle: handle, Texture: s.Texture}, -1)
}
