package server

import (
	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// textures returns the offsets of the texture arguments of a kernel, in bytes.
func textures(params []wire.Param) backend.TextureArguments {
	var a backend.TextureArguments
	places(params, func(p *wire.Param, at int) {
		switch p.Kind {
		case wire.ParamTexture:
			a.Textures = append(a.Textures, at)
		case wire.ParamSurface:
			a.Surfaces = append(a.Surfaces, at)
		}
	})
	return a
}

// texturer returns the device as a Texturer.
func (s *server) texturer() (backend.Texturer, error) {
	if t, ok := s.device().(backend.Texturer); ok {
		return t, nil
	}
	return nil, &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this device has no textures"}
}

func (s *server) textureArguments(fn uint32, at backend.TextureArguments) error {
	t, err := s.texturer()
	if err != nil {
		return nil // launches of the kernel cannot have a texture
	}
	return t.TextureArguments(fn, at)
}

// texture creates a texture, or updates its elements.
func (s *server) texture(r *wire.Texture) error {
	t, err := s.texturer()
	if err != nil {
		return err
	}
	if err := t.TextureCreate(r.Handle, &r.Texture); err != nil {
		return err
	}
	s.textures[r.Handle] = r.Texture
	return nil
}

func (s *server) textureDestroy(cmd *wire.Command, _ []byte) error {
	handle := cmd.Arg
	return s.waits.whenIdle(func() error { return s.destroyTexture(handle) })
}

func (s *server) destroyTexture(handle uint32) error {
	t, err := s.texturer()
	if err != nil {
		return err
	}
	delete(s.textures, handle)
	return t.TextureDestroy(handle)
}
