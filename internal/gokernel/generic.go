package gokernel

import "go/types"

// subst replaces the type parameters of the function in a type by the types of this instance.
func (f *function) subst(typ types.Type) types.Type {
	if len(f.targs) == 0 || typ == nil {
		return typ
	}
	switch u := types.Unalias(typ).(type) {
	case *types.TypeParam:
		if to, ok := f.targs[u.Obj().Name()]; ok {
			return to
		}
	case *types.Slice:
		return types.NewSlice(f.subst(u.Elem()))
	case *types.Array:
		return types.NewArray(f.subst(u.Elem()), u.Len())
	case *types.Pointer:
		return types.NewPointer(f.subst(u.Elem()))
	case *types.Struct:
		fields, tags := make([]*types.Var, u.NumFields()), make([]string, u.NumFields())
		for i := range fields {
			v := u.Field(i)
			fields[i], tags[i] = types.NewField(v.Pos(), v.Pkg(), v.Name(), f.subst(v.Type()), v.Embedded()), u.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Named:
		if u.TypeArgs().Len() == 0 {
			return typ
		}
		var args []types.Type
		for a := range u.TypeArgs().Types() {
			args = append(args, f.subst(a))
		}
		if made, err := types.Instantiate(nil, u.Origin(), args, false); err == nil {
			return made
		}
	}
	return typ
}
