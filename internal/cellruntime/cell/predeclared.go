package cell

// Exported names of the predeclared types, for structs of cells that embed them: the name of the
// field is the name of the type.
type (
	Ͼany        = any
	Ͼbool       = bool
	Ͼbyte       = byte
	Ͼcomplex128 = complex128
	Ͼcomplex64  = complex64
	Ͼerror      = error
	Ͼfloat32    = float32
	Ͼfloat64    = float64
	Ͼint        = int
	Ͼint16      = int16
	Ͼint32      = int32
	Ͼint64      = int64
	Ͼint8       = int8
	Ͼrune       = rune
	Ͼstring     = string
	Ͼuint       = uint
	Ͼuint16     = uint16
	Ͼuint32     = uint32
	Ͼuint64     = uint64
	Ͼuint8      = uint8
	Ͼuintptr    = uintptr
)
