package client

import (
	"slices"
	"testing"
)

// What was on its way to or from a process that exits counts where it is known to be whole.
func TestRestoreManaged(t *testing.T) {
	up, back, both, calm := &managed{sent: true, up: 8}, &managed{up: 3, back: 8}, &managed{sent: true, up: 7, back: 8}, &managed{sent: true, up: 2}
	l := NewLink("toy:0")
	l.managed = map[*managed]struct{}{up: {}, back: {}, both: {}, calm: {}}
	l.restoreManaged(5)
	got := []bool{up.sent, up.again, back.sent, back.again, both.sent, both.again, calm.sent, calm.again}
	if !slices.Equal(got, []bool{false, false, true, true, false, false, true, false}) {
		t.Errorf("got %v", got)
	}
}
