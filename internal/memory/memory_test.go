package memory

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gopherwarp/gopherwarp/internal/cellruntime/children"
)

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]Limit{
		"":        Default,
		"off":     {},
		"8GB":     {Bytes: 8e9},
		"8 GiB":   {Bytes: 8 << 30},
		"1.5G":    {Bytes: 1.5e9},
		"512MiB":  {Bytes: 512 << 20},
		"100 kB":  {Bytes: 100_000},
		"64Ki":    {Bytes: 64 << 10},
		" 12345 ": {Bytes: 12345},
		"70%":     {Part: 0.7},
		"2T":      {Bytes: 2e12},
	} {
		if got, err := ParseLimit(text); err != nil || got != want {
			t.Errorf("ParseLimit(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"much", "-1", "0", "100%", "0%", "8XB", "GB", "1e3", "99999999999TB"} {
		if got, err := ParseLimit(text); err == nil {
			t.Errorf("ParseLimit(%q) = %+v, want an error", text, got)
		}
	}
}

func TestLimitOf(t *testing.T) {
	for _, tt := range []struct {
		limit           Limit
		used, available int64
		want            int64
	}{
		{Limit{}, 1 << 40, 0, math.MaxInt64},
		{Limit{Bytes: 100}, 1, 1 << 40, 100},
		{Limit{Part: 0.5}, 100, 300, 200},
		{Limit{Part: 0.5}, 100, 0, 50}, // other processes use the rest
	} {
		if got := tt.limit.Of(tt.used, tt.available); got != tt.want {
			t.Errorf("%+v.Of(%d, %d) = %d, want %d", tt.limit, tt.used, tt.available, got, tt.want)
		}
	}
}

func TestGroups(t *testing.T) {
	root := t.TempDir()
	for _, tt := range []struct {
		name   string
		files  map[string]string // under root
		groups string
		want   []int64 // of those with a limit
	}{
		{"version 2", map[string]string{
			"v2/a/memory.max": "1000\n", "v2/a/memory.current": "400\n", "v2/a/memory.stat": "anon 1\ninactive_file 100\n",
			"v2/memory.max": "max\n", "v2/memory.current": "5\n",
		}, "0::/v2/a\n", []int64{700}},
		{"version 1", map[string]string{
			"memory/x/memory.limit_in_bytes": "5000", "memory/x/memory.usage_in_bytes": "6000", "memory/x/memory.stat": "total_inactive_file 20\n",
			"memory/memory.limit_in_bytes": "9000", "memory/memory.usage_in_bytes": "1000",
		}, "9:name=systemd:/\n4:cpu,memory:/x\n3:cpuset:/x\n", []int64{0, 8000}},
		{"none", nil, "0::/nowhere\nnonsense\n", nil},
	} {
		for name, text := range tt.files {
			file := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var got []int64
		for _, dir := range groupDirs(root, tt.groups) {
			if n, ok := groupAvailable(dir); ok {
				got = append(got, n)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestResident(t *testing.T) {
	if n, err := Available(); err != nil || n <= 0 {
		t.Errorf("Available() = %d, %v", n, err)
	}
	before := Resident(os.Getpid())
	const size = 32 << 20
	held := make([]byte, size)
	for i := range held {
		held[i] = 1
	}
	if got := Resident(os.Getpid()); got-before < size/2 {
		t.Errorf("%d bytes before, %d after %d more", before, got, size)
	}
	// A shell's child that uses memory.
	child := exec.Command("sh", "-c", `(head -c 32000000 /dev/zero; cat) | tail -c 32000000 >/dev/null; :`)
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	withChildren := func() int64 {
		pids := []int{child.Process.Pid}
		for _, p := range children.Of(child.Process.Pid) {
			pids = append(pids, p.PID)
		}
		return Resident(pids...)
	}
	deadline := time.Now().Add(time.Minute)
	for withChildren() < 20_000_000 {
		if time.Now().After(deadline) {
			t.Fatalf("the children take %d bytes", withChildren())
		}
		time.Sleep(time.Millisecond)
	}
	in.Close()
	_ = child.Wait()
	if got := withChildren(); got != 0 {
		t.Errorf("%d bytes of a process that has ended", got)
	}
	_ = held[0]
}
