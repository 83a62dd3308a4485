package client

import (
	"errors"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// NewEvent makes an event and returns its handle.
func (l *Link) NewEvent(noClock bool) (handle uint32, err error) {
	err = l.With(func(p *Process) error {
		handle = l.state.handle()
		return l.state.events.add(p, handle, noClock)
	})
	return handle, err
}

// DropEvent destroys an event.
func (l *Link) DropEvent(handle uint32) { l.state.events.drop(handle) }

// NewStream makes a stream and returns its handle.
func (l *Link) NewStream(priority int32) (handle uint32, err error) {
	err = l.With(func(p *Process) error {
		handle = l.state.handle()
		return l.state.streams.add(p, handle, priority)
	})
	return handle, err
}

// DropStream destroys a stream, if it is known.
func (l *Link) DropStream(handle uint32) { l.state.streams.drop(handle) }

// WaitEvent makes later work of a stream wait for an event. If the event belongs to a recording, so does the stream from now on.
func (l *Link) WaitEvent(stream, event uint32) error {
	return l.With(func(p *Process) error {
		l.captures.join(stream, event)
		return l.Submit(p, &wire.Command{Op: wire.OpStreamWait, Stream: stream, Event: event}, nil)
	})
}

// NewTexture makes a texture with the contents of its memory, and returns its handle.
func (l *Link) NewTexture(t *TextureState) (handle uint32, err error) {
	err = l.With(func(p *Process) error {
		handle = l.state.handle()
		if err := t.send(&l.conn, p, handle); err != nil {
			return err
		}
		l.state.textures.keep(handle, t)
		return nil
	})
	return handle, err
}

// UpdateTexture makes a texture take over the contents of its memory, which is in the allocation.
func (l *Link) UpdateTexture(handle uint32, t *TextureState, a *Allocation) error {
	return l.With(func(p *Process) error {
		if err := a.Usable(); err != nil {
			return err
		}
		return t.send(&l.conn, p, handle)
	})
}

// DropTexture destroys a texture, if it is known.
func (l *Link) DropTexture(handle uint32) { l.state.textures.drop(handle) }

// DropGraph destroys a graph and reports whether it existed.
func (l *Link) DropGraph(handle uint32) bool { return l.state.graphs.drop(handle) }

// Load loads an image, whose kernels the program declares, or, if image is nil, compiles the program and loads the result.
func (l *Link) Load(program backend.Program, image *backend.Image) (handle uint32, m *LoadedModule, err error) {
	err = l.With(func(p *Process) (err error) {
		handle, m, err = l.build(p, program, image)
		return err
	})
	if e := new(Error); image == nil && errors.As(err, &e) && e.Message == messageExitedTwice {
		e.Message = messageCompilerExits // NVRTC is a library of the device process
	}
	return handle, m, err
}

// LoadChecked loads a module's program again for check mode, with the values that the host has given its variables. The lock is held.
func (l *Link) LoadChecked(p *Process, program backend.Program, m *LoadedModule) (handle uint32, checked *LoadedModule, err error) {
	program.Check = true
	handle, checked, err = l.build(p, program, nil)
	if err != nil {
		return 0, nil, err
	}
	if err := m.restoreGlobals(&l.conn, p, handle); err != nil {
		return 0, nil, err
	}
	if m.globals == nil {
		m.globals = map[string][]byte{}
	}
	checked.globals = m.globals // to be set again in a new process, too
	return handle, checked, nil
}

// Unload destroys a module, if it is known.
func (l *Link) Unload(handle uint32) { l.state.modules.drop(handle) }

// SendRange informs the device process of a range of the program, if there is a process, and reports whether it did.
func (l *Link) SendRange(c *wire.Command, name string) bool { return l.conn.sendRange(c, name) }

// Upload copies host memory to dst, which is in the block. src may be changed when it returns; the copy to the device may not have
// completed.
func (b *Block) Upload(dst uint64, src []byte, stream uint32) error {
	return b.Link.copies.upload(b, dst, src, stream)
}

// Download copies device memory at src, which is in the block, to the host, and waits for that.
func (b *Block) Download(dst []byte, src uint64, stream uint32) error {
	return b.Link.copies.download(b, dst, src, stream)
}

// UploadRows copies rows of n bytes, without gaps on the host, to rows pitch bytes apart.
func (b *Block) UploadRows(dst uint64, pitch int, src []byte, n int) error {
	return b.Link.copies.uploadRows(b, dst, pitch, src, n)
}

// DownloadRows is the inverse of UploadRows.
func (b *Block) DownloadRows(dst []byte, n int, src uint64, pitch int) error {
	return b.Link.copies.downloadRows(b, dst, n, src, pitch)
}

// Fill repeats a pattern over n bytes of the block.
func (b *Block) Fill(dst uint64, pattern []byte, n uint64, stream uint32) error {
	return b.Link.copies.fill(b, dst, pattern, n, stream)
}

// Available reports whether the memory exists. The connection's lock is held.
func (a *Allocation) Available() bool { return !a.freed && !a.chunk.lost }

// WasFreed reports whether the allocation was freed. The connection's lock is held.
func (a *Allocation) WasFreed() bool { return a.freed }
