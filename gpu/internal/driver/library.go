package driver

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/ebitengine/purego"
)

// A symbol is the address of a C function that is called often. Calls through it are several times faster than those through
// typed function fields, which use reflection.
type symbol uintptr

// call calls the function with integer arguments and returns its int result. Pointers to Go memory must be converted to uintptr
// in the argument list itself: only then does the compiler keep them alive and in place during the call.
//
//go:uintptrescapes
func (s symbol) call(args ...uintptr) int32 {
	return s.callKept(args)
}

// openLibrary opens the first of the named libraries that can be opened; each name is a path, or a file name that the dynamic
// linker looks up. The error covers the names and the paths that exist: it is normal that a file does not exist at one of several
// paths.
func openLibrary(names []string) (handle uintptr, name string, err error) {
	var errs []error
	for _, name := range names {
		if strings.Contains(name, "/") && !exists(name) {
			continue
		}
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			return handle, name, nil
		}
		errs = append(errs, err)
	}
	return 0, "", errors.Join(errs...)
}

// bind sets the fields of table, a pointer to a struct, to the library's functions. A field's tag `c:"name"` has the C name.
// Fields of function type are typed calls; fields of type symbol are addresses. Fields tagged `c:"name,optional"` remain nil if
// the library lacks the function.
func bind(handle uintptr, table any) error {
	v := reflect.ValueOf(table).Elem()
	var missing []string
	for i := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("c"), ",")
		addr, err := purego.Dlsym(handle, name)
		if err != nil {
			if option != "optional" {
				missing = append(missing, name)
			}
			continue
		}
		if field := v.Field(i); field.Kind() == reflect.Func {
			purego.RegisterFunc(field.Addr().Interface(), addr)
		} else {
			field.SetUint(uint64(addr))
		}
	}
	if missing != nil {
		return fmt.Errorf("it lacks %s", strings.Join(missing, ", "))
	}
	return nil
}
