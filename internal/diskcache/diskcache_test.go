package diskcache

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writerEnv makes the test program a writer of TestTwoProcesses, with that directory.
const writerEnv = "DISKCACHE_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := write(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func small(dir string) *Cache { return &Cache{dir: dir, limit: 10_000, keep: Keep} }

func TestGetPut(t *testing.T) {
	c := Open(filepath.Join(t.TempDir(), "made", "on", "demand"))
	if _, _, ok := c.Get("a"); ok {
		t.Fatal("an empty cache has an entry")
	}
	for _, want := range []struct{ about, data string }{{"log", "code"}, {"", ""}, {"", "code"}, {"log", ""}} {
		c.Put("a", []byte(want.about), []byte(want.data))
		about, data, ok := c.Get("a")
		if !ok || string(about) != want.about || string(data) != want.data {
			t.Errorf("got %q, %q, %v, want %q", about, data, ok, want)
		}
	}
	var none *Cache
	none.Put("a", nil, nil)
	if _, _, ok := none.Get("a"); ok {
		t.Error("a nil cache has an entry")
	}
	if damaged, err := none.Repair(); damaged != nil || err != nil {
		t.Errorf("repairing a nil cache: %q, %v", damaged, err)
	}
}

func TestDamage(t *testing.T) {
	c := Open(t.TempDir())
	c.Put("good", nil, []byte("other"))
	c.Put("a", []byte("log"), []byte("code"))
	good, err := os.ReadFile(c.Path("a"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)-1] ^= 1
	for name, content := range map[string][]byte{
		"empty": {}, "foreign": []byte("something else entirely"), "magic only": []byte(magic), "cut short": good[:len(good)-1],
		"one bit off": flipped, "other version": append([]byte("gopherwarp/cache/0\n"), good[len(magic):]...),
	} {
		t.Run(name, func(t *testing.T) {
			damage := func() {
				if err := os.WriteFile(c.Path("a"), content, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			damage()
			if about, data, ok := c.Get("a"); ok {
				t.Errorf("it was taken for %q, %q", about, data)
			}
			c.Put("a", nil, []byte("again"))
			if _, data, ok := c.Get("a"); !ok || string(data) != "again" {
				t.Errorf("it was not replaced: %q, %v", data, ok)
			}
			damage()
			damaged, err := c.Repair()
			if err != nil || len(damaged) != 1 || !strings.Contains(damaged[0], c.Path("a")) {
				t.Errorf("repaired %q, %v", damaged, err)
			}
			if _, err := os.Stat(c.Path("a")); err == nil {
				t.Error("the damaged file is still there")
			}
		})
	}
	if _, _, ok := c.Get("good"); !ok {
		t.Error("the other entry was removed")
	}
}

// age makes the last use of a file that much earlier.
func age(t *testing.T, path string, by time.Duration) {
	t.Helper()
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-by)); err != nil {
		t.Fatal(err)
	}
}

func TestExpiry(t *testing.T) {
	dir := t.TempDir()
	before := Open(dir)
	for _, key := range []string{"unread", "read", "recent", ".new-killed", ".new-writing"} {
		before.Put(key, nil, []byte(key))
	}
	age(t, filepath.Join(dir, "unread"), 2*Keep)
	age(t, filepath.Join(dir, "read"), 2*Keep)
	age(t, filepath.Join(dir, "recent"), Keep/2)
	age(t, filepath.Join(dir, ".new-killed"), 2*abandoned)
	age(t, filepath.Join(dir, ".new-writing"), abandoned/2)
	c := Open(dir) // of another process
	c.Get("read")
	c.Put("new", nil, nil)
	for key, want := range map[string]bool{"unread": false, "read": true, "recent": true, "new": true, ".new-killed": false, ".new-writing": true} {
		if _, err := os.Stat(filepath.Join(dir, key)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", key, err == nil, want)
		}
	}
}

func TestExpireDirectories(t *testing.T) {
	dir := t.TempDir()
	for name, last := range map[string]time.Duration{"old": 2 * Keep, "used": 2 * Keep, "recent": Keep / 2} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
		age(t, path, last)
	}
	Touch(filepath.Join(dir, "used"))
	Expire(dir, Keep)
	for name, want := range map[string]bool{"old": false, "used": true, "recent": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

func TestLimit(t *testing.T) {
	c := small(t.TempDir())
	data := make([]byte, 1000)
	for i := range 50 {
		c.Put(fmt.Sprint(i), nil, data)
		age(t, c.Path(fmt.Sprint(i)), time.Duration(100-i)*2*accuracy)
		c.Get("0") // read all the time
		if _, size, err := c.files(); err != nil || size > c.limit+2*1100 {
			t.Fatalf("after %d entries the cache has %d bytes, %v, want at most %d", i+1, size, err, c.limit)
		}
	}
	for key, want := range map[string]bool{"0": true, "1": false, "30": false, "49": true} {
		if _, _, ok := c.Get(key); ok != want {
			t.Errorf("entry %s is there: %v, want %v", key, ok, want)
		}
	}
}

// write puts entries into a small cache and gets them, each with data that contain its key.
func write(dir string) error {
	c := small(dir)
	for i := range 400 {
		key := fmt.Sprint(i % 17)
		c.Put(key, []byte(key), bytes.Repeat([]byte(key), 1000))
		about, data, ok := c.Get(key) // the other process may have removed it
		if ok && (string(about) != key || !bytes.Equal(data, bytes.Repeat([]byte(key), 1000))) {
			return fmt.Errorf("entry %s is about %s, with %d bytes", key, about, len(data))
		}
		if damaged, err := c.Repair(); err != nil || len(damaged) > 0 {
			return fmt.Errorf("damaged: %q, %v", damaged, err)
		}
	}
	return nil
}

func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	var writers []*exec.Cmd
	for range 2 {
		w := exec.Command(os.Args[0])
		w.Env = append(os.Environ(), writerEnv+"="+dir)
		w.Stderr = os.Stderr
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		writers = append(writers, w)
	}
	for _, w := range writers {
		if err := w.Wait(); err != nil {
			t.Error(err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if files, size, err := small(dir).files(); err != nil || len(files) == 0 || size > 2*10_000 || len(left) > 0 {
		t.Errorf("%d files of %d bytes and %q are left, %v", len(files), size, left, err)
	}
}
