package gorelease_test

import (
	"go/constant"
	"go/types"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"golang.org/x/tools/go/packages"

	"github.com/gopherwarp/gopherwarp/internal/gorelease"
	"github.com/gopherwarp/gopherwarp/internal/gorelease/goobj"
)

// sources are the packages of the running Go that facts are from, and package inside.
var sources = sync.OnceValues(func() (map[string]*types.Package, error) {
	const load = packages.NeedName | packages.NeedTypes | packages.NeedSyntax | packages.NeedImports | packages.NeedTypesInfo | packages.NeedFiles | packages.NeedCompiledGoFiles
	list, err := packages.Load(&packages.Config{Mode: load},
		"internal/abi", "cmd/internal/goobj", "cmd/internal/objabi", "runtime", "testing", "internal/runtime/exithook",
		"github.com/gopherwarp/gopherwarp/internal/gorelease/inside")
	found := map[string]*types.Package{}
	for _, p := range list {
		found[p.PkgPath] = p.Types
	}
	return found, err
})

func source(t *testing.T, path string) *types.Scope {
	t.Helper()
	if _, ok := gorelease.Find(runtime.Version()); !ok {
		t.Skipf("SKIPPED: %s is not known", runtime.Version())
	}
	found, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	if found[path] == nil {
		t.Fatalf("%s has no package %s", runtime.Version(), path)
	}
	return found[path].Scope()
}

func TestConstants(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       any
	}{
		{"cmd/internal/goobj", "Magic", goobj.Magic},
		{"cmd/internal/goobj", "SymSize", goobj.SymbolSize},
		{"cmd/internal/goobj", "RelocSize", goobj.RelocSize},
		{"cmd/internal/goobj", "AuxSize", goobj.AuxSize},
		{"cmd/internal/goobj", "BlkAutolib", goobj.BlockImports},
		{"cmd/internal/goobj", "BlkPkgIdx", goobj.BlockPackages},
		{"cmd/internal/goobj", "BlkFile", goobj.BlockFiles},
		{"cmd/internal/goobj", "BlkSymdef", goobj.BlockSymbols},
		{"cmd/internal/goobj", "BlkHashed64def", goobj.BlockHashed64},
		{"cmd/internal/goobj", "BlkHasheddef", goobj.BlockHashed},
		{"cmd/internal/goobj", "BlkNonpkgdef", goobj.BlockNonPackage},
		{"cmd/internal/goobj", "BlkNonpkgref", goobj.BlockNonPackageRefs},
		{"cmd/internal/goobj", "BlkRefFlags", goobj.BlockRefFlags},
		{"cmd/internal/goobj", "BlkHash64", goobj.BlockHashes64},
		{"cmd/internal/goobj", "BlkHash", goobj.BlockHashes},
		{"cmd/internal/goobj", "BlkRelocIdx", goobj.BlockRelocIndex},
		{"cmd/internal/goobj", "BlkAuxIdx", goobj.BlockAuxIndex},
		{"cmd/internal/goobj", "BlkDataIdx", goobj.BlockDataIndex},
		{"cmd/internal/goobj", "BlkReloc", goobj.BlockRelocs},
		{"cmd/internal/goobj", "BlkAux", goobj.BlockAux},
		{"cmd/internal/goobj", "BlkData", goobj.BlockData},
		{"cmd/internal/goobj", "BlkRefName", goobj.BlockRefNames},
		{"cmd/internal/goobj", "BlkEnd", goobj.BlockEnd},
		{"cmd/internal/goobj", "NBlk", goobj.Blocks},
		{"cmd/internal/goobj", "SymFlagDupok", goobj.SymbolDuplicate},
		{"cmd/internal/goobj", "SymFlagNoSplit", goobj.SymbolNoSplit},
		{"cmd/internal/goobj", "SymFlagLocal", goobj.SymbolLocal},
		{"cmd/internal/goobj", "SymFlagTypelink", goobj.SymbolTypelink},
		{"cmd/internal/goobj", "SymFlagGoType", goobj.SymbolType},
		{"cmd/internal/goobj", "SymFlagItab", goobj.Symbol2Itab},
		{"cmd/internal/goobj", "AuxFuncInfo", goobj.AuxFuncInfo},
		{"cmd/internal/goobj", "AuxDwarfInfo", goobj.AuxDWARFFirst},
		{"cmd/internal/goobj", "AuxDwarfLines", goobj.AuxDWARFLast},
		{"cmd/internal/goobj", "AuxPcsp", goobj.AuxPCSP},
		{"cmd/internal/goobj", "AuxPcfile", goobj.AuxPCFile},
		{"cmd/internal/goobj", "AuxPcline", goobj.AuxPCLine},
		{"cmd/internal/goobj", "PkgIdxNone", goobj.PackageNone},
		{"cmd/internal/goobj", "PkgIdxHashed64", goobj.PackageHashed64},
		{"cmd/internal/goobj", "PkgIdxHashed", goobj.PackageHashed},
		{"cmd/internal/goobj", "PkgIdxSelf", goobj.PackageSelf},
		{"cmd/internal/objabi", "STEXT", goobj.SymbolKindText},
		{"cmd/internal/objabi", "STEXTFIPS", goobj.SymbolKindFIPS},
		{"cmd/internal/objabi", "SDWARFCUINFO", goobj.SymbolKindDWARFFirst},
		{"cmd/internal/objabi", "SDWARFADDR", goobj.SymbolKindDWARFLast},
		{"cmd/internal/objabi", "R_GOTPCREL", goobj.RelocGOTPCRel},
		{"cmd/internal/objabi", "R_ARM64_GOTPCREL", goobj.RelocGOTPCRelARM64},
		{"cmd/internal/objabi", "R_WEAK", -1 << 15},
		{"internal/abi", "TFlagUncommon", gorelease.TFlagUncommon},
		{"internal/abi", "TFlagExtraStar", gorelease.TFlagExtraStar},
		{"internal/abi", "TFlagGCMaskOnDemand", gorelease.TFlagGCMaskOnDemand},
		{"internal/abi", "Array", gorelease.KindArray},
		{"internal/abi", "Chan", gorelease.KindChan},
		{"internal/abi", "Func", gorelease.KindFunc},
		{"internal/abi", "Interface", gorelease.KindInterface},
		{"internal/abi", "Map", gorelease.KindMap},
		{"internal/abi", "Pointer", gorelease.KindPointer},
		{"internal/abi", "Slice", gorelease.KindSlice},
		{"internal/abi", "Struct", gorelease.KindStruct},
		{"internal/abi", "UnsafePointer", gorelease.KindUnsafePointer},
	} {
		obj, ok := source(t, c.path).Lookup(c.name).(*types.Const)
		if !ok {
			t.Errorf("%s: %s has no constant %s", runtime.Version(), c.path, c.name)
			continue
		}
		want := constant.Make(c.want)
		if n, ok := c.want.(int); ok {
			want = constant.MakeInt64(int64(n))
		}
		if got := obj.Val(); got.ExactString() != want.ExactString() {
			t.Errorf("%s: %s.%s is %v, here %v", runtime.Version(), c.path, c.name, got, want)
		}
	}
}

