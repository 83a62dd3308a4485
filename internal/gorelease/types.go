package gorelease

// The layout of type descriptors in memory and in object files, as declared by internal/abi/type.go in
// all known releases, except for maps.
type (
	// Type is abi.Type, the beginning of the descriptor of each type.
	Type struct {
		Size, PtrBytes    uintptr
		Hash              uint32
		TFlag             uint8
		Align, FieldAlign uint8
		Kind              uint8
		Equal             uintptr
		GCData            uintptr // points to a bit for each word that may hold a pointer
		Str, PtrToThis    int32   // offsets from the beginning of the module's types
	}
	// Field is abi.StructField.
	Field struct {
		Name   *byte
		Typ    uintptr
		Offset uintptr
	}
	// StructType is abi.StructType.
	StructType struct {
		Type
		PkgPath *byte
		Fields  []Field
	}
	// InterfaceMethod is abi.Imethod.
	InterfaceMethod struct{ Name, Typ int32 }
	// InterfaceType is abi.InterfaceType.
	InterfaceType struct {
		Type
		PkgPath *byte
		Methods []InterfaceMethod
	}
	// Uncommon is abi.UncommonType, which describes a type that has a name or methods. It follows the part of the
	// descriptor that depends on the type's kind.
	Uncommon struct {
		PkgPath        int32
		Mcount, Xcount uint16
		Moff           uint32
		_              uint32
	}
	// Method is abi.Method.
	Method struct{ Name, Mtyp, Ifn, Tfn int32 }
)

// Flags of types, and of names. A name is a byte of flags, its length as a varint, and its bytes.
const (
	TFlagUncommon       = 1 << 0
	TFlagExtraStar      = 1 << 1
	TFlagGCMaskOnDemand = 1 << 4 // GCData points to a word for the mask, which is made on demand

	NameExported = 1 << 0
	NameTag      = 1 << 1
	NamePkgPath  = 1 << 2
)

// Kinds of types.
const (
	KindMask          = 1<<5 - 1
	KindArray         = 17
	KindChan          = 18
	KindFunc          = 19
	KindInterface     = 20
	KindMap           = 21
	KindPointer       = 22
	KindSlice         = 23
	KindStruct        = 25
	KindUnsafePointer = 26
)

// UncommonOffset returns the offset of the Uncommon of a type of some kind, which is the size of the type that abi
// declares for the kind.
func (r Release) UncommonOffset(kind uint8) uintptr {
	switch kind & KindMask {
	case KindArray:
		return 72
	case KindChan:
		return 64
	case KindFunc, KindPointer, KindSlice:
		return 56
	case KindInterface, KindStruct:
		return 80
	case KindMap:
		return r.mapType
	}
	return 48
}
