package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/gopherwarp/gopherwarp/internal/diskcache"
)

// A product is the result of a compilation.
type product struct {
	object []byte
	log    string
}

func cacheKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, int64(len(p))) // a hash's Write never fails
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kernels returns the cache of compiled programs, which all compilers share. It is outside the
// toolchain's directory, which expires as a whole when another compiler is used.
func kernels() *diskcache.Cache { return diskcache.User("sim-kernels") }

// cached returns a stored product and reports whether there is one.
func (t *toolchain) cached(key string) (product, bool) {
	log, object, ok := t.kernels.Get(cacheKey(t.id, key))
	return product{log: string(log), object: object}, ok
}

// keep stores a product in the cache.
func (t *toolchain) keep(key string, p product) {
	t.kernels.Put(cacheKey(t.id, key), []byte(p.log), p.object)
}
