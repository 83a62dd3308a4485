// Package reflect names and hides what it does in one program.
package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

type animal interface {
	Name() string
	legs() int
}

type dog struct {
	name string `key:"value"`
	Age  int
	tail struct{ length, Color int }
}

func (d dog) Name() string      { return d.name }
func (d dog) legs() int         { return 4 }
func (d *dog) Rename(to string) { d.name = to }
func (d *dog) bark(n int) string {
	return strings.Repeat("woof", n)
}

type list[T any] struct{ items []T }

func (l *list[T]) Add(v T) { l.items = append(l.items, v) }
func (l list[T]) get() []T { return l.items }

type (
	fn    func(a dog, b ...animal) (list[dog], error)
	table map[dog2]chan<- *list[map[string]dog2]
	dog2  struct {
		dog
		*list[dog]
		animal
		_ int
	}
)

type Exported struct{ A, b int }

func describe(t reflect.Type) {
	fmt.Println(t.String(), "|", t.Name(), "|", t.PkgPath(), "|", t.Kind(), t.Size(), t.Comparable())
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			fmt.Println("  field", f.Name, f.PkgPath, f.Type, f.Tag, f.Offset, f.Anonymous, f.IsExported(), f.Index)
		}
	case reflect.Func:
		fmt.Println("  func", t.NumIn(), t.NumOut(), t.IsVariadic(), t.In(0))
	case reflect.Map:
		fmt.Println("  map", t.Key(), t.Elem())
	}
	for i := range t.NumMethod() {
		m := t.Method(i)
		fmt.Println("  method", m.Name, m.PkgPath, m.Type, m.Index, m.IsExported())
	}
}

func main() {
	d := dog{name: "rex", Age: 3}
	for _, v := range []any{
		d, &d, (*animal)(nil), list[int]{}, &list[dog]{}, fn(nil), table{}, dog2{}, &dog2{}, Exported{}, struct{ x, Y int }{}, [2]list[list[dog]]{},
		func(animal) {}, (*struct {
			dog
			x animal
		})(nil),
	} {
		t := reflect.TypeOf(v)
		describe(t)
		if t.Kind() == reflect.Pointer {
			describe(t.Elem())
		}
	}
	v := reflect.ValueOf(&d)
	m, ok := v.Type().MethodByName("Rename")
	fmt.Println(m.Name, m.Index, ok)
	_, ok = v.Type().MethodByName("bark")
	fmt.Println(ok, v.MethodByName("legs").IsValid())
	v.MethodByName("Rename").Call([]reflect.Value{reflect.ValueOf("max")})
	fmt.Println(d.Name(), v.MethodByName("Name").Call(nil)[0])
	e := v.Elem()
	fmt.Println(e.FieldByName("name").CanSet(), e.FieldByName("Age").CanSet(), e.FieldByName("name").CanInterface(), e.FieldByName("name"))
	e.FieldByName("Age").SetInt(9)
	f, ok := e.Type().FieldByName("tail")
	fmt.Println(d.Age, f.Type, f.Type.Field(1).Name, ok)
	_, ok = e.Type().FieldByName("Ͼname")
	fmt.Println(ok)
	fmt.Println(func() (r any) { defer func() { r = recover() }(); e.FieldByName("name").SetString("x"); return nil }())
	fmt.Println(func() (r any) { defer func() { r = recover() }(); return e.FieldByName("name").Interface() }())
	an := reflect.TypeFor[animal]()
	fmt.Println(e.Type().Implements(an), reflect.TypeOf(3).Implements(an), an.Method(1).Name, an.Method(1).PkgPath)
	fmt.Println(reflect.DeepEqual(d, dog{name: "max", Age: 9}), reflect.DeepEqual(list[dog]{[]dog{d}}, list[dog]{[]dog{d}}))
	st := reflect.StructOf([]reflect.StructField{{Name: "D", Type: e.Type()}, {Name: "hid", Type: reflect.TypeOf(0), PkgPath: "main"}})
	fmt.Println(st, st.Field(1).PkgPath, reflect.TypeOf(struct{ hid int }{}).Field(0).PkgPath)
	fmt.Println(reflect.MapOf(e.Type(), reflect.TypeOf(list[dog]{})), reflect.SliceOf(an), reflect.PointerTo(reflect.TypeOf(Exported{})))
	fmt.Println(reflect.TypeOf(struct{ a int }{}) == reflect.TypeOf(struct{ a int }{}), reflect.TypeOf(d).ConvertibleTo(reflect.TypeOf(dog2{}.dog)))
	dogType := reflect.TypeOf(d)
	fmt.Println(reflect.FuncOf([]reflect.Type{dogType}, nil, false) == reflect.TypeOf(func(dog) {}), reflect.MapOf(dogType, an) == reflect.TypeOf(map[dog]animal{}))
	reflect.MakeFunc(reflect.FuncOf([]reflect.Type{dogType, an}, nil, false), func([]reflect.Value) []reflect.Value { return nil }).Interface().(func(dog, animal))(d, d)
	names := []string{}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(dog2{})) {
		names = append(names, fmt.Sprint(f.Name, f.Index))
	}
	slices.Sort(names)
	fmt.Println(names)
}
