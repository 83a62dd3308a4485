package gpu

import (
	"testing"
	"time"
)

// Memory that is kept since it was needed lately goes back to the device also if this was suspended meanwhile.
func TestKeptMemoryAfterSuspending(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it waits for 10 s")
	}
	d, err := Current()
	check(err)
	defer func() { check(d.Trim(0)) }()
	const size = 40 << 20
	var list []*Buffer[byte]
	for range 4 {
		list = append(list, Alloc[byte](size, d))
	}
	for _, b := range list {
		b.Free()
	}
	if kept := d.Pool().Reserved; kept < 4*size {
		t.Fatalf("%d bytes are kept", kept)
	}
	suspended(t, d)
	time.Sleep(6 * time.Second) // until memory would have gone back the first time
	check(d.Sync())
	for begin := time.Now(); d.Pool().Reserved >= 2*size; time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > 12*time.Second {
			t.Fatalf("%d bytes are kept since the device goes on", d.Pool().Reserved)
		}
	}
}
