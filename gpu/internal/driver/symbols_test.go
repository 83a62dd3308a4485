package driver

import (
	"slices"
	"testing"
	"unsafe"
)

func TestEntries(t *testing.T) {
	ptx := `.version 8.0
.visible .entry _Z5saxpyfPKfPfi(
	.param .f32 a
)
.weak .entry _Z5scaleIfEvPT_(.param .u64 x)
	.entry plain(
// .entry comment
.func (.reg .b32 r) helper (.reg .b32 x)
`
	list := entries([]byte(ptx))
	if want := []string{"_Z5saxpyfPKfPfi", "_Z5scaleIfEvPT_", "plain"}; !slices.Equal(list, want) {
		t.Errorf("got %q, want %q", list, want)
	}
	if list := entries([]byte("\x7fELF and nothing more")); list != nil {
		t.Errorf("a damaged cubin has entries %q", list)
	}
	list = append(list, "_ZN1a1bEv", "_Z4twicei", "_Z4twicef")
	for name, want := range map[string]string{
		"saxpy": "_Z5saxpyfPKfPfi", "plain": "plain", "a::b": "_ZN1a1bEv",
		"::plain": "::plain", // the driver returns an error for it
		"twice":   "twice", "sax": "sax", "_Z4twicei": "_Z4twicei",
	} {
		if got := findEntry(list, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestMayPrint(t *testing.T) {
	for image, want := range map[string]bool{
		"\x7fELF kernel": false, "\x7fELF kernel vprintf": true, ".target sm_90 .entry k": false,
		".target sm_90 .extern .func vprintf": true, "PxU": true,
	} {
		if got := mayPrint([]byte(image)); got != want {
			t.Errorf("%q: %v", image, got)
		}
	}
}

func TestVariableSymbols(t *testing.T) {
	for name, want := range map[string][]string{
		"coef": {"coef", "_ZL4coef"}, "::coef": {"coef", "_ZL4coef"}, "a::bc::d": {"_ZN1a2bc1dE"},
	} {
		if got := variableSymbols(name); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// The driver reads and writes these structs; errors caused by a wrong layout would be hard to find.
func TestLayouts(t *testing.T) {
	for name, c := range map[string][2]uintptr{
		"CUDA_MEMCPY2D":                       {unsafe.Sizeof(copy2D{}), 128},
		"CUDA_MEMCPY2D.srcHost":               {unsafe.Offsetof(copy2D{}.srcHost), 24},
		"CUDA_MEMCPY2D.srcPitch":              {unsafe.Offsetof(copy2D{}.srcPitch), 48},
		"CUDA_MEMCPY2D.dstMemoryType":         {unsafe.Offsetof(copy2D{}.dstKind), 72},
		"CUDA_MEMCPY2D.dstPitch":              {unsafe.Offsetof(copy2D{}.dstPitch), 104},
		"CUDA_MEMCPY2D.WidthInBytes":          {unsafe.Offsetof(copy2D{}.width), 112},
		"CUlaunchConfig":                      {unsafe.Sizeof(launchConfig{}), 56},
		"CUlaunchConfig.hStream":              {unsafe.Offsetof(launchConfig{}.stream), 32},
		"CUlaunchConfig.numAttrs":             {unsafe.Offsetof(launchConfig{}.count), 48},
		"CUlaunchAttribute":                   {unsafe.Sizeof(launchAttribute{}), 72},
		"CUlaunchAttribute.value":             {unsafe.Offsetof(launchAttribute{}.value), 8},
		"CUgraphExecUpdateResultInfo":         {unsafe.Sizeof(graphUpdateInfo{}), 24},
		"CUmemAllocationProp":                 {unsafe.Sizeof(allocationProp{}), 32},
		"CUmemAccessDesc":                     {unsafe.Sizeof(accessDesc{}), 12},
		"CUjit_option values, log and length": {unsafe.Sizeof(jitValues{}), 16},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", name, c[0], c[1])
		}
	}
}
