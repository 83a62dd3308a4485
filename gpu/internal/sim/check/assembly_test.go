package check

import "testing"

func TestRewrite(t *testing.T) {
	const in = `	.section	.tbss._ZZ1kvE1s,"awTG",@nobits
	.align 16
_ZZ1kvE1s:
	.zero	1024
	.text
	.zero	8
	call	memset@PLT
	call	memset_of_mine@PLT
	jmp	memcpy@PLT
	bl	memmove
`
	const want = `	.section	.tbss._ZZ1kvE1s,"awTG",@nobits
	.align 16
_ZZ1kvE1s:
	.zero	1024
	.zero	512
	.text
	.zero	8
	call	gw_memset@PLT
	call	memset_of_mine@PLT
	jmp	gw_memcpy@PLT
	bl	gw_memmove
`
	if got := string(rewrite([]byte(in), nil, false, lineWriter{})); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPlainName(t *testing.T) {
	for symbol, want := range map[string]string{
		"table":                    "table",
		"_ZZ1kPKfPfE4tile":         "tile",
		"_ZZ5scaleIfEvPT_E4part":   "part",
		"_ZZ1kPiE1s_0":             "s",
		"_ZN3lib6lookupE":          "lookup",
		"_ZN12_GLOBAL__N_15stateE": "state",
		"_ZL7private":              "private",
		"_ZZN3lib1kEPiE5cells":     "cells",
		"_Z_not_really":            "_Z_not_really",
		"_ZN99tooLongForItsSizeE":  "_ZN99tooLongForItsSizeE",
	} {
		if got := plainName(symbol); got != want {
			t.Errorf("%s: got %q, want %q", symbol, got, want)
		}
	}
}
