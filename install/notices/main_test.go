package main

import (
	"bytes"
	"os"
	"testing"
)

// TestNotices fails if a module was added or has another licence, and the file was not written again.
func TestNotices(t *testing.T) {
	var now bytes.Buffer
	if err := write(&now, "../.."); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../THIRD_PARTY_NOTICES")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, now.Bytes()) {
		t.Error("THIRD_PARTY_NOTICES is not what the modules say: go run ./install/notices > THIRD_PARTY_NOTICES")
	}
}
