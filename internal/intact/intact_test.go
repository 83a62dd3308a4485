package intact

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSealed(t *testing.T) {
	for _, size := range []int{0, 100, small, small + 1, 1 << 20} {
		content := bytes.Repeat([]byte{'x'}, size)
		flipped := bytes.Clone(content)
		if size > 0 {
			flipped[size/2] ^= 4
		}
		for _, tt := range []struct {
			name        string
			change      func(path string, made time.Time) error
			quick, full string // what is wrong
			nothing     bool   // for an empty file
		}{
			{"as it was", func(string, time.Time) error { return nil }, "", "", true},
			{"copied", func(path string, _ time.Time) error { return os.Chtimes(path, time.Now(), time.Unix(1e9, 0)) }, "", "", true},
			{"cut short", func(path string, _ time.Time) error { return os.Truncate(path, int64(size/2)) }, "bytes", "bytes", false},
			{"emptied", func(path string, _ time.Time) error { return os.Truncate(path, 0) }, "bytes", "bytes", false},
			{"flipped", func(path string, _ time.Time) error { return os.WriteFile(path, flipped, 0o600) }, "changed", "changed", false},
			{"gone", func(path string, _ time.Time) error { return os.Remove(path) }, "gone", "gone", true},
			{"flipped by the disk", func(path string, made time.Time) error {
				return errors.Join(os.WriteFile(path, flipped, 0o600), os.Chtimes(path, made, made))
			}, map[bool]string{true: "changed"}[size <= small], "changed", false},
		} {
			if size == 0 && !tt.nothing {
				continue
			}
			path := filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := Sealed(path, true); !errors.Is(err, ErrNoSeal) {
				t.Errorf("before it is sealed: %v", err)
			}
			made := time.Unix(1_700_000_000, 123)
			if err := errors.Join(os.Chtimes(path, made, made), Seal(path), tt.change(path, made)); err != nil {
				t.Fatal(err)
			}
			for full, want := range map[bool]string{false: tt.quick, true: tt.full} {
				err := Sealed(path, full)
				var damage *Damage
				if (err != nil) != (want != "") || want != "" && (!errors.As(err, &damage) || !bytes.Contains([]byte(err.Error()), []byte(want))) {
					t.Errorf("%d bytes, %s, full %v: %v, want %q", size, tt.name, full, err, want)
				}
			}
		}
	}
}