// layout returns a struct's size and the offsets of its fields by name, including those of embedded structs.
func layout(t *testing.T, scope *types.Scope, name string) (size int64, offsets map[string]int64) {
	t.Helper()
	obj := scope.Lookup(name)
	if obj == nil {
		t.Fatalf("%s: there is no type %s", runtime.Version(), name)
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		t.Fatalf("%s: %s is no struct", runtime.Version(), name)
	}
	sizes := types.SizesFor("gc", runtime.GOARCH)
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	offsets = map[string]int64{}
	for i, at := range sizes.Offsetsof(fields) {
		offsets[fields[i].Name()] = at
	}
	return sizes.Sizeof(s), offsets
}

func TestTypes(t *testing.T) {
	release, _ := gorelease.Find(runtime.Version())
	var typ gorelease.Type
	var field gorelease.Field
	var st gorelease.StructType
	var it gorelease.InterfaceType
	var im gorelease.InterfaceMethod
	var un gorelease.Uncommon
	var me gorelease.Method
	for _, c := range []struct {
		name    string
		size    uintptr
		offsets map[string]uintptr
	}{
		{"Type", unsafe.Sizeof(typ), map[string]uintptr{
			"Size_": unsafe.Offsetof(typ.Size), "TFlag": unsafe.Offsetof(typ.TFlag), "Kind_": unsafe.Offsetof(typ.Kind),
			"GCData": unsafe.Offsetof(typ.GCData), "Str": unsafe.Offsetof(typ.Str), "PtrToThis": unsafe.Offsetof(typ.PtrToThis),
		}},
		{"StructField", unsafe.Sizeof(field), map[string]uintptr{"Name": unsafe.Offsetof(field.Name), "Typ": unsafe.Offsetof(field.Typ), "Offset": unsafe.Offsetof(field.Offset)}},
		{"StructType", unsafe.Sizeof(st), map[string]uintptr{"PkgPath": unsafe.Offsetof(st.PkgPath), "Fields": unsafe.Offsetof(st.Fields)}},
		{"InterfaceType", unsafe.Sizeof(it), map[string]uintptr{"PkgPath": unsafe.Offsetof(it.PkgPath), "Methods": unsafe.Offsetof(it.Methods)}},
		{"Imethod", unsafe.Sizeof(im), map[string]uintptr{"Name": unsafe.Offsetof(im.Name), "Typ": unsafe.Offsetof(im.Typ)}},
		{"UncommonType", unsafe.Sizeof(un), map[string]uintptr{
			"PkgPath": unsafe.Offsetof(un.PkgPath), "Mcount": unsafe.Offsetof(un.Mcount), "Xcount": unsafe.Offsetof(un.Xcount), "Moff": unsafe.Offsetof(un.Moff),
		}},
		{"Method", unsafe.Sizeof(me), map[string]uintptr{"Name": unsafe.Offsetof(me.Name), "Tfn": unsafe.Offsetof(me.Tfn)}},
		{"ArrayType", release.UncommonOffset(gorelease.KindArray), nil},
		{"ChanType", release.UncommonOffset(gorelease.KindChan), nil},
		{"FuncType", release.UncommonOffset(gorelease.KindFunc), nil},
		{"InterfaceType", release.UncommonOffset(gorelease.KindInterface), nil},
		{"MapType", release.UncommonOffset(gorelease.KindMap), nil},
		{"PtrType", release.UncommonOffset(gorelease.KindPointer), nil},
		{"SliceType", release.UncommonOffset(gorelease.KindSlice), nil},
		{"StructType", release.UncommonOffset(gorelease.KindStruct), nil},
		{"Type", release.UncommonOffset(gorelease.KindUnsafePointer), nil},
	} {
		size, offsets := layout(t, source(t, "internal/abi"), c.name)
		if uintptr(size) != c.size {
			t.Errorf("%s: abi.%s has %d bytes, here %d", runtime.Version(), c.name, size, c.size)
		}
		for field, want := range c.offsets {
			if got, ok := offsets[field]; !ok || uintptr(got) != want {
				t.Errorf("%s: abi.%s.%s stands at %d (%v), here at %d", runtime.Version(), c.name, field, got, ok, want)
			}
		}
	}
}

