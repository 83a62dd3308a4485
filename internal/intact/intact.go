package intact

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// small is the maximum size of a file that is always read: that takes less than 100 µs.
const small = 64 << 10

// A Record has the size, time and digest of a file.
type Record struct {
	Size     int64
	Modified int64  `json:",omitempty"` // in nanoseconds since 1970; 0 if unknown
	SHA256   string // in hexadecimal
}

// RecordOf returns the record of a file.
func RecordOf(path string) (Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return Record{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Record{}, err
	}
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return Record{}, err
	}
	return Record{n, info.ModTime().UnixNano(), hex.EncodeToString(h.Sum(nil))}, nil
}

// A Damage is the error of a file that has changed.
type Damage struct {
	Path string
	What string // "is gone", "has 0 of 17 bytes", "has been changed"
}

func (d *Damage) Error() string { return d.Path + " " + d.What }

// Check returns a *Damage if the file differs from the record, and another error if it can't be read.
func (r Record) Check(path string, full bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Damage{path, "is gone"}
	case err != nil:
		return err
	case info.Size() != r.Size:
		return &Damage{path, fmt.Sprintf("has %d of %d bytes", info.Size(), r.Size)}
	}
	if !full && r.Size > small && (r.Modified == 0 || info.ModTime().UnixNano() == r.Modified) {
		return nil
	}
	now, err := RecordOf(path)
	if err != nil {
		return err
	}
	if now.SHA256 != r.SHA256 {
		return &Damage{path, "has been changed"}
	}
	return nil
}

// Holds returns a *Damage if the file's content is not text.
func Holds(path string, text []byte) error {
	sum := sha256.Sum256(text)
	return Record{Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}.Check(path, true)
}

// suffix is that of a seal, a file beside another with its record.
const suffix = ".intact"

// Seal writes the record of a file to a seal. It is the last step of making a file.
func Seal(path string) error {
	r, err := RecordOf(path)
	if err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return Write(path+suffix, data, 0o644)
}

// ErrNoSeal is the error of a file without a seal.
var ErrNoSeal = errors.New("was not sealed")

// Sealed returns nil if a file is unchanged since it was sealed. Otherwise its error wraps ErrNoSeal or a *Damage, or the file
// can't be read.
func Sealed(path string, full bool) error {
	data, err := os.ReadFile(path + suffix)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return &Damage{path, "is gone"}
		}
		return fmt.Errorf("%s %w", path, ErrNoSeal)
	}
	if err != nil {
		return err
	}
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return &Damage{path, "has a seal that can't be read"}
	}
	if err := r.Check(path, full); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.ModTime().UnixNano() != r.Modified {
		_ = Seal(path) // a copy of the cache: it was read in full, and is not read again
	}
	return nil
}

// Write writes a file that other processes may be reading: the old file stays until the new one is complete.
func Write(path string, data []byte, mode os.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = io.Copy(tmp, bytes.NewReader(data))
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err2 := tmp.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
