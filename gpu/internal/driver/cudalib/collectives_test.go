package cudalib

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ebitengine/purego"
)

// TestCallWithID calls a function with the signature of ncclCommInitRank, compiled by the C compiler, to check how the ID is
// passed.
func TestCallWithID(t *testing.T) {
	const source = `
typedef struct { char internal[128]; } ncclUniqueId;
int init_rank(void **comm, int size, ncclUniqueId id, int rank) {
	int sum = 0;
	for (int i = 0; i < 128; i++) sum += id.internal[i] * (i + 1);
	*comm = (void *)(long)sum;
	return size * 1000 + rank;
}`
	cc := strings.Fields(cmp.Or(os.Getenv("CC"), "gcc"))
	if _, err := exec.LookPath(cc[0]); err != nil {
		t.Skipf("SKIPPED: there is no C compiler: %v", err)
	}
	lib := filepath.Join(t.TempDir(), "lib.so")
	cmd := exec.Command(cc[0], append(cc[1:], "-shared", "-fPIC", "-x", "c", "-", "-o", lib)...)
	cmd.Stdin = strings.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	handle, err := purego.Dlopen(lib, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	f, err := purego.Dlsym(handle, "init_rank")
	if err != nil {
		t.Fatal(err)
	}
	id, sum := make([]byte, idBytes), 0
	for i := range id {
		id[i] = byte(i % 100)
		sum += i % 100 * (i + 1)
	}
	var comm uintptr
	if got := callWithID(f, &comm, 8, id, 3); got != 8003 || comm != uintptr(sum) {
		t.Errorf("returned %d, and a sum of %d; want 8003 and %d", got, comm, sum)
	}
}
