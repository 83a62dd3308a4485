package gpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gopherwarp/gopherwarp/gpu/internal/client"
)

// Functions with a name that ends in Context wait no longer than until ctx ends. What the device is
// doing then is stopped by replacing its process, as there is no other way to stop a kernel;
// buffers keep their contents. The error is that of ctx and wraps the device's.

// SyncContext is like Sync but stops the device's work if ctx ends first.
func SyncContext(ctx context.Context) error {
	d, err := chosen()
	if err != nil {
		return err
	}
	return until(ctx, d.link, Sync)
}

// SyncContext is like Sync but stops the device's work if ctx ends first.
func (d *Device) SyncContext(ctx context.Context) error { return until(ctx, d.link, d.Sync) }

// SyncContext is like Sync but stops the device's work if ctx ends first.
func (s *Stream) SyncContext(ctx context.Context) error {
	if err := s.own(); err != nil {
		return wrap("waiting for a stream", err)
	}
	return until(ctx, s.link, s.Sync)
}

// SyncContext is like Sync but stops the device's work if ctx ends first.
func (e *Event) SyncContext(ctx context.Context) error {
	if err := e.own(); err != nil {
		return wrap("waiting for an event", err)
	}
	return until(ctx, e.link, e.Sync)
}

// CopyToContext is like CopyTo but stops the device's work if ctx ends first. The contents of host are then undefined.
func (b *Buffer[T]) CopyToContext(ctx context.Context, host []T) error {
	if err := b.made(); err != nil {
		return wrap("copying from the device", err)
	}
	return until(ctx, b.block.Link, func() error { return b.CopyTo(host) })
}

// CopyToContext is like CopyTo but stops the device's work if ctx ends first. The contents of host are then undefined.
func (b *Buffer2D[T]) CopyToContext(ctx context.Context, host []T) error {
	if err := b.made(); err != nil {
		return wrap("copying from the device", err)
	}
	return until(ctx, b.block.Link, func() error { return b.CopyTo(host) })
}

// CopyToContext is like CopyTo but stops the device's work if ctx ends first. The contents of elements are then undefined.
func (t *Texture) CopyToContext(ctx context.Context, elements any) error {
	if err := t.made(); err != nil {
		return wrap("copying from a texture", err)
	}
	return until(ctx, t.block.Link, func() error { return t.CopyTo(elements) })
}

// CopyToContext is like CopyTo but stops the device's work if ctx ends first. The contents of host are then undefined.
func (g *Global[T]) CopyToContext(ctx context.Context, host []T) error {
	return until(ctx, g.mod.dev.link, func() error { return g.CopyTo(host) })
}

// ToHostContext is like ToHost but stops the device's work if ctx ends first. It returns errors instead of panicking.
func (b *Buffer[T]) ToHostContext(ctx context.Context) ([]T, error) {
	if err := b.made(); err != nil {
		return nil, wrap("copying from the device", err)
	}
	host := make([]T, b.n)
	if err := b.CopyToContext(ctx, host); err != nil {
		return nil, err
	}
	return host, nil
}

// CompileContext is like Compile but stops the compilation, and the device's work, if ctx ends first.
func CompileContext(ctx context.Context, src string, opts ...CompileOption) (*Module, error) {
	d, err := Current()
	if err != nil {
		return nil, err
	}
	return d.CompileContext(ctx, src, opts...)
}

// CompileContext is like the function CompileContext but compiles for this device instead of the current one.
func (d *Device) CompileContext(ctx context.Context, src string, opts ...CompileOption) (m *Module, err error) {
	err = until(ctx, d.link, func() (err error) {
		m, err = d.Compile(src, opts...)
		return err
	})
	return m, err
}

// until runs f, which waits for the device. If ctx ends first, the device's work is stopped, which makes f return an error; the error of
// until then wraps that of ctx, too.
func until(ctx context.Context, l *client.Link, f func() error) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	done := make(chan struct{})
	ended := context.AfterFunc(ctx, func() { stopUntil(l, done) })
	err := f()
	close(done)
	if !ended() && err != nil && !errors.Is(err, context.Cause(ctx)) {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

// untilCurrent implements hook.Until.
func untilCurrent(ctx context.Context, f func() error) error {
	d, err := Current()
	if err != nil {
		return err
	}
	return until(ctx, d.link, f)
}

// stopUntil stops the device's work until done is closed. It does so repeatedly, since the waiting function may give the device more
// work, or may not have begun to.
func stopUntil(l *client.Link, done chan struct{}) {
	const pause = 10 * time.Millisecond
	for {
		l.Stop()
		select {
		case <-done:
			return
		case <-time.After(pause):
		}
	}
}
