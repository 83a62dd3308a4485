//go:build !amd64

package simd

// Has reports whether the processor has the instructions.
const Has = false

// Has512 reports whether the processor also has those of TallTile and LargeTile.
const Has512 = false

func Add32(_ *float32, _ *float32, _ *float32, _ int)                   {}
func Sub32(_ *float32, _ *float32, _ *float32, _ int)                   {}
func Mul32(_ *float32, _ *float32, _ *float32, _ int)                   {}
func Div32(_ *float32, _ *float32, _ *float32, _ int)                   {}
func Maximum32(_ *float32, _ *float32, _ *float32, _ int)               {}
func Minimum32(_ *float32, _ *float32, _ *float32, _ int)               {}
func Sqrt32(_ *float32, _ *float32, _ int)                              {}
func Tile32(_, _, _ *float32, _, _, _ int)                              {}
func ShortTile32(_, _, _ *float32, _, _, _ int)                         {}
func TallTile32(_, _, _ *float32, _, _, _ int)                          {}
func LargeTile32(_, _, _ *float32, _, _, _ int)                         {}
func DotRows32(_ *float32, _ *float32, _ *float32, _ int, _ int, _ int) {}
func AddRowsWide32(_ *float32, _ *float32, _ *float32, _ int, _ int)    {}
func AddRows32(_ *float32, _ *float32, _ *float32, _ int, _ int)        {}
func Add64(_ *float64, _ *float64, _ *float64, _ int)                   {}
func Sub64(_ *float64, _ *float64, _ *float64, _ int)                   {}
func Mul64(_ *float64, _ *float64, _ *float64, _ int)                   {}
func Div64(_ *float64, _ *float64, _ *float64, _ int)                   {}
func Maximum64(_ *float64, _ *float64, _ *float64, _ int)               {}
func Minimum64(_ *float64, _ *float64, _ *float64, _ int)               {}
func Sqrt64(_ *float64, _ *float64, _ int)                              {}
func Tile64(_, _, _ *float64, _, _, _ int)                              {}
func ShortTile64(_, _, _ *float64, _, _, _ int)                         {}
func TallTile64(_, _, _ *float64, _, _, _ int)                          {}
func LargeTile64(_, _, _ *float64, _, _, _ int)                         {}
func DotRows64(_ *float64, _ *float64, _ *float64, _ int, _ int, _ int) {}
func AddRowsWide64(_ *float64, _ *float64, _ *float64, _ int, _ int)    {}
func AddRows64(_ *float64, _ *float64, _ *float64, _ int, _ int)        {}
func sum32(_ *float64, _ *float32, _ int)                               {}
func SumRows32(_ *float64, _ *float32, _ int, _ int)                    {}
func sum64(_ *float64, _ *float64, _ int)                               {}
func highest32(_ *float32, _ *float32, _ int)                           {}
func lowest32(_ *float32, _ *float32, _ int)                            {}
func highest64(_ *float64, _ *float64, _ int)                           {}
func lowest64(_ *float64, _ *float64, _ int)                            {}
func AddWide32(_ *float64, _ *float32, _ int)                           {}
func Exp32(_ *float32, _ *float32, _ int)                               {}
func Log32(_ *float32, _ *float32, _ int)                               {}
func Erfc32(_ *float32, _ *float32, _ int)                              {}
func Sigmoid32(_ *float32, _ *float32, _ int)                           {}
func Tanh32(_ *float32, _ *float32, _ int)                              {}
func Spread32(_ *float32, _ *float32, _ int, _ int, _ int)              {}
func Spread64(_ *float64, _ *float64, _ int, _ int, _ int)              {}
func range32(_ *int32, _ *int32, _ int)                                 {}
func range64(_ *int64, _ *int64, _ int)                                 {}
func FourierFirst32(_, _, _, _, _ *float32, _, _ int)                   {}
func FourierPass32(_, _, _, _, _ *float32, _, _, _, _, _, _ int)        {}
func FourierSecond32(_, _, _, _, _ *float32, _, _, _, _, _, _ int)      {}
func Parts32(_, _, _ *float32, _ int)                                   {}
func Joined32(_, _, _ *float32, _ int)                                  {}
func RealOut32(_, _, _, _, _ *float32, _, _ int)                        {}
func RealIn32(_, _, _, _, _ *float32, _, _ int)                         {}
func Lines(_, _ *byte, _, _, _, _ int)                                  {}
func AddInt32(_, _, _ *int32, _ int)                                    {}
func SubInt32(_, _, _ *int32, _ int)                                    {}
func AndInt32(_, _, _ *int32, _ int)                                    {}
func OrInt32(_, _, _ *int32, _ int)                                     {}
func XorInt32(_, _, _ *int32, _ int)                                    {}
func MulInt32(_, _, _ *int32, _ int)                                    {}
func MaximumInt32(_, _, _ *int32, _ int)                                {}
func MinimumInt32(_, _, _ *int32, _ int)                                {}
func AddInt64(_, _, _ *int64, _ int)                                    {}
func SubInt64(_, _, _ *int64, _ int)                                    {}
func AndInt64(_, _, _ *int64, _ int)                                    {}
func OrInt64(_, _, _ *int64, _ int)                                     {}
func XorInt64(_, _, _ *int64, _ int)                                    {}
func Rint32(_ *float32, _ *float32, _ int)                              {}
func Floor32(_ *float32, _ *float32, _ int)                             {}
func Ceil32(_ *float32, _ *float32, _ int)                              {}
func Trunc32(_ *float32, _ *float32, _ int)                             {}
func Abs32(_ *float32, _ *float32, _ int)                               {}
func Neg32(_ *float32, _ *float32, _ int)                               {}
func Rint64(_ *float64, _ *float64, _ int)                              {}
func Floor64(_ *float64, _ *float64, _ int)                             {}
func Ceil64(_ *float64, _ *float64, _ int)                              {}
func Trunc64(_ *float64, _ *float64, _ int)                             {}
func Abs64(_ *float64, _ *float64, _ int)                               {}
func Neg64(_ *float64, _ *float64, _ int)                               {}
func AddInt8(_ *int8, _ *int8, _ *int8, _ int)                          {}
func SubInt8(_ *int8, _ *int8, _ *int8, _ int)                          {}
func AndInt8(_ *int8, _ *int8, _ *int8, _ int)                          {}
func OrInt8(_ *int8, _ *int8, _ *int8, _ int)                           {}
func XorInt8(_ *int8, _ *int8, _ *int8, _ int)                          {}
func Equal32(_ *bool, _ *float32, _ *float32, _ int)                    {}
func Equal64(_ *bool, _ *float64, _ *float64, _ int)                    {}
func NotEqual32(_ *bool, _ *float32, _ *float32, _ int)                 {}
func NotEqual64(_ *bool, _ *float64, _ *float64, _ int)                 {}
func Less32(_ *bool, _ *float32, _ *float32, _ int)                     {}
func Less64(_ *bool, _ *float64, _ *float64, _ int)                     {}
func LessEqual32(_ *bool, _ *float32, _ *float32, _ int)                {}
func LessEqual64(_ *bool, _ *float64, _ *float64, _ int)                {}
func EqualInt32(_ *bool, _ *int32, _ *int32, _ int)                     {}
func EqualInt64(_ *bool, _ *int64, _ *int64, _ int)                     {}
func LessInt32(_ *bool, _ *int32, _ *int32, _ int)                      {}
func LessInt64(_ *bool, _ *int64, _ *int64, _ int)                      {}
func Widened32(_ *float64, _ *float32, _ int)                           {}
func SquaredDifferences32(_ *float64, _ *float32, _ *float64, _ int)    {}
func Narrowed64(_ *float32, _ *float64, _ int)                          {}
func Float32OfInt32(_ *float32, _ *int32, _ int)                        {}
func Float64OfInt32(_ *float64, _ *int32, _ int)                        {}
func Float32OfUint8(_ *float32, _ *uint8, _ int)                        {}
func Int32OfFloat32(_ *int32, _ *float32, _ int)                        {}
func Sin32(_ *float32, _ *float32, _ int)                               {}
func Cos32(_ *float32, _ *float32, _ int)                               {}
func Pow32(_, _, _ *float32, _ int)                                     {}
func Above32(_ *byte, _, _ *float32, _ int)                             {}
func Above64(_ *byte, _, _ *float64, _ int)                             {}
func AboveInt32(_ *byte, _, _, _ *int32, _ int)                         {}
func AboveInt64(_ *byte, _, _, _ *int64, _ int)                         {}
func running32(_, _, _ *int32, _ int)                                   {}
func sumInt32(_, _ *int32, _ int)                                       {}
func SparseRows32(_ *float32, _, _ *int32, _, _ *float32, _ int)        {}
func SparseRows64(_ *float64, _, _ *int32, _, _ *float64, _ int)        {}