func TestFunctionTable(t *testing.T) {
	_, offsets := layout(t, source(t, "runtime"), "pcHeader")
	for field, want := range map[string]int64{"funcnameOffset": gorelease.FuncNameOffset, "cuOffset": gorelease.CUOffset} {
		if got, ok := offsets[field]; !ok || got != want {
			t.Errorf("%s: runtime.pcHeader.%s stands at %d (%v), here at %d", runtime.Version(), field, got, ok, want)
		}
	}
}

// The moduledata of package inside is the beginning of the runtime's.
func TestModuledata(t *testing.T) {
	_, want := layout(t, source(t, "runtime"), "moduledata")
	_, got := layout(t, source(t, "github.com/gopherwarp/gopherwarp/internal/gorelease/inside"), "moduledata")
	if len(got) < 20 {
		t.Errorf("package inside has only %d fields", len(got))
	}
	for field, at := range got {
		if w, ok := want[field]; !ok || w != at {
			t.Errorf("%s: moduledata.%s stands at %d (%v), here at %d", runtime.Version(), field, w, ok, at)
		}
	}
}

// TestLinknames checks that what package inside accesses by go:linkname has the same type in the standard library. Types
// of two packages are compared as text without package names.
func TestLinknames(t *testing.T) {
	inside := source(t, "github.com/gopherwarp/gopherwarp/internal/gorelease/inside")
	unqualified := func(*types.Package) string { return "" }
	for _, c := range []struct{ path, name, here string }{
		{"testing", "cpuList", "cpuList"},
		{"internal/runtime/exithook", "Hook", "ExitHook"},
		{"testing", "testDeps", "dependencies"},
		{"testing", "corpusEntry", "corpusEntry"},
	} {
		there, here := source(t, c.path).Lookup(c.name), inside.Lookup(c.here)
		if there == nil || here == nil {
			t.Errorf("%s: %s.%s or inside.%s is not there", runtime.Version(), c.path, c.name, c.here)
			continue
		}
		want := types.TypeString(there.Type().Underlying(), unqualified)
		if got := types.TypeString(here.Type().Underlying(), unqualified); got != want {
			t.Errorf("%s: %s.%s is\n%s\nhere\n%s", runtime.Version(), c.path, c.name, want, got)
		}
	}
	for _, c := range []struct{ path, name, want string }{
		{"testing", "runFuzzTests", "func(deps testDeps, fuzzTests []InternalFuzzTarget, deadline Time) (ran bool, ok bool)"},
		{"runtime", "moduleTypelinks", "func(md *moduledata) []*_type"},
		{"runtime", "lastmoduledatap", "*moduledata"},
		{"internal/runtime/exithook", "hooks", "[]Hook"},
	} {
		obj := source(t, c.path).Lookup(c.name)
		if obj == nil {
			if c.name == "moduleTypelinks" && inside.Lookup(c.name) == nil {
				continue // this release does not have it, and package inside does not use it
			}
			t.Errorf("%s: %s has no %s", runtime.Version(), c.path, c.name)
			continue
		}
		if got := types.TypeString(obj.Type(), unqualified); got != c.want {
			t.Errorf("%s: %s.%s is %s, not %s", runtime.Version(), c.path, c.name, got, c.want)
		}
	}
	// Package inside finds this field by reflection.
	if _, fields := layout(t, source(t, "testing"), "testState"); fields["isFuzzing"] == 0 {
		t.Errorf("%s: testing.testState has no isFuzzing", runtime.Version())
	}
}
