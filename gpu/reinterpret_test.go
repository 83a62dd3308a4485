package gpu

import (
	"slices"
	"testing"
)

func TestReinterpret(t *testing.T) {
	fresh(t)
	bytes := ToDevice([]byte{1, 0, 0, 0, 2, 0, 0, 0})
	if got := Reinterpret[int32](bytes).ToHost(); !slices.Equal(got, []int32{1, 2}) {
		t.Errorf("got %v", got)
	}
	for name, cut := range map[string]*Buffer[byte]{"size": bytes.Slice(0, 6), "address": bytes.Slice(2, 6)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			Reinterpret[int32](cut)
		}()
	}
}
