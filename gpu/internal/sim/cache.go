package sim

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
)

// cacheMagic begins every kept program; it changes with the layout of the file.
const cacheMagic = "gwsim 1\n"

// A product is what a compilation gives.
type product struct {
	object []byte
	log    string
}

func cacheKey(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_ = binary.Write(h, binary.LittleEndian, int64(len(p))) // a hash takes everything
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func (t *toolchain) cachePath(key string) string {
	return filepath.Join(t.cache, t.id, key[:2], key[2:])
}

// cached returns a kept product. A damaged file counts as missing.
func (t *toolchain) cached(key string) (product, bool) {
	data, err := os.ReadFile(t.cachePath(key))
	if err != nil {
		return product{}, false
	}
	rest, ok := bytes.CutPrefix(data, []byte(cacheMagic))
	if !ok || len(rest) < sha256.Size+4 {
		return product{}, false
	}
	sum, rest := rest[:sha256.Size], rest[sha256.Size:]
	if got := sha256.Sum256(rest); !bytes.Equal(sum, got[:]) {
		return product{}, false
	}
	n := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	if uint64(n) > uint64(len(rest)) {
		return product{}, false
	}
	return product{log: string(rest[:n]), object: rest[n:]}, true
}

// keep stores a product. That it may fail, on a full or read-only disk, costs only time.
func (t *toolchain) keep(key string, p product) {
	body := binary.LittleEndian.AppendUint32(nil, uint32(len(p.log)))
	body = append(append(body, p.log...), p.object...)
	sum := sha256.Sum256(body)
	path := t.cachePath(key)
	if os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), "new-")
	if err != nil {
		return
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	_, err = f.Write(append(append([]byte(cacheMagic), sum[:]...), body...))
	if closeErr := f.Close(); err == nil && closeErr == nil {
		_ = os.Rename(f.Name(), path)
	}
}
