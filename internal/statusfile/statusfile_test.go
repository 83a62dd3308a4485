package statusfile

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	f, other := New("a"), New("ab")
	defer f.Close()
	defer other.Close()
	other.Set("no")
	if got := Of(os.Getpid(), "a"); got != nil {
		t.Errorf("before it was set it has %q", got)
	}
	f.Set("long "+strings.Repeat("x", 2*size), 1)
	if got := Of(os.Getpid(), "a"); len(got) != 1 || len(got[0]) != 1 || len(got[0][0]) != size-1 {
		t.Errorf("a long line: %q", got)
	}
	f.Set("cuda:0", 12, true)
	if got, want := Of(os.Getpid(), "a"), [][]string{{"cuda:0", "12", "true"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Close()
	f.Set("closed")
	if got := Of(os.Getpid(), "a"); got != nil {
		t.Errorf("after it was closed it has %q", got)
	}
}
