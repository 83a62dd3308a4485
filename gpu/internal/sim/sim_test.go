package sim

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gopherwarp/gopherwarp/gpu/internal/backend/backendtest"
)

func TestBackend(t *testing.T) { backendtest.Run(t, New()) }

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func closeFD(fd int) { _ = unix.Close(fd) }
