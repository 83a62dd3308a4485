package gpu

import "github.com/gopherwarp/gopherwarp/gpu/internal/client"

// anyBuffer is a *Buffer of any element type.
type anyBuffer interface {
	Bytes() int
	Address() uint64
	made() error
	held() *client.Block
}

func (b *Buffer[T]) held() *client.Block { return b.block }

// bufferOf returns a value, which must be a *Buffer, as an anyBuffer.
func bufferOf(v any) (anyBuffer, error) {
	b, ok := v.(anyBuffer)
	if !ok {
		return nil, misuse("", "a %T is no buffer", v)
	}
	return b, b.made()
}

// share implements hook.Share.
func share(buffer any) (client.SharedRange, error) {
	const op = "sharing a buffer's memory"
	b, err := bufferOf(buffer)
	if err != nil {
		return client.SharedRange{}, wrap(op, err)
	}
	r, err := b.held().ShareAddress(b.Address())
	return r, wrap(op, err)
}

// hold implements hook.Hold.
func hold(buffer any) (release func(), err error) {
	const op = "holding a buffer"
	b, err := bufferOf(buffer)
	if err != nil {
		return nil, wrap(op, err)
	}
	release, err = b.held().Hold()
	return release, wrap(op, err)
}

// finish implements hook.Finish.
func finish(device any) error { return device.(*Device).finish() }
