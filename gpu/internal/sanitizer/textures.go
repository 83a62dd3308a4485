package sanitizer

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend"
)

// maxTextures is the maximum number of textures of a kernel: handles in the helper consist of the job's number and the texture's
// index.
const maxTextures = 1 << 8

// makeTextures makes the textures of the n-th job from the copies of their elements, and sets their handles in the arguments.
// They exist as long as the copies.
func (j *job) makeTextures(dev backend.Device, n uint32, args []byte, copies []uint64) error {
	if len(j.Textures) == 0 {
		return nil
	}
	d, ok := dev.(backend.Texturer)
	if !ok || len(j.Textures) > maxTextures {
		return errors.New("a kernel with that many textures can't be checked here")
	}
	var at backend.TextureArguments
	for i, a := range j.Textures {
		t, handle := a.Texture, n*maxTextures+uint32(i)
		if t.Addr, ok = j.moved(t.Addr, copies); !ok {
			return fmt.Errorf("the elements of texture %d are missing", i)
		}
		if err := d.TextureCreate(handle, &t); err != nil {
			return err
		}
		binary.NativeEndian.PutUint64(args[a.At:], uint64(handle))
		if a.Surface {
			at.Surfaces = append(at.Surfaces, a.At)
		} else {
			at.Textures = append(at.Textures, a.At)
		}
	}
	return d.TextureArguments(n, at)
}
