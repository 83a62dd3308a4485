package server

import (
	"encoding/binary"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
	"github.com/gopherwarp/gopherwarp/gpu/internal/wire"
)

// textures is where a kernel's arguments are textures, in bytes.
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

// texturer is the device as one with textures.
func (s *server) texturer() (backend.Texturer, error) {
	if t, ok := s.device().(backend.Texturer); ok {
		return t, nil
	}
	return nil, &backend.Error{Code: 801, Name: "CUDA_ERROR_NOT_SUPPORTED", Message: "this device has no textures"}
}

func (s *server) textureArguments(fn uint32, at backend.TextureArguments) error {
	t, err := s.texturer()
	if err != nil {
		return nil // who launches the kernel has no texture for it
	}
	return t.TextureArguments(fn, at)
}

// texture makes a texture, or has it take over what stands in its memory.
func (s *server) texture(req *wire.Request) error {
	t, err := s.texturer()
	if err != nil {
		return err
	}
	desc := &backend.Texture{}
	if _, err := binary.Decode(req.Data, binary.NativeEndian, desc); err != nil {
		return brokenError{err}
	}
	if err := t.TextureCreate(req.Module, desc); err != nil {
		return err
	}
	s.textures[req.Module] = *desc
	return nil
}

func (s *server) destroyTexture(handle uint32) error {
	t, err := s.texturer()
	if err != nil {
		return err
	}
	delete(s.textures, handle)
	return t.TextureDestroy(handle)
}
